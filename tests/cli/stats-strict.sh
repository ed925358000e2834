# SPDX-License-Identifier: MIT
# --strict: a log that misses events is told by the exit status
write_small a.bin
analyzer stats a.bin --strict --report threads

# SPDX-License-Identifier: MIT
# --strict: the exit status shows that a log lacks events
write_small a.bin
analyzer stats a.bin --strict --report threads

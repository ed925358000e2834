# SPDX-License-Identifier: MIT
# info sums up a log
write_small a.bin
analyzer info a.bin

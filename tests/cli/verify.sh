# SPDX-License-Identifier: MIT
# verify finds nothing in a log as it should be
write_small a.bin
analyzer verify a.bin

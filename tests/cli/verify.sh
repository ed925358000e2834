# SPDX-License-Identifier: MIT
# verify finds nothing in a correct log
write_small a.bin
analyzer verify a.bin

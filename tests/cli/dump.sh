# SPDX-License-Identifier: MIT
# dump prints every row of a log
write_small a.bin
analyzer dump a.bin

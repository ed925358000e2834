# SPDX-License-Identifier: MIT
# verify --quiet only exits
write_small a.bin
analyzer verify --quiet a.bin && echo sound
cut a.bin 3000
analyzer verify --quiet a.bin

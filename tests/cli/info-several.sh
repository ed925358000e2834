# SPDX-License-Identifier: MIT
# Readable ones of several inputs are shown, with exit status 5
write_small a.bin
analyzer info --format json a.bin none.bin a.bin | wc -l
analyzer info --format json a.bin none.bin >a.json

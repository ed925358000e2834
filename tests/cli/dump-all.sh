# SPDX-License-Identifier: MIT
# dump --all --by-time adds the strings and merges threads by time
write_small a.bin
analyzer dump --all --by-time a.bin

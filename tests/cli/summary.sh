# SPDX-License-Identifier: MIT
# A FILE alone prints facts, threads, ranges, and what the log lacks
write_small a.bin
analyzer a.bin

# SPDX-License-Identifier: MIT
# dump --slices prints what Perfetto draws on rows of threads
write_small a.bin
analyzer dump --slices a.bin

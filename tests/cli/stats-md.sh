# SPDX-License-Identifier: MIT
# Markdown tables can be put into a page unchanged
write_small a.bin
analyzer stats a.bin --format md --report threads,ranges

# SPDX-License-Identifier: MIT
# Markdown tables stand in a page as they are
write_small a.bin
analyzer stats a.bin --format md --report threads,ranges

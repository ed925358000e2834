# SPDX-License-Identifier: MIT
# stats prints the requested reports, in their order
write_small a.bin
analyzer stats a.bin --report domains,ranges,threads,footer

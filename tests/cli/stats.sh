# SPDX-License-Identifier: MIT
# stats prints the reports one names, in their order
write_small a.bin
analyzer stats a.bin --report domains,ranges,threads,footer

# SPDX-License-Identifier: MIT
# A log written from the text that dump prints gives that text again
write_small a.bin
analyzer dump a.bin >a.txt
# dump resolves what the file holds as numbers; loss and end lines come from totals.
sed -e 's/category="disk"/category=5/' -e '/^capture format/d' -e '/^end/d' a.txt |
	text-log b.bin
analyzer dump b.bin | diff a.txt - && echo same

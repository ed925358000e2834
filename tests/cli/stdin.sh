# SPDX-License-Identifier: MIT
# A log can come through a pipe
write_small a.bin
for command in dump info verify; do
	analyzer "$command" a.bin | sed 's/a\.bin/FILE/' >file
	analyzer "$command" /dev/stdin <a.bin | sed 's|/dev/stdin|FILE|' | cmp - file && echo same
	cat a.bin - </dev/null | analyzer "$command" /dev/stdin | sed 's|/dev/stdin|FILE|' | cmp - file && echo same
done

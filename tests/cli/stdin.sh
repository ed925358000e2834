# SPDX-License-Identifier: MIT
# A log or a trace in JSON can come through a pipe, and commands for logs say that a trace is none
write_small a.bin
for command in dump info verify; do
	analyzer "$command" a.bin | sed 's/a\.bin/FILE/' >file
	analyzer "$command" /dev/stdin <a.bin | sed 's|/dev/stdin|FILE|' | cmp - file && echo same
	cat a.bin - </dev/null | analyzer "$command" /dev/stdin | sed 's|/dev/stdin|FILE|' | cmp - file && echo same
done
printf '\n \n [{"ph":"X","name":"op","cat":"cpu_op","pid":1,"tid":1,"ts":1,"dur":5}]' >t.json
gzip -c t.json >t.json.gz
analyzer stats t.json | sed 's/t\.json/FILE/' >file
for trace in t.json t.json.gz; do
	# shellcheck disable=SC2002 # a pipe is what is tried
	cat "$trace" | analyzer stats /dev/stdin | cmp - file && echo same
	# shellcheck disable=SC2002
	cat "$trace" | analyzer stats - | cmp - file && echo same
	analyzer "$trace" -o a.json
	# shellcheck disable=SC2002
	cat "$trace" | analyzer - -o b.json
	sed 's/b\.json/a.json/' b.json | cmp - a.json && echo same
	# shellcheck disable=SC2002
	cat "$trace" | analyzer dump --slices - >slices
	analyzer dump --slices "$trace" | cmp - slices && echo same
done
for command in dump info verify; do
	analyzer "$command" t.json
	# shellcheck disable=SC2002
	cat t.json.gz | analyzer "$command" -
done
: | analyzer stats -

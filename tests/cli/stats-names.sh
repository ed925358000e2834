# SPDX-License-Identifier: MIT
# Names made for each call share a row, or one per shape on request; raw names are still available
text-log a.bin <<'LOG'
capture pid=1 clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def stream id=1 tid=1
def domain id=1 name="TSL"
event 1 0 10 push name="(no name)"
event 1 1 20 push name="aten::mm, seq = 1, op_id = 2, sizes = [[2, 3], [3, 4]]"
event 1 2 30 pop
event 1 3 40 push name="aten::mm, seq = 2, op_id = 5, sizes = [[2, 3], [3, 4]], input_op_ids = [(2,0)]"
event 1 4 60 pop
event 1 5 70 push name="aten::mm, seq = 3, op_id = 9, sizes = [[8, 8], [8, 8]]"
event 1 6 100 pop
event 1 7 100 push name="aten::mm"
event 1 8 140 pop
event 1 9 140 push name="XlaModule:#hlo_module=jit_f,program_id=7#" domain=1
event 1 10 150 pop domain=1
event 1 11 150 push name="XlaModule:#hlo_module=jit_f,program_id=8#" domain=1
event 1 12 160 pop domain=1
event 1 13 160 push
event 1 14 200 pop
event 1 15 200 pop
LOG
analyzer stats a.bin
analyzer stats a.bin --group-by shape
analyzer stats a.bin --group-by path,shape --format csv --sort name 2>&1
analyzer stats a.bin --names raw --format md
analyzer stats a.bin --names raw --group-by shape --format tsv 2>&1 |
	awk -F '\t' '{ print $1 " | " $NF }'
analyzer a.bin --names raw | sed '/^Ranges/,$!d'
analyzer a.bin | grep ^names:
for names in raw normal; do
	analyzer a.bin -o - --names $names | grep -o '"name":"aten[^"]*"' | sort -u
done
analyzer stats a.bin --names short

# SPDX-License-Identifier: MIT
# --sort takes any column, + and - choose the direction, --limit cuts
write_small a.bin
for key in calls -name +max_ns self_cpu "self CPU"; do
	analyzer stats a.bin --format csv --sort "$key" --limit 3 2>/dev/null
done
analyzer stats a.bin --limit 1
# Units may be left out, also of bytes; a whole name comes before one without its unit.
text-log b.bin <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7
def stream id=2 parent=1 name="GPU"
event 2 0 150 memory kind=1 tid=7 addr=4096 bytes=10 device=0 context=1 src=3
event 2 1 350 memory kind=1 tid=7 addr=8192 bytes=900 device=1 context=1 src=3
LOG
analyzer stats b.bin -r memory --sort largest --format csv 2>/dev/null

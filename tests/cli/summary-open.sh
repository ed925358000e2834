# SPDX-License-Identifier: MIT
# A range that was never closed lasts until the end of its thread or of the capture
write_hung()
{
	text-log "$1" <<LOG
capture tool="text-log" pid=4700 clock="monotonic"
clock ticks=1000000000 mono=1000000000 real=1790000000000000000 boot=1000000000 err=7
def stream id=1 tid=4700 name="main"
def stream id=2 tid=4711 name="hang"
def stream id=3 tid=4712 name="gone"
event 1 0 1000000000 push name="step"
event 1 1 1500000000 pop
event 1 2 1600000000 start name="copy" id=7
event 2 0 1100000000 push name="waits"
event 2 1 1200000000 push name="hangs here"
event 3 0 1300000000 push name="left open"
event 3 1 1700000000 mark name="bye"
chunk flags=6
clock ticks=4201000000 mono=4201000000 real=1790000003201000000 boot=4201000000 err=9
$2
LOG
}
write_hung a.bin ''
analyzer a.bin
analyzer dump --slices a.bin
echo
# The recovery came an hour later: the point before its own counts.
write_hung b.bin 'clock ticks=3601000000000 mono=3601000000000 real=1790003600000000000 boot=3601000000000 err=9
end status="recovered"'
analyzer dump --slices b.bin
# If there are many, the first are named.
{
	echo 'clock ticks=1000 mono=1000 real=1000 boot=1000 err=1'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		echo "event 1 $i $((i + 1000)) push name=\"$i\""
	done
} | text-log c.bin
analyzer c.bin | sed -n '/^open/,$p'
analyzer stats a.bin --format json --report threads | sed -n 's/.*"open":/"open":/p'

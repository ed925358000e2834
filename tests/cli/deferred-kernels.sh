# SPDX-License-Identifier: MIT
# Events with a GPU's times and no other information are placed in the kernels before their submission
event()
{
	python3 -c 'import struct,sys; print("".join("\\x%02x" % b for b in struct.pack("<qq", *map(int, sys.argv[1:]))))' "$1" "$2"
}
log()
{
	cat <<LOG
capture pid=77 clock="monotonic"
clock ticks=1000 mono=1000 real=5000001000 boot=3000 err=0
def domain id=1 name="in kernels"
def stream id=1 tid=77
def stream id=2 tid=0 name="GPU" parent=1
def context id=1 parent=0
def context id=2 parent=1
def payload_schema id=16777216 domain="in kernels" detail=[1,24,16,0,[[6144,17,"begin",None,0,0,[[2,1,80]]],[10240,17,"end",None,0,0,[[2,1,80]]]]]
LOG
}
kernels()
{
	cat <<LOG
event 2 0 10000 kernel name="long" dur=10000 context=1 queue=7 corr=1
event 2 1 30000 kernel name="short" dur=2000 context=1 queue=7 corr=2
event 2 2 40000 kernel name="long" dur=10000 context=1 queue=7 corr=3
event 2 3 60000 kernel name="short" dur=2000 context=1 queue=7 corr=4
LOG
}
# The GPU's timer is 1,000,000 ahead. One call has an event in each long kernel; another comes
# directly after the last kernel.
{
	log
	kernels
	echo "event 1 0 55000 call id=4625 domain=\"in kernels\" data=[16777216,48,b\"$(event 1010500 1019500)$(event 1041000 1049900)$(event 1012000 1012000)\",0,0,None,0,0]"
	echo "event 1 1 62100 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event 1060200 1061900)\"]]"
	echo "event 1 2 70000 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event 1040000 1050900)\"]]"
	echo "event 1 3 80000 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event 1000000 1030000)\"]]"
	echo "event 1 4 80100 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event 9223372036854775807 5)\"]]"
	echo "event 1 5 80200 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event -9223372036854775808 9223372036854775807)\"]]"
	# Alone this event could belong to the last kernel. The others show that it belongs to the
	# second.
	echo "event 1 6 81000 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event 1030500 1031500)\"]]"
} | text-log a.bin
analyzer a.bin -o a.json >/dev/null
grep -o '"ph":"[be]".*' a.json
analyzer stats a.bin --format json | grep -o '"unplaced_events":[0-9]*'
echo "Of two devices nothing tells whose timer it was"
{
	log
	kernels
	echo 'event 2 4 70000 kernel name="other" dur=2000 device=1 context=2 queue=7 corr=5'
	echo "event 1 0 80000 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event 1060200 1061900)\"]]"
} | text-log b.bin
analyzer stats b.bin --format json | grep -o '"unplaced_events":[0-9]*'
echo "A graph as a whole has kernels"
{
	log
	echo 'event 2 0 10000 graph_launch dur=10000 context=1 queue=7 corr=1 graph=3'
	echo "event 1 0 80000 call id=4624 domain=\"in kernels\" data=[[16777216,16,0,b\"$(event 1060200 1061900)\"]]"
} | text-log c.bin
analyzer c.bin -o c.json >/dev/null
grep -o '"ph":"[be]".*' c.json

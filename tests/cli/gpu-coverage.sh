# SPDX-License-Identifier: MIT
# The coverage line has GPU time by rule: stack, startend, and none with a call and without
show()
{
	text-log a.bin <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=2 tid=8 name="other"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="outer"
event 1 1 1100 push name="inner"
event 1 2 1200 pop
event 1 3 2000 pop
event 2 0 1000 start name="span" id=1
event 2 1 1500 end id=1
$1
end status="clean"
LOG
	echo "$2:"
	analyzer stats a.bin --report ranges --format csv 2>/dev/null | awk -F, '$11 != 0 { print $1, $10, $11 }'
	analyzer stats a.bin | grep '^gpu:'
	analyzer stats a.bin --format json | grep -o '"operations":.*"process":[0-9]*,"origin":[0-9]*}'
}
inner='event 3 0 1150 api name="launch" dur=9 tid=7 corr=1 kind=1
event 3 1 3000 kernel name="k" dur=300 context=1 queue=7 corr=1'
outer='event 3 2 1200 api name="launch" dur=9 tid=7 corr=2 kind=1
event 3 3 3300 kernel name="k" dur=100 context=1 queue=7 corr=2'
span='event 3 4 1150 api name="launch" dur=9 tid=8 corr=3 kind=1
event 3 5 3400 copy dur=200 context=1 queue=7 corr=3 kind=1 bytes=8'
ended='event 3 6 1500 api name="launch" dur=9 tid=8 corr=4 kind=1
event 3 7 3600 set dur=50 context=1 queue=7 corr=4 kind=3 bytes=8'
no_call='event 3 8 3700 kernel name="k" dur=350 context=1 queue=7 corr=99'
show "$inner
$outer" "stack: innermost range of the thread, not open at its end"
show "$span" "startend: no range on the thread, one in the process"
show "$ended" "none: a call where nothing is open"
show "$no_call" "none: no call"
show "$inner
$outer
$span
$ended
$no_call" "all"

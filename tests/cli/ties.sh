# SPDX-License-Identifier: MIT
# Items that begin when another one begins or ends, two that end at once, the second of two with one number
# Ranges that cross share a row if one begins as the other ends. Arrows lead to work that begins
# with its call. Of two contexts' streams 7 each has a row. Stream 0 is not thread 0, the process.
# The gap comes after the later of two operations that end at once.
text-log a.bin <<'LOG'
capture pid=700 clock="monotonic"
def stream id=1 tid=701 name="main"
def stream id=2 tid=702 name="other"
def stream id=3 parent=1 name="GPU"
def domain id=1 name="one"
def domain id=2 name="two"
event 1 0 1000 push name="a" domain="one"
event 1 1 2000 push name="b" domain="two"
event 1 2 3000 pop domain="one"
event 1 3 3600 push name="c" domain="one"
event 1 4 4000 pop domain="two"
event 1 5 4000 push name="d" domain="two"
event 1 6 5000 pop domain="one"
event 1 7 6000 pop domain="two"
event 3 0 7000 api name="cudaLaunchKernel" dur=100 tid=701 corr=1 kind=1
event 3 1 7200 api name="cudaLaunchKernel" dur=100 tid=702 corr=2 kind=1
event 3 2 7000 kernel name="at once" dur=1000 context=1 queue=7 corr=1
event 3 3 7500 kernel name="other context" dur=500 context=2 queue=7 corr=2
event 3 4 7500 kernel name="default stream" dur=500 device=1 context=3 queue=0 corr=2
event 3 5 9000 kernel name="stray" dur=400 context=1 queue=7 corr=77
end status="clean"
LOG
analyzer a.bin -o - --to perfetto 2>/dev/null | grep -e '"ph":"[Xsf]"' -e thread_name
analyzer stats a.bin -r gaps -f csv 2>/dev/null
# Half a nanosecond is rounded away from 0. A B in a B that has no E either is open.
cat >open.json <<'JSON'
{"traceEvents":[
{"ph":"B","name":"outer","cat":"x","pid":1,"tid":1,"ts":1,"args":{"of":"outer"}},
{"ph":"B","name":"inner","cat":"x","pid":1,"tid":1,"ts":2.0005,"args":{"of":"inner"}},
{"ph":"X","name":"up","cat":"cpu_op","pid":1,"tid":2,"ts":3,"dur":0.0005},
{"ph":"X","name":"down","cat":"cpu_op","pid":1,"tid":2,"ts":4,"dur":0.00049},
{"ph":"X","name":"below 0","cat":"cpu_op","pid":1,"tid":2,"ts":-4.0005,"dur":1.0015e0},
{"ph":"X","name":"last","cat":"cpu_op","pid":1,"tid":1,"ts":9,"dur":1}
]}
JSON
analyzer dump --slices open.json 2>/dev/null
analyzer open.json -o open.sqlite 2>/dev/null
python3 -c 'import sqlite3
for row in sqlite3.connect("open.sqlite").execute("SELECT text, start, end FROM NVTX_EVENTS"):
    print(*row)'
# Losses may say how deep the threads are now, but not open more ranges than the rows that there are, and 16384.
text-log depth.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7
event 1 0 1000 loss cause=ring_full lost=5 span=100
event 1 1 1000 depth depth=16000 min_depth=0
event 1 2 2000 mark name="m"
event 1 3 3000 loss cause=ring_full lost=5 span=100
event 1 4 3000 depth depth=32000 min_depth=0
event 1 5 4000 mark name="m"
event 1 6 5000 loss cause=ring_full lost=5 span=100
event 1 7 5000 depth depth=48000 min_depth=0
event 1 8 6000 mark name="m"
end status="clean"
LOG
analyzer stats depth.bin -r threads | grep 'during a loss'

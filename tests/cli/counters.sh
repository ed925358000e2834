# SPDX-License-Identifier: MIT
# Counters have a track each, groups one for each field, and a report
text-log a.bin <<'LOG'
capture pid=77 clock="monotonic"
def domain id=1 name="d"
def stream id=1 tid=77
def stream id=2 tid=78
def counter id=16777216 name="memory" detail=[17,"bytes\x20in\x20use",0,[[1,1,3],[5,2,0,"MiB",1,1,0,0,0]]]
def payload_schema id=16777217 domain="d" name="group" detail=[1,8,0,0,[[0,15,"used",None,0,0,[[5,2,0,"B",1,1,0,0,0]]],[16,18,"free",None,2,0,None],[2048,17,"when",None,0,0,None],[0,76,"text",None,4,0,None]]]
def counter id=16777218 domain="d" name="pool" detail=[16777217,None,0,None]
event 1 0 1000 sample id=16777216 payload=i64:-3
event 1 1 1010 sample id=16777216 payload=double:2.5
event 1 2 1020 no_sample id=16777216 payload=u64:0
event 1 3 1030 no_sample id=16777216 payload=u64:1
event 1 4 1040 no_sample id=16777216 payload=u64:2
event 1 5 1050 sample id=16777218 domain="d" data=[16777217,36,0,b"\7\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0none"]
event 1 6 1060 sample id=5 domain="d" data=[6,4,0,b"\x09\0\0\0"]
event 2 0 1005 sample id=16777216 payload=i64:7
event 2 1 1065 sample id=5 domain="d" payload=double:0.1
LOG
analyzer a.bin -o a.json >/dev/null
grep -o '"ph":"C".*' a.json
analyzer stats a.bin --report counters
analyzer stats a.bin --report counters --format csv

# SPDX-License-Identifier: MIT
# Batches with invalid data are counted, one each, and reported; an empty batch does not count
text-log a.bin <<'LOG'
capture pid=77 clock="monotonic"
clock ticks=1000 mono=1000 real=5000001000 boot=3000 err=0
def domain id=1 name="d"
def stream id=1 tid=77
def payload_schema id=16777216 domain="d" detail=[1,24,16,0,[[6144,17,"begin",None,0,0,[[2,1,14]]],[10240,17,"end",None,0,0,[[2,1,14]]]]]
event 1 0 5000 call id=4625 domain="d" data=[16777216,32,b"\xe8\x0b\0\0\0\0\0\0\xd0\x0f\0\0\0\0\0\0\xd0\x0f\0\0\0\0\0\0\xb8\x13\0\0\0\0\0\0",0,0,b"",0,0]
event 1 1 5010 call id=4625 domain="d" data=[16777216,0,b"",0,0,b"",0,0]
event 1 2 5020 call id=4625 domain="d" data=7
event 1 3 5030 call id=4625 domain="d" data=[16777216,32]
event 1 4 5040 call id=4625 domain="d" data=[16777216,32,5,0,0,b"",0,0]
event 1 5 5050 call id=4625 domain="d" data=[None,32,b"",0,0,b"",0,0]
event 1 6 5060 call id=4625 domain="d" data=b"\xc1"
event 1 7 5070 call id=4625 domain="d" data=[16777216,32,b"",0,0,b"",0,0]
event 1 8 5080 call id=5125 domain="d" data=[1,0,24]
event 1 9 5090 call id=5125 domain="d" data=[1,None,24,b"",[]]
LOG
analyzer a.bin -o a.json >/dev/null
grep -c '"ph":"b"' a.json
analyzer stats a.bin --format json | grep -o '"unplaced_events":[0-9]*'
analyzer stats -r footer a.bin

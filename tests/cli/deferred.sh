# SPDX-License-Identifier: MIT
# Events and counters that a program submits later are placed by their own times
text-log a.bin <<'LOG'
capture pid=77 clock="monotonic"
clock ticks=1000 mono=1000 real=5000001000 boot=3000 err=0
def domain id=1 name="d"
def stream id=1 tid=77
def time_domain id=16777216 domain="d" detail=[0,12,6,1000000000,3]
def payload_schema id=16777216 domain="d" detail=[1,24,16,0,[[6144,17,"begin",None,0,0,[[2,1,14]]],[10240,17,"end",None,0,0,[[2,1,14]]]]]
def payload_schema id=16777217 domain="d" detail=[1,32,0,0,[[14336,17,"at",None,0,0,[[2,1,16777216]]],[1024,75,"text",None,8,0,None]]]
def payload_schema id=16777218 domain="d" detail=[1,32,0,0,[[14336,17,"at",None,0,0,[[2,1,80]]]]]
def counter id=16777216 domain="d" name="list" detail=[15,None,0,[[2,1,14]]]
def counter id=16777217 domain="d" name="pair" detail=[20,None,0,[[2,1,14]]]
event 1 0 5000 call id=4624 domain="d" data=[[16777216,16,0,b"\xd0\7\0\0\0\0\0\0\xb8\x0b\0\0\0\0\0\0"],[76,3,0,b"and"]]
event 1 1 5010 call id=4625 domain="d" data=[16777217,32,b"\xc8\xfc\5\x2a\1\0\0\0first\0\0\0\x2c\xfd\5\x2a\1\0\0\0second\0\0",0,0,None,0,0]
event 1 2 5020 call id=4624 domain="d" data=[[16777218,8,0,b"\xd0\7\0\0\0\0\0\0"]]
event 1 3 5030 call id=5125 domain="d" data=[16777216,0,8,b"\1\0\0\0\2\0\0\0",[1500,1600]]
event 1 4 5040 call id=5125 domain="d" data=[16777217,8589934592,24,b"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40",[2000,10]]
event 1 5 5050 call id=5125 domain="d" data=[16777217,0,24,b"\0"]
event 1 6 5060 call id=4625 domain="d" data=b"\xc1"
LOG
analyzer a.bin -o a.json >/dev/null
grep -o '"ph":"[beC]".*' a.json
analyzer stats a.bin --report counters --format csv

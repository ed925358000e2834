# SPDX-License-Identifier: MIT
# The program's sync points place events with a GPU's times; without sync points and kernels they are counted
text-log a.bin <<'LOG'
capture pid=77 clock="monotonic"
clock ticks=1000 mono=1000 real=5000001000 boot=3000 err=0
def domain id=1 name="tied"
def domain id=2 name="not tied"
def stream id=1 tid=77
def time_domain id=16777216 domain="tied" detail=[0,80,0,1000000000,0]
def payload_schema id=16777216 domain="tied" detail=[1,24,16,0,[[6144,17,"begin",None,0,0,[[2,1,16777216]]],[10240,17,"end",None,0,0,[[2,1,16777216]]]]]
def payload_schema id=16777216 domain="not tied" detail=[1,24,16,0,[[6144,17,"begin",None,0,0,[[2,1,80]]],[10240,17,"end",None,0,0,[[2,1,80]]]]]
event 1 0 5000 call id=4624 domain="tied" data=[[16777216,16,0,b"\x34\x44\x0f\0\0\0\0\0\xfc\x44\x0f\0\0\0\0\0"]]
event 1 1 5010 call id=4624 domain="tied" data=[[16777216,16,0,b"\x58\x3e\x0f\0\0\0\0\0\xf8\x4d\x0f\0\0\0\0\0"]]
event 1 2 5020 call id=4624 domain="not tied" data=[[16777216,16,0,b"\x34\x44\x0f\0\0\0\0\0\xfc\x44\x0f\0\0\0\0\0"]]
event 1 3 5030 call id=4622 domain="tied" data=[14,16777216,[[3010,1001000]]]
event 1 4 5040 call id=4621 domain="tied" data=[16777216,14,1000000,2000]
event 1 5 5050 call id=4622 domain="tied" data=[14,16777216,7]
event 1 6 5060 call id=4621 domain="tied" data=b"\xc1"
LOG
analyzer a.bin -o a.json >/dev/null
grep -o '"ph":"[be]".*' a.json
analyzer stats a.bin --format json | grep -o '"unplaced_events":[0-9]*'

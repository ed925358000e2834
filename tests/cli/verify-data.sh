# SPDX-License-Identifier: MIT
# verify checks details and data, and finds nothing in correct ones
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7
def payload_schema id=16777216 detail=b"\x91\xc1"
def payload_schema id=16777217 detail=[1,2]
def payload_enum id=16777218 detail=[4,5]
def scope id=16777219 detail="gpu"
def counter id=1 detail=[17,None,0,None]
event 1 0 10 mark data=[[19,4,0,b"\0\0\0\0"]]
event 1 1 20 mark data=b"\x92\1"
event 1 2 20 more data=b"\2"
event 1 3 30 mark data=b"\x92\1"
event 1 4 40 mark
event 1 5 40 more data=b"\2"
event 1 6 50 call id=268 data=5
event 1 7 60 acquire_start id=9
event 1 8 70 mark data=b"\x92\1"
chunk flags=2
event 1 9 70 more data=b"\2"
LOG
analyzer verify a.bin
text-log b.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7
def payload_enum id=16777218 detail=[4,[["A",1,True]]]
def counter id=1 detail=[17,None,0,None]
event 1 0 10 mark data=[[19,4,0,b"\0\0\0\0"]]
event 1 1 20 acquire_start id=9
event 1 2 30 sample id=9 payload=i64:1
chunk flags=6
LOG
analyzer verify b.bin

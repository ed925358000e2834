# SPDX-License-Identifier: MIT
# dump names NVTX's functions, their arguments, and the contents of definitions
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def domain id=1 name="d"
def stream id=1 tid=7
def resource id=3 domain="d" name="lock" detail=[65537,140000000]
def sync_object id=4 domain="d" name="mutex"
def object_name id=94000 parent=262147 name="copies"
def object_name id=7 parent=393999 name="later"
def scope id=16777216 domain="d" name="gpu/queue" detail=[1]
def time_domain id=16777216 domain="d" detail=[16777216,14,6,1000000000,0]
def counter id=16777216 domain="d" name="memory" detail=[17,"bytes\x20in\x20use",0,[[5,2,0,"B",1,1,0,0,0]]]
def type_table id=0 detail=[3,4,1,1]
def payload_enum id=16777217 domain="d" detail=[4,[["A",1,True],[None,2,False]]]
def payload_schema id=16777216 domain="d" detail=b"\xc1"
def counter id=9 domain="d" name="without"
event 1 0 10 call id=268 name="io" data=[5]
event 1 1 20 call id=1301 domain="d"
event 1 2 30 call id=1286 name="lock" domain="d" data=[3,65537,140000000]
event 1 3 40 call id=4352 name="pool" domain="d" data=[1,1,1,0,4096,65536]
event 1 4 50 call id=4355 domain="d" data=[1,1,[[4096,64,2],[8192,None,3]]]
event 1 5 60 call id=4357 domain="d" data=[2,[3,4]]
event 1 6 70 call id=4608 name="schema" domain="d" data=[16777218,1,0,8,0,[[0,17,"value",None,0,0,None]]]
event 1 7 80 call id=4623 data=[1,2,-0.5,-10,20]
event 1 8 90 call id=4624 domain="d" data=[[17,8,0,b"\x05\0\0\0\0\0\0\0"]]
event 1 9 100 call id=4625 domain="d" data=[17,8,b"\x05\0\0\0\0\0\0\0",0,0,None,1,0]
event 1 10 110 call id=9999 domain="d" data=[1,"two",[3,b"\xff"]]
event 1 11 120 call id=4609 domain="d" data=b"\xc1"
event 1 12 130 acquire_start id=4 name="mutex" domain="d"
event 1 13 140 acquire_success id=4 name="mutex" domain="d"
event 1 14 150 releasing id=4 name="mutex" domain="d"
event 1 15 160 sample id=16777216 domain="d" payload=i64:-3
event 1 16 170 sample id=9 domain="d" data=[6,4,0,b"\x07\0\0\0"]
event 1 17 180 no_sample id=9 domain="d" payload=u64:2
LOG
analyzer dump a.bin | sed '/^def/b; /^event/!d'

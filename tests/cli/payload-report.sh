# SPDX-License-Identifier: MIT
# A report shows the values of payload fields
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def domain id=1 name="d"
def stream id=1 tid=7
def payload_enum id=16777217 domain="d" detail=[4,[["SUM",0,False],["MAX",2,False]]]
def payload_schema id=16777216 domain="d" detail=[1,0,0,0,[[0,15,"bytes",None,0,0,None],[0,16777217,"op",None,0,0,None],[16,14,"dims",None,2,0,None],[512,15,"hidden",None,0,0,None]]]
event 1 0 1000 push name="reduce" domain="d" data=[[16777216,16,0,b"\x10\0\0\0\0\0\0\0\1\0\2\0\0\0\0\0"]]
event 1 1 1010 pop domain="d" data=[[19,4,0,b"\0\0\x80\x3f"]]
event 1 2 1020 push name="reduce" domain="d" data=[[16777216,16,0,b"\x30\0\0\0\2\0\0\0\3\0\4\0\0\0\0\0"]]
event 1 3 1030 pop domain="d"
event 1 4 1040 push name="reduce" domain="d" data=[[16777216,16,0,b"\x20\0\0\0\2\0\0\0\5\0\6\0\0\0\0\0"]]
event 1 5 1050 pop domain="d"
event 1 6 1060 mark name="told" data=[[76,3,0,b"yes"]]
event 1 7 1070 mark name="told" data=[[76,2,0,b"no"],[76,3,0,b"yes"]]
event 1 8 1080 mark name="bare"
LOG
analyzer stats a.bin --report payload
analyzer stats a.bin --report payload --format csv
analyzer stats a.bin --report payload --format json

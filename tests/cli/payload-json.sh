# SPDX-License-Identifier: MIT
# Payloads are arguments in JSON: nested, numbered where equal, the pop's in place of the push's
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def domain id=1 name="d"
def stream id=1 tid=7
def registered_string id=77 domain="d" name="registered name"
def payload_schema id=16777216 domain="d" name="s" detail=[1,0,0,0,[[0,15,"a",None,0,0,None],[0,15,"a",None,0,0,None],[0,15,"domain",None,0,0,None],[512,15,"hidden",None,0,0,None]]]
def payload_schema id=16777217 domain="d" name="m" detail=[1,0,0,0,[[0,15,"b",None,0,0,None],[1024,75,"message",None,8,0,None],[0,16777216,"in",None,0,0,None]]]
def payload_schema id=16777218 domain="d" name="r" detail=[1,0,0,0,[[1024,80,"message",None,0,0,None],[0,20,"b",None,0,0,None]]]
event 1 0 1000 push name="named" domain="d" data=[[16777216,16,0,b"\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0"]]
event 1 1 1010 push domain="d" data=[[16777217,28,0,b"\5\0\0\0message\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0"],[15,4,0,b"\7\0\0\0"]]
event 1 2 1020 mark domain="d" data=[[16777218,16,0,b"\x4d\0\0\0\0\0\0\0\0\0\0\0\0\0\xf8\x3f"]]
event 1 3 1030 pop domain="d" data=[[16777218,16,0,b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xe0\x3f"]]
event 1 4 1040 pop domain="d"
event 1 5 1050 start name="span" domain="d" id=5 data=[[76,2,0,b"hi"],[76,2,0,b"ho"]]
event 1 6 1060 end domain="d" id=5 data=[[76,3,0,b"bye"]]
event 1 7 1070 end domain="d" id=6 data=[[76,3,0,b"bye"]]
LOG
analyzer a.bin -o a.json >/dev/null
grep -o '"name".*"ts":.*' a.json

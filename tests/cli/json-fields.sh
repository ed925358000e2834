# SPDX-License-Identifier: MIT
# Facts in names that are made for each call become arguments with PyTorch's names
text-log a.bin <<'LOG'
capture pid=1 clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def domain id=1 name="TSL"
event 1 0 0 push name="aten::mm, seq = 12, op_id = 34, sizes = [[2, 3], [], [[-1], [4]]], input_op_ids = [(12,0)]"
event 1 0 1 pop
event 1 0 2 push name="odd \"op\"\x01, op_id = 99999999999999999999, sizes = [[[[[2]]]]]" category=3
event 1 0 3 pop
event 1 0 4 mark name="a, seq = 007, sizes = [2,,3]"
event 1 0 5 start name="b, op_id = 1, sizes = [01]" id=1
event 1 0 6 end id=1
event 1 0 7 push name="Module:#domain=\"x\",program_id=7,list=[1]#" domain=1 payload=u64:5
event 1 0 8 pop domain=1
event 1 0 9 push name="{'Module': 'layer.0', 'Inputs': [[1, 5], None]}"
event 1 0 10 pop
event 1 0 11 push name="{'Module': 'layer.0', 'Inputs': [[1, 5]]}"
event 1 0 12 pop
LOG
for names in raw normal; do
	analyzer a.bin -o - --names $names >a.json
	python3 - <<'PY'
import json
for event in json.load(open("a.json"))["traceEvents"]:
    if event["ph"] in "Xib":
        print(json.dumps([event["name"], event.get("args")]))
PY
done

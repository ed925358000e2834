# SPDX-License-Identifier: MIT
# What the program did wrong with its ranges does not make its log incomplete
text-log a.bin <<'LOG'
capture tool="text-log" clock="monotonic"
clock ticks=1000000000 mono=1000000000 real=1790000000000000000 boot=1000000000 err=7
def stream id=1 tid=4242 name="main"
event 1 0 1000000000 pop
event 1 1 1000000010 push name="left open"
event 1 2 1000000020 end id=3
event 1 3 1000001040 mark name="end"
LOG
analyzer stats a.bin --strict
analyzer stats a.bin --format json | grep -o '"complete":[a-z]*'

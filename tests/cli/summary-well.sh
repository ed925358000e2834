# SPDX-License-Identifier: MIT
# The summary of a complete log ends with one line that says so
text-log a.bin <<'LOG'
capture tool="text-log" clock="monotonic"
clock ticks=1000000000 mono=1000000000 real=1790000000000000000 boot=1000000000 err=7
def stream id=1 tid=4242 name="main"
event 1 0 1000000000 push name="step"
event 1 1 1000000010 push name="load"
event 1 2 1000000020 pop
event 1 3 1000001040 pop
LOG
analyzer a.bin

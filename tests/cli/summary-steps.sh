# SPDX-License-Identifier: MIT
# The summary with --step-range has these ranges as steps, and says when no range is named so
text-log a.bin <<'LOG'
capture tool="text-log" clock="monotonic"
clock ticks=1000000000 mono=1000000000 real=1790000000000000000 boot=1000000000 err=7
def stream id=1 tid=4242 name="main"
event 1 0 1000000000 push name="compute"
event 1 1 1000000010 push name="load"
event 1 2 1000000020 pop
event 1 3 1000001040 pop
event 1 4 1000002000 push name="compute"
event 1 5 1000005000 pop
LOG
analyzer a.bin --step-range compute | grep -A 4 '^Steps'
analyzer a.bin --step-range nonsense | grep '^Steps'
analyzer stats --help gaps | sed -n '/^  device/,/^  tid/p'

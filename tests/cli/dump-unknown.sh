# SPDX-License-Identifier: MIT
# Rows of kinds that this version does not know are shown by number
text-log a.bin <<'LOG'
pack
capture pid=1 future_key="x"
clock ticks=5 mono=5 real=5 boot=5 err=0
def stream id=1 tid=1
raw 200 "\x80"
event 1 0 5 op46 name="later" id=3
event 1 1 6 mark name=#99 domain=12
LOG
analyzer dump a.bin

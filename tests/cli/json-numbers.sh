# SPDX-License-Identifier: MIT
# Numbers of processes and threads that Perfetto would take for something else are replaced
text-log a.bin <<'LOG'
capture pid=7 exe="/init" clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def stream id=1 tid=0
def stream id=2 tid=7 name="a\"b"
def stream id=3 tid=7 name="other"
event 1 0 10 push name="no tid"
event 1 1 20 pop
event 2 0 10 push name="first"
event 2 1 20 pop
event 3 0 15 push name="same tid at the same time"
event 3 1 25 pop
LOG
analyzer a.bin -o - --to perfetto | no_version

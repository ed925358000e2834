# SPDX-License-Identifier: MIT
# Waits for sync objects are ranges of their own kind, and a report lists the objects
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def domain id=1 name="d"
def stream id=1 tid=7
def stream id=2 tid=8
def sync_object id=1 domain="d" name="mutex"
event 1 0 1000 push name="step"
event 1 1 1010 acquire_start id=1 domain="d"
event 1 2 1015 push name="inside" domain="d"
event 1 3 1020 pop domain="d"
event 1 4 1030 acquire_success id=1 domain="d"
event 1 5 1040 acquire_start id=2 name="other" domain="d"
event 1 6 1045 acquire_failed id=2 name="other" domain="d"
event 1 7 1050 releasing id=1 domain="d"
event 1 8 1060 pop
event 1 9 1070 acquire_start id=9
event 2 0 1000 acquire_success id=1 domain="d"
event 2 1 1010 acquire_start id=1 domain="d"
event 2 2 1020 acquire_start id=2 domain="d"
event 2 3 1030 acquire_success id=1 domain="d"
event 2 4 1040 acquire_success id=2 domain="d"
event 2 5 1050 releasing id=2 domain="d"
event 2 6 1060 acquire_start id=1 domain="d"
event 2 7 1070 loss lost=3 cause=ring_full span=10
event 2 8 1090 releasing id=1 domain="d"
LOG
analyzer a.bin -o a.json >/dev/null
grep -o '"cat".*"ts":.*' a.json
analyzer stats a.bin --report sync --format csv
analyzer stats a.bin --report ranges --format csv 2>/dev/null

# SPDX-License-Identifier: MIT
# The name of one report may be the beginning of another's, and a dash may be written _
text-log a.bin <<'LOG'
capture pid=77 clock="monotonic"
clock ticks=1000 mono=1000 real=5000001000 boot=3000 err=0
def stream id=1 tid=77
event 1 0 5000 push name="a"
event 1 1 6000 pop
LOG
for name in idle idle-streams idle_streams ranges gpu-sync gpu_sync; do
	analyzer stats -r $name --format csv a.bin 2>/dev/null | head -n 1
done
analyzer stats -r idle- a.bin

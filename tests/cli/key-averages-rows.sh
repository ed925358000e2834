# SPDX-License-Identifier: MIT
# key_averages of a log: start/end ranges have no share, steps are one row, ranges_step() has the work that it launched
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 step payload=u64:0
event 1 1 1000 push name="ProfilerStep#0"
event 1 2 1010 start name="request" range_id=1
event 1 3 1500 pop
event 1 4 1600 step payload=u64:1
event 1 5 1600 push name="ProfilerStep#1"
event 1 6 2000 pop
event 1 7 2000 push name="request"
event 1 8 2100 pop
event 1 9 2200 step_end
event 1 10 9000 end range_id=1
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1700 api name="cudaLaunchKernel" dur=100 tid=7 corr=2 kind=1
event 3 2 3000 api name="cudaLaunchKernel" dur=100 tid=7 corr=3 kind=1
event 3 3 1300 kernel name="k" dur=500 context=1 queue=7 corr=1
event 3 4 2200 kernel name="k" dur=30 context=1 queue=7 corr=2
event 3 5 3200 kernel name="k" dur=7 context=1 queue=7 corr=3
end status="clean"
LOG
analyzer stats a.bin --report key_averages
analyzer stats a.bin --report key_averages --format csv 2>/dev/null
analyzer stats a.bin --report key_averages --format torch 2>/dev/null
analyzer stats a.bin --report ranges --format csv 2>/dev/null

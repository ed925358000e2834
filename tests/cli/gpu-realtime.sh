# SPDX-License-Identifier: MIT
# GPU records with times of the system's clock, as before CUDA 11.6, while that clock is set
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
clock ticks=1000000000 mono=1000000000 real=1790000001000000000 boot=1000000000 err=7
clock ticks=2000000000 mono=2000000000 real=1790000002000000000 boot=2000000000 err=7
clock ticks=3000000000 mono=3000000000 real=1790003603000000000 boot=3000000000 err=7
clock ticks=4000000000 mono=4000000000 real=1790003604000000000 boot=4000000000 err=7
clock ticks=5000000000 mono=5000000000 real=1790000005000000000 boot=5000000000 err=7
clock ticks=6000000000 mono=6000000000 real=1790000006000000000 boot=6000000000 err=7
def stream id=1 tid=7 name="main"
def stream id=3 parent=2 name="GPU"
event 1 0 1200000000 push name="before"
event 1 1 1800000000 pop
event 1 2 3200000000 push name="an hour later"
event 1 3 3800000000 pop
event 3 0 1790000001500000000 api name="cudaLaunchKernel" dur=50 tid=7 corr=1 kind=1
event 3 1 1790003603500000000 api name="cudaLaunchKernel" dur=50 tid=7 corr=2 kind=1
event 3 2 1790000001600000000 kernel name="one" dur=1000 context=1 queue=7 corr=1
event 3 3 1790003603600000000 kernel name="two" dur=1000 context=1 queue=7 corr=2
end status="clean"
LOG
analyzer stats a.bin

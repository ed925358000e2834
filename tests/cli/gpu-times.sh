# SPDX-License-Identifier: MIT
# GPU records with impossible times are counted, and the others keep theirs; names of kernels are complete in a pipe
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def device id=0 name="GPU"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU" val=1
event 1 0 1000 push name="all"
event 1 1 40000 pop
event 3 0 0 kernel name="never" dur=0 device=0 context=1 queue=7 corr=5
event 3 1 2000 api name="cudaLaunchKernel" tid=7 dur=1000 kind=1 corr=1
event 3 2 4000 kernel name="void cutlass::Kernel<float, 64>(Params)" dur=7000 device=0 context=1 queue=7 corr=1
event 3 3 5000 kernel name="endless" dur=9000000000000000000 device=0 context=1 queue=7 corr=4
event 3 4 2305843009213693951 kernel name="late" dur=1 device=0 context=1 queue=7 corr=2
event 3 5 9000000000000000000 kernel name="later" dur=7000 device=0 context=1 queue=7 corr=3
event 3 6 18000000000000000000 kernel name="before" dur=7000 device=0 context=1 queue=7 corr=6
event 3 7 18446744073709551615 kernel name="last" dur=7000 device=0 context=1 queue=7 corr=7
end status="clean"
LOG
analyzer stats a.bin --report kernels --format csv
analyzer stats a.bin --report kernels | tail -n 3
analyzer a.bin | grep -A 9 '^Kernels'

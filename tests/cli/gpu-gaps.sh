# SPDX-License-Identifier: MIT
# gaps and idle: why a GPU had nothing to do, and what the CPU did meanwhile
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
def device id=0 name="busy" detail=[9,0,100]
def device id=1 name="unused" detail=[9,0,100]
event 1 0 1000 push name="step"
event 1 1 21000 push name="alloc"
event 1 2 35000 pop
event 1 3 36000 push name="think"
event 1 4 38000 pop
event 1 5 41000 push name="think"
event 1 6 43000 pop
event 1 7 50000 pop
event 1 8 200000 mark name="end"
event 3 0 2000 api name="cudaLaunchKernel" dur=500 tid=7 corr=1 kind=1
event 3 1 3000 api name="cudaLaunchKernel" dur=500 tid=7 corr=2 kind=1
event 3 2 22000 api name="cudaMalloc" dur=10000 tid=7 corr=3 kind=1
event 3 3 22100 api name="cuMemAlloc_v2" dur=9000 tid=7 corr=3 kind=2
event 3 4 33000 api name="cudaLaunchKernel" dur=500 tid=7 corr=4 kind=1
event 3 5 34000 api name="cudaLaunchKernel" dur=500 tid=7 corr=5 kind=1
event 3 6 60000 api name="cudaStreamSynchronize" dur=80000 tid=7 corr=6 kind=1
event 3 7 5000 kernel name="a" dur=5000 context=1 queue=7 corr=1
event 3 8 12000 kernel name="b" dur=8000 context=1 queue=7 corr=2
event 3 9 36000 kernel name="c" dur=4000 context=1 queue=7 corr=4
event 3 10 38000 kernel name="d" dur=8000 context=1 queue=8 corr=4
event 3 11 100000 kernel name="e" dur=1000 context=1 queue=8 corr=5
end status="clean"
LOG
# Device 0 is busy 5000-10000, 12000-20000, 36000-46000, 100000-101000 of 1000-200000.
analyzer stats a.bin --report gaps,idle,devices
analyzer stats a.bin --report gaps,idle,idle-streams --format csv 2>/dev/null
analyzer stats a.bin --report gaps --limit 1

# Queued: the launches of b and c return long before their kernels begin, b's in the gap, c's before
# it. d's kernel begins soon after its call, e's after less than half of the gap. f's call ends with
# its work.
text-log queued.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
def device id=0 name="busy" detail=[9,0,100]
event 1 0 500 mark name="begin"
event 1 1 3000000 mark name="end"
event 3 0 1000 api name="cudaLaunchKernel" dur=500 tid=7 corr=1 kind=1
event 3 1 110000 api name="cudaLaunchKernel" dur=500 tid=7 corr=2 kind=1
event 3 2 310000 api name="cudaLaunchKernel" dur=500 tid=7 corr=3 kind=1
event 3 3 900000 api name="cudaLaunchKernel" dur=500 tid=7 corr=4 kind=1
event 3 4 1500000 api name="cudaLaunchKernel" dur=500 tid=7 corr=5 kind=1
event 3 5 1610000 api name="cudaMemcpyAsync" dur=500000 tid=7 corr=6 kind=1
event 3 6 5000 kernel name="a" dur=95000 context=1 queue=7 corr=1
event 3 7 300000 kernel name="b" dur=20000 context=1 queue=7 corr=2
event 3 8 500000 kernel name="c" dur=20000 context=1 queue=7 corr=3
event 3 9 905000 kernel name="d" dur=10000 context=1 queue=7 corr=4
event 3 10 1600000 kernel name="e" dur=20000 context=1 queue=7 corr=5
event 3 11 2100000 kernel name="f" dur=10000 context=1 queue=7 corr=6
end status="clean"
LOG
analyzer stats queued.bin --report gaps,idle --format csv 2>/dev/null | sed -E 's|^([0-9]+,[0-9]+,[0-9]+,[a-z ]*),.*,|\1: |'

# SPDX-License-Identifier: MIT
# temporal, overlap, kernel-types, queue, bandwidth, idle: of one file, of several, of a folder
mkdir run
for rank in 1 0; do
	text-log run/$((1 - rank)).bin <<LOG
capture pid=7 clock="monotonic" rank=$rank
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 3 0 1000 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=2 kind=1
event 3 2 1200 api name="cudaMemcpyAsync" dur=100 tid=7 corr=3 kind=1
event 3 3 1300 api name="cudaMemcpyAsync" dur=100 tid=7 corr=4 kind=1
event 3 4 2000 kernel name="matmul" dur=1000 context=1 queue=7 corr=1
event 3 5 2500 kernel name="ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)" dur=1000 context=1 queue=8 corr=2
event 3 6 3250 copy dur=500 context=1 queue=9 corr=3 kind=1 bytes=1000
event 3 7 3750 copy dur=250 context=1 queue=9 corr=4 kind=1 bytes=1000
event 3 8 $((5000 + 1000 * rank)) copy dur=0 context=1 queue=9 corr=98 kind=1 bytes=1000
event 3 9 900 set dur=10 context=1 queue=9 corr=1 bytes=100
end status="clean"
LOG
done
analyzer stats run/0.bin --report temporal,overlap,kernel-types,queue,bandwidth
analyzer stats run/0.bin run/1.bin --report temporal,overlap --format csv 2>/dev/null
analyzer stats run --report temporal --format json | head -n 3
analyzer stats run --report idle,idle-streams --set idle-delay=0.1 --format csv 2>/dev/null
analyzer stats run --report temporal,kernels

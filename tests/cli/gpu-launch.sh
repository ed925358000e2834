# SPDX-License-Identifier: MIT
# launch-sum and launch: call, queue and run of GPU work; a kernel before its call has no negative delay
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 9000 pop
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1300 api name="cudaLaunchKernel" dur=100 tid=7 corr=2 kind=1
event 3 2 1500 api name="cudaLaunchKernel" dur=100 tid=7 corr=3 kind=1
event 3 3 1700 api name="cudaGraphLaunch" dur=300 tid=7 corr=4 kind=1
event 3 4 1700 kernel name="_ZN1a3addIiEEvPT_" dur=500 context=1 queue=7 corr=1
event 3 5 2200 kernel name="_ZN1a3addIfEEvPT_" dur=500 context=1 queue=7 corr=2
event 3 6 1490 kernel name="early" dur=50 context=1 queue=8 corr=3
event 3 7 1540 kernel name="inside" dur=50 context=1 queue=8 corr=3
event 3 8 3000 kernel name="early" dur=50 context=1 queue=8 corr=4 graph=5 node=77
event 3 9 3050 set dur=10 context=1 queue=8 corr=4 graph=5 node=78 bytes=64
event 3 10 4000 graph_launch dur=1000 context=1 queue=9 corr=4 graph=6
event 3 11 5000 copy dur=10 context=1 queue=9 corr=99 kind=2 bytes=8
end status="clean"
LOG
analyzer stats a.bin --report launch-sum
analyzer stats a.bin --report launch-sum --format csv 2>/dev/null
analyzer stats a.bin --report launch --kernel-name short
for form in full short base mangled; do
	analyzer stats a.bin --report kernels,launch-sum --kernel-name $form --format csv 2>/dev/null |
		grep -o '^[^,]*add[^,]*,[^,]*,[^,]*,'
done
analyzer stats a.bin --report kernels --kernel-name long 2>&1 | head -n 2

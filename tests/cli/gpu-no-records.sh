# SPDX-License-Identifier: MIT
# graphs, gpu-sync, devices: if records of graphs and waits are missing, the calls replace them
show()
{
	text-log a.bin <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 11000 pop
$1
end status="clean"
LOG
	analyzer stats a.bin --report graphs,gpu-sync,devices
}
launches='event 3 0 1100 api name="hipGraphLaunch" dur=100 tid=7 corr=1 kind=1
event 3 1 1300 api name="hipGraphLaunch" dur=100 tid=7 corr=2 kind=1'
show "$launches
event 3 2 2000 kernel name=\"k\" dur=1000 context=1 queue=7 corr=1
event 3 3 3000 kernel name=\"k\" dur=500 context=1 queue=7 corr=1
event 3 4 4000 set dur=500 context=1 queue=7 corr=2 kind=3 bytes=8
event 3 5 1500 api name=\"cudaDeviceSynchronize\" dur=3000 tid=7 corr=3 kind=1
event 3 6 1500 api name=\"cuCtxSynchronize\" dur=2900 tid=7 corr=4 kind=2
event 3 7 4600 api name=\"cudaStreamSynchronize\" dur=10 tid=7 corr=5 kind=1
event 3 8 4700 api name=\"cudaEventSynchronize\" dur=20 tid=7 corr=6 kind=1"
show "$launches"

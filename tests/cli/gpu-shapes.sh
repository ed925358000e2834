# SPDX-License-Identifier: MIT
# devices and gpu: estimates from launch shapes only if most shapes are known, and the share of known ones
show()
{
	text-log a.bin <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
def device id=0 name="GPU Zero" detail=[9,0,100,32,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]
def device id=1 name="left alone" detail=[9,0,100,32,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]
def launch_shape id=1 detail=[50,1,1,256,1,1,0,0,0,32,0,0,0,0,0,0]
event 1 0 1000 push name="step"
event 1 1 11000 pop
event 3 0 2000 kernel name="shape" dur=1000 context=1 queue=7 corr=1 shape=1
event 3 1 3000 kernel name="no shape" dur=$1 context=1 queue=7 corr=2
end status="clean"
LOG
	analyzer stats a.bin --report devices,gpu
	analyzer stats a.bin --report devices,gpu --format json | grep -o '"est_[^,]*\|"launch_shape[^,]*'
}
show 500
show 3000

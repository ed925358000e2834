# SPDX-License-Identifier: MIT
# devices: unions of what ran on each GPU, estimates from launch shapes, waits by device
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
def device id=0 name="GPU Zero" detail=[9,0,100,32,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]
def device id=1 name="GPU One" detail=[8,0,100,32,64,32,1024,65536,65536,167936,49152,166912,1024,0,0,0]
def launch_shape id=1 detail=[50,1,1,256,1,1,0,0,0,32,0,0,0,0,0,0]
def launch_shape id=2 detail=[100,2,1,1024,1,1,0,0,0,32,0,102400,0,0,1,0]
event 1 0 1000 push name="step"
event 1 1 11000 pop
event 3 0 2000 kernel name="half" dur=1000 device=0 context=1 queue=7 corr=1 shape=1
event 3 1 2500 kernel name="half" dur=1000 device=0 context=1 queue=8 corr=2 shape=1
event 3 2 4000 kernel name="shared" dur=2000 device=0 context=1 queue=7 corr=3 shape=2
event 3 3 5000 copy dur=2000 device=0 context=1 queue=9 corr=4 kind=1 bytes=65536 src=1 dst=3
event 3 4 7000 set dur=500 device=0 context=1 queue=9 corr=5 kind=3 bytes=4096
event 3 5 9000 kernel name="no shape" dur=1000 device=1 context=2 queue=7 corr=6
event 3 6 10000 graph_launch dur=500 device=1 context=2 queue=7 corr=7 graph=3
event 3 7 3000 gpu_sync dur=600 context=1 queue=7 corr=8 kind=3
event 3 8 6000 gpu_sync dur=1600 context=1 queue=4294967295 corr=9 kind=4
event 3 9 9000 gpu_sync dur=10 context=2 queue=7 corr=10 kind=2
event 3 10 9100 gpu_sync dur=1000 context=2 queue=7 corr=11 kind=1
end status="clean"
LOG
# In 10000 ns GPU 0 runs 2000-3500 and 4000-7500, kernels 2000-3500 and 4000-6000. Half of its
# multiprocessors are in use for 1000, all for 2500: 30 %. Occupancy: half 0.5 x 256 / 2048, shared
# 2 x 1024 / 2048.
analyzer stats a.bin --report devices
analyzer stats a.bin --report devices --format json | sed -n '/^"devices/,/\]/p'
analyzer stats a.bin --report devices --format csv
# The summary has GPUs, kernels and copies if there are any.
analyzer a.bin | sed -n '/^GPUs by kind/,/^gpu/p'

# SPDX-License-Identifier: MIT
# GPUs in Perfetto's JSON: calls nest among ranges, streams have rows, arrows lead from call to operation
text-log a.bin <<'LOG'
capture pid=700 clock="monotonic"
def stream id=1 tid=701 name="main"
def stream id=2 tid=702 name="loader"
def stream id=3 parent=1 name="GPU"
def device id=0 name="NVIDIA Test" detail=[9,0,100,32,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]
def launch_shape id=1 detail=[1000,1,1,256,1,1,0,0,0,32,1024,60000,0,0,0,0]
def object_name id=4660 parent=262147 name="copies"
def object_id id=4660 parent=262147 val=13
def object_name id=0 parent=327680 name="left"
def object_id id=0 parent=327680 val=0
event 1 0 1000 push name="step"
event 1 1 1100 push name="forward"
event 1 2 1900 pop
event 1 3 2000 push name="step"
event 1 4 2900 pop
event 1 5 3000 pop
event 2 0 1000 start name="load" id=9
event 2 1 5000 end id=9
event 3 0 1150 api name="cudaLaunchKernel" dur=50 tid=701 corr=1 kind=1
event 3 1 1160 api name="cuLaunchKernel" dur=30 tid=701 corr=1 kind=2
event 3 2 1950 api name="cudaLaunchKernel" dur=100 tid=701 corr=2 kind=1
event 3 3 2100 api name="cudaLaunchKernel" dur=50 tid=701 corr=3 kind=1
event 3 3 2890 api name="cudaStreamSynchronize" dur=50 tid=701 corr=30 kind=1 result=1
event 3 4 1500 api name="cudaMemcpyAsync" dur=500 tid=702 corr=4 kind=1
event 3 5 6000 api name="cudaMemsetAsync" dur=10 tid=702 corr=5 kind=1 result=1
event 3 5 500 api name="cuInit" dur=100 tid=703 corr=6 kind=2
event 3 6 2000 kernel name="_Z4gemmPfS_S_i" dur=1000 context=1 queue=7 corr=1 shape=1
event 3 7 2500 kernel name="_Z4gemmPfS_S_i" dur=2000 context=1 queue=7 corr=2 shape=1
event 3 8 5000 kernel name="relu" dur=500 context=1 queue=7 corr=3
event 3 8 5000 kernel name="relu\"x" dur=0 context=1 queue=7 corr=3
event 3 8 2095 kernel name="early" dur=5 context=1 queue=8 corr=3 graph=4 node=8
event 3 8 2095 graph_launch dur=5 context=1 queue=8 corr=3 graph=4
event 3 9 2000 copy dur=4000 context=1 queue=13 corr=4 kind=1 bytes=65536 src=1 dst=3
event 3 9 9000 copy dur=40 context=1 queue=13 corr=4 kind=10 bytes=65536 src=1 dst=2
event 3 10 7000 set dur=100 context=1 queue=13 corr=5 kind=3 bytes=4096
event 3 11 8000 kernel name="stray" dur=400 device=1 context=2 queue=7 corr=77
event 3 12 0 kernel name="untimed" context=1 queue=7 corr=3
event 3 13 2890 gpu_sync dur=50 context=1 queue=7 corr=30 kind=3
event 3 13 2895 gpu_sync dur=50 context=1 queue=7 corr=30 kind=3
event 3 13 2890 gpu_sync dur=50 context=1 queue=4294967295 corr=30 kind=4
event 3 14 400 overhead dur=50 kind=65536 tid=701
event 3 14 420 overhead dur=50 kind=393216 corr=5
end status="clean"
LOG
analyzer a.bin -o a.json
no_version <a.json
analyzer dump --slices a.bin
analyzer stats a.bin --report projection
analyzer stats a.bin --report projection,projection-devices --format csv

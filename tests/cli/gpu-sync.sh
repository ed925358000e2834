# SPDX-License-Identifier: MIT
# gpu-sync, memory, graphs, overhead: waits by kind and range, peaks by pool, launches of graphs
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 4000 pop
event 1 2 5000 push name="step"
event 1 3 9000 pop
event 3 0 1100 api name="cudaStreamSynchronize" dur=900 tid=7 corr=1 kind=1
event 3 1 5100 api name="cudaStreamSynchronize" dur=500 tid=7 corr=2 kind=1
event 3 2 9100 api name="cudaDeviceSynchronize" dur=400 tid=7 corr=3 kind=1
event 3 3 1200 gpu_sync dur=800 context=1 queue=7 corr=1 kind=3
event 3 4 5200 gpu_sync dur=401 context=1 queue=7 corr=2 kind=3
event 3 5 9100 gpu_sync dur=400 context=1 queue=4294967295 corr=3 kind=4
event 3 6 9600 gpu_sync dur=10 context=1 queue=7 corr=99 kind=1
event 3 7 5600 gpu_sync dur=20 context=1 queue=7 corr=2 kind=2
event 3 8 2000 memory kind=1 bytes=1000 addr=4096 device=0 context=1 corr=10 src=3
event 3 9 2100 memory kind=1 bytes=500 addr=8192 device=0 context=1 corr=11 src=3
event 3 10 2200 memory kind=2 bytes=1000 addr=4096 device=0 context=1 corr=12 src=3
event 3 11 2200 memory kind=1 bytes=600 addr=4096 device=0 context=1 corr=13 src=3
event 3 12 2300 memory kind=2 bytes=7 addr=77 device=0 context=1 corr=14 src=3
event 3 13 2400 memory kind=1 bytes=64 addr=16384 device=1 context=2 corr=15 src=2
event 3 14 2500 memory kind=2 bytes=64 addr=16384 device=1 context=2 corr=16 src=2
event 3 15 3000 kernel name="k" dur=100 context=1 queue=7 corr=20 graph=5 node=1
event 3 16 3100 copy dur=40 context=1 queue=7 corr=20 graph=5 node=2 kind=8 bytes=8
event 3 17 3200 kernel name="k" dur=60 context=1 queue=7 corr=21 graph=5 node=1
event 3 18 3300 graph_launch dur=1000 context=1 queue=7 corr=22 graph=6
event 3 19 100 overhead dur=300 kind=1 tid=7
event 3 20 500 overhead dur=200 kind=327680
event 3 21 800 overhead dur=100 kind=327680
event 3 22 900 overhead dur=1 kind=999
end status="clean"
LOG
analyzer stats a.bin --report sync
analyzer stats a.bin --report sync,gpu-sync,memory,op-memory,graphs,overhead --format csv 2>/dev/null
analyzer stats a.bin --report gpu-sync --format json | sed -n '/^"gpu-sync/,/\]/p'

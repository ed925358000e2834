# SPDX-License-Identifier: MIT
# --compat=hta: times with a fraction are rounded inwards, the last step is left out unless kept
cat >a.json <<'JSON'
{"distributedInfo":{"rank":3},"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"ts":0,"args":{"name":"python"}},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":100.5,"dur":99.0},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":200.0,"dur":100.0},
{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":105.0,"dur":50.0},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":110.0,"dur":5.0,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":120.0,"dur":5.0,"args":{"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":190.0,"dur":5.0,"args":{"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":210.0,"dur":5.0,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"matmul","pid":0,"tid":7,"ts":130.25,"dur":20.5,"args":{"stream":7,"correlation":1}},
{"ph":"X","cat":"kernel","name":"ncclKernel_AllReduce","pid":0,"tid":9,"ts":145.0,"dur":20.0,"args":{"stream":9,"correlation":2}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Pinned)","pid":0,"tid":7,"ts":196.0,"dur":4.0,"args":{"stream":7,"correlation":3,"memory bandwidth (GB/s)":2.5}},
{"ph":"X","cat":"kernel","name":"late","pid":0,"tid":7,"ts":220.0,"dur":20.0,"args":{"stream":7,"correlation":4}}]}
JSON
all=temporal,overlap,kernel-types,breakdown,annotations,idle,idle-gaps,queue,bandwidth,launch,launch-outliers
analyzer stats a.json --compat=hta --report $all --format csv
analyzer stats a.json --compat=hta --report sequences --set op-kernels=1 --format csv
analyzer stats a.json --compat=hta --report temporal,launch --set last-step=1 --set memory=0 --format csv
# HTA cannot read a log of ours.
write_small a.bin
analyzer stats a.bin --compat=hta --report temporal,annotations,stragglers

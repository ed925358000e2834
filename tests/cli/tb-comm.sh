# SPDX-License-Identifier: MIT
# --compat=tb: the mean of transfer and wait is over the steps with communication, other means over all
# $1: the rank. The second of its two steps has a collective, for which rank 0 comes later.
write_rank()
{
	cat <<JSON
{"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":$1,"world_size":2},"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":1000,"dur":1000},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":2000,"dur":1000},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1010,"dur":50},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1020,"dur":10,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":1100,"dur":100,"args":{"device":$1,"stream":7,"correlation":1}},
{"ph":"X","cat":"cpu_op","name":"nccl:all_reduce","pid":1,"tid":1,"ts":2075,"dur":80,"args":{"Input Dims":[[1000]],"Input type":["float"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":2080,"dur":10,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)","pid":0,"tid":20,"ts":$((2300 - 100 * $1)),"dur":$((100 + 100 * $1)),"args":{"device":$1,"stream":20,"correlation":2}}
]}
JSON
}
write_rank 0 >0.json
write_rank 1 >1.json
analyzer stats --compat=tb -r comm,comm-steps -f csv 0.json 1.json

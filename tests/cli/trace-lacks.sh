# SPDX-License-Identifier: MIT
# Facts that a trace lacks are named: launches after collectives, tensor cores, ranks, waits, sizes; the reader of input
# $1: the rank, which comes 20 us later than the one before. After 100 us of reading input it
# multiplies on the GPU.
write_rank()
{
	cat <<JSON
{"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":$1,"world_size":16},"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1000,"dur":50},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1010,"dur":10,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"ampere_sgemm_128x64_nn","pid":0,"tid":7,"ts":1030,"dur":20,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__","pid":1,"tid":1,"ts":1060,"dur":100},
{"ph":"X","cat":"cuda_runtime","name":"cudaStreamWaitEvent","pid":1,"tid":1,"ts":1170,"dur":2,"args":{"correlation":5}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1180,"dur":10,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"triton__0d1d2d","pid":0,"tid":7,"ts":1200,"dur":20,"args":{"device":0,"stream":7,"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1210,"dur":10,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)","pid":0,"tid":20,"ts":$((1300 + 20 * $1)),"dur":$((100 - 20 * $1)),"args":{"device":0,"stream":20,"correlation":3}},
{"ph":"X","cat":"kernel","name":"$2","pid":0,"tid":7,"ts":1400,"dur":30,"args":{"device":0,"stream":7,"correlation":99}}
]}
JSON
}
write_rank 0 'void gemv2T_kernel_val<int, int, float, float>(float)' >0.json
write_rank 1 'ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_nn' >1.json
grep -v -e sgemm -e triton__ 1.json >tensor.json
analyzer stats -r overlap,idle,kernels,footer,launch-sum 0.json
# with two ranks, whose collective ends at the same time, a part of it is waiting
analyzer stats -r overlap,footer 0.json 1.json
# all matrix kernels use tensor cores; the CPU read no input for the GPU
analyzer stats -r kernels,idle tensor.json
analyzer why 0.json | grep '^lacks'

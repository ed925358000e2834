#!/bin/sh
# SPDX-License-Identifier: MIT
# Each rule of the report "advice" holds where it should, tells its evidence and place, and is
# silent where it should be.
. "${0%/*}/lib.sh"
need_temp
# shellcheck source=kineto/trace.sh
. "$test_dir/kineto/trace.sh"

# row RULE [FIELDS]: the rule's row, or fields of it: 1 rule, value, threshold, unit, device, tid,
# 7 count, total, start, longest, 11 evidence, advice.
row()
{
	csv advice | grep "^$1," | cut -d, -f"${2:-1-10}"
}

# A day on which everything is as it should be.
{
	event user_annotation 'ProfilerStep#1' 0 100
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 0 5
	event user_annotation DistributedDataParallel.forward 5 15
	event user_annotation nccl:all_reduce 10 5
	call cudaMemcpyAsync 1 2 1
	gpu gpu_memcpy 'Memcpy HtoD (Pinned -> Device)' 3 6 1
	call cudaMemcpy 8 1 8
	gpu gpu_memcpy 'Memcpy DtoD (Device -> Device)' 8 1 8
	call cudaMemset 9 1 9
	gpu gpu_memset 'Memset (Device)' 9 1 9
	call cudaLaunchKernel 5 2 2
	gpu kernel 'ampere_fp16_s16816gemm' 10 80 2
	call cudaLaunchKernel 12 2 3
	gpu kernel ncclDevKernel_AllReduce 40 50 3
	call cudaDeviceSynchronize 95 5 4
	echo ',{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":5,"s":"t","args":{"Device Type":1,"Device Id":0,"Bytes":900,"Total Allocated":900}}'
} | write '"distributedInfo":{"backend":"nccl","rank":0,"world_size":2},'
is "$(csv advice)" "" "a trace in which all is well has no advice: no rule holds at its threshold"

# The plugin's rules.
{
	event user_annotation 'ProfilerStep#1' 0 100
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 0 4
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 50 6
} | write
is "$(row dataloader 1-11)" \
	"dataloader,0.10000000000000001,0.050000000000000003,of steps,,1,2,10000,50000,6000,enumerate(DataLoader)#_X.__next__ (2 times)" \
	"dataloader: loading of data takes over 5 % of the steps"
{
	event user_annotation 'ProfilerStep#1' 0 100
	call cudaLaunchKernel 5 2 2
	gpu kernel gemm 10 70 2
	call cudaLaunchKernel 12 2 3
	gpu kernel ncclDevKernel_AllReduce 75 25 3
} | write
is "$(row communication 1-11)" \
	"communication,0.20000000000000001,0.10000000000000001,of steps,0,1,1,25000,75000,25000,ncclDevKernel_AllReduce (1 time)" \
	"communication: over 10 % of the steps is communication that no kernel hides"

{
	event user_annotation 'ProfilerStep#1' 0 100
	event cpu_op DataParallel.forward 10 80
	call cudaLaunchKernel 12 2 2
	gpu kernel gemm 20 70 2
	call cudaLaunchKernel 15 2 3
	gpu kernel gemm 20 70 3 1
} | write
is "$(row data_parallel 1-11)" \
	"data_parallel,2,1,GPUs,,1,1,80000,10000,80000,DataParallel.forward (1 time)" \
	"data_parallel: DataParallel on two GPUs"
sed 's/"device":1/"device":0/' "$trace" >"$temp/one" && mv "$temp/one" "$trace"
is "$(row data_parallel)" "" "data_parallel: not on one"

ddp()
{
	event user_annotation 'ProfilerStep#1' 0 100
	event cpu_op DistributedDataParallel.forward 10 80
	call cudaLaunchKernel 12 2 2
	gpu kernel gemm 20 70 2
}
ddp | write '"distributedInfo":{"backend":"gloo","rank":0,"world_size":2},'
is "$(row nccl 1-11)" "nccl,,,,,1,1,80000,10000,80000,backend gloo" "nccl: ranks with GPUs talk by another backend"
{
	ddp
	event user_annotation gloo:all_reduce 30 5
	event user_annotation gloo:all_reduce 40 9
} | write
is "$(row nccl 6-11)" "1,2,14000,40000,9000,gloo:all_reduce and the like" \
	"nccl: ranges of gloo tell it where the trace says nothing of the backend"
ddp | write '"distributedInfo":{"backend":"gloo","rank":0,"world_size":2},' 3
is "$(row nccl)" "" "nccl: not for GPUs that cannot"
ddp | write '"distributedInfo":{"backend":"cpu:gloo,cuda:nccl","rank":0,"world_size":2},'
is "$(row nccl)" "" "nccl: not where the backend for GPUs is NCCL"
ddp | write
is "$(row nccl)" "" "nccl: not where nothing is known of the backend"
{
	event user_annotation 'ProfilerStep#1' 0 100
	event user_annotation gloo:all_reduce 30 5
} | write '"distributedInfo":{"backend":"gloo","rank":0,"world_size":2},'
is "$(row nccl)" "" "nccl: not without GPUs"

{
	event user_annotation 'ProfilerStep#1' 0 100
	call cudaLaunchKernel 12 2 2
	gpu kernel gemm 20 20 2
	gpu kernel gemm 70 20 3
} | write
is "$(row low_gpu_utilization 1-11)" \
	"low_gpu_utilization,0.40000000000000002,0.5,of window,0,,3,60000,40000,30000,2 stretches with kernels" \
	"low_gpu_utilization: kernels in under half of the window, and the longest time without"

{
	event user_annotation 'ProfilerStep#1' 0 100
	event cpu_op aten::mm 10 10
	call cudaLaunchKernel 12 2 2
	gpu kernel sgemm 20 30 2
	event cpu_op aten::add 40 10
	call cudaLaunchKernel 42 2 3
	gpu kernel add 50 30 3
} | write
is "$(row tensor_cores 1-11)" \
	"tensor_cores,0.5,0,of kernels,0,1,1,30000,20000,30000,aten::mm (1 time)" \
	"tensor_cores: operators that could use them launched kernels that do not"
cp "$trace" "$temp/tensor"
sed 's/"computeMajor":8/"computeMajor":6/g' "$temp/tensor" >"$trace"
is "$(row tensor_cores)" "" "tensor_cores: not on devices that have none"
sed 's/sgemm/sm80_xmma_gemm_f16_tensor16x8x16/' "$temp/tensor" >"$trace"
is "$(row tensor_cores)" "" "tensor_cores: not where some kernel uses them"

# memory TIME BYTES DEVICE-TYPE: what PyTorch's allocator says of device 1.
memory()
{
	printf ',{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":%s,"s":"t","args":{"Device Type":%s,"Device Id":1,"Bytes":1,"Total Allocated":%s}}\n' \
		"$1" "$3" "$2"
}
{
	event user_annotation 'ProfilerStep#1' 0 100
	memory 20 901 1
	memory 40 950 1
	memory 60 700 1
	memory 80 1000 0
} | write
is "$(row memory 1-11)" \
	"memory,0.94999999999999996,0.90000000000000002,of memory,1,,1,0,40000,0,950B of 1000B" \
	"memory: the peak of any device is over 90 % of what it has"

# The same from calls of CUDA, in a log of ours: freed memory does not count, nor does managed.
allocations()
{
	cat <<LOG
capture pid=7 clock="monotonic"
def device id=0 name="GPU" detail=[8,0,108,64,32,32,1024,65536,65536,167936,49152,166912,1024,0,0,1000]
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="all"
event 3 0 2000 memory kind=1 bytes=600 addr=4096 device=0 context=1 corr=10 src=3
event 3 1 2100 memory kind=2 bytes=600 addr=4096 device=0 context=1 corr=11 src=3
event 3 2 2200 memory kind=1 bytes=$1 addr=8192 device=0 context=1 corr=12 src=3
event 3 3 2300 memory kind=1 bytes=900 addr=16384 device=0 context=1 corr=13 src=5
event 1 1 9000 pop
end status="clean"
LOG
}
allocations 950 | python3 "$test_dir/tools/text-log.py" "$trace"
is "$(row memory 2,5,7-11)" "0.94999999999999996,0,1,0,1200,0,950B of 1000B" \
	"memory: what CUDA allocated counts in our logs"
allocations 900 | python3 "$test_dir/tools/text-log.py" "$trace"
is "$(row memory)" "" "memory: not at 90 %, and not what was freed or is managed"

# Nsight Systems' rules.
{
	event user_annotation 'ProfilerStep#1' 0 100
	call cudaMemcpyAsync 10 5 1
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 20 10 1
	call cudaMemcpyAsync 30 5 2
	gpu gpu_memcpy 'Memcpy DtoH (Device -> Pageable)' 40 5 2
	call cudaMemcpy 50 9 3
	gpu gpu_memcpy 'Memcpy DtoH (Device -> Pinned)' 52 5 3
	call cudaMemcpy 60 4 4
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 61 2 4
	call cudaMemset 70 8 5
	gpu gpu_memset 'Memset (Managed)' 71 2 5
	call cudaGraphLaunch 80 8 6
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 81 2 6
	gpu gpu_memset 'Memset (Pinned)' 83 2 6
} | write
is "$(row pageable_memcpy 1-12 | tr -d '"')" \
	"pageable_memcpy,0.14999999999999999,,of window,0,1,2,15000,20000,10000,Memcpy HtoD (1 time), Memcpy DtoH (1 time)" \
	"pageable_memcpy: asynchronous copies of pageable memory"
is "$(row sync_memcpy 1-11)" \
	"sync_memcpy,0.13,,of window,0,1,2,13000,50000,9000,cudaMemcpy (2 times)" \
	"sync_memcpy: copies that stop the program; not those that a graph makes"
is "$(row sync_memset 1-11)" \
	"sync_memset,0.080000000000000002,,of window,0,1,1,8000,70000,8000,cudaMemset (1 time)" \
	"sync_memset: sets of managed memory that stop the program"

{
	event user_annotation 'ProfilerStep#1' 0 100
	call cudaDeviceSynchronize 10 4 1
	event cuda_driver cuCtxSynchronize 11 2 '"correlation":2'
	call cudaStreamSynchronize 50 3 3
	call cudaStreamWaitEvent 60 30 4
	call cudaDeviceSynchronize 200 50 5
} | write
is "$(row sync_calls 1-12 | tr -d '"')" \
	"sync_calls,0.070000000000000007,0.050000000000000003,of window,,1,2,7000,10000,4000,cudaDeviceSynchronize (1 time), cudaStreamSynchronize (1 time)" \
	"sync_calls: waits within the steps take over 5 %; a driver's call inside is the same wait"

# gap US: two kernels with so much time between them.
gap()
{
	event user_annotation 'ProfilerStep#1' 0 2000000
	call cudaLaunchKernel 0 5 1
	gpu kernel k 10 1000000 1
	event cpu_op load 1000010 $(($1 + 20))
	call cudaMalloc 1000100 "$(($1 - 300))" 3
	call cudaLaunchKernel $((1000010 + $1 - 10)) 5 2
	gpu kernel k $((1000010 + $1)) 100000 2
}
gap 500001 | write
is "$(row gpu_gaps 1-12 | tr -d '"')" \
	"gpu_gaps,0.50000100000000003,0.5,s,0,1,1,500001000,1000010000,500001000,CPU was in cudaMalloc for 499.701ms, in range load for 500.001ms" \
	"gpu_gaps: a device did nothing for over 0.5 s, and what the CPU did then"
gap 500000 | write
is "$(row gpu_gaps)" "" "gpu_gaps: not for 0.5 s"

# What CUPTI itself took is no gap of the program.
overhead()
{
	cat <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="all"
event 3 0 1000 kernel name="k" dur=1000 context=1 queue=7 corr=1
event 3 1 600000000 kernel name="k" dur=1000 context=1 queue=7 corr=2
event 3 2 100000000 overhead dur=$1 kind=65536 tid=7
event 1 1 600100000 pop
end status="clean"
LOG
}
overhead 400000000 | python3 "$test_dir/tools/text-log.py" "$trace"
is "$(row gpu_gaps)" "" "gpu_gaps: not for what the profiler itself took"
overhead 10 | python3 "$test_dir/tools/text-log.py" "$trace"
is "$(row gpu_gaps 7)" 1 "gpu_gaps: what it took elsewhere does not count"

{
	event user_annotation 'ProfilerStep#1' 0 500
	gpu kernel k 100 90 1
	gpu kernel k 220 1 1
	gpu kernel k 250 150 1
} | write
is "$(row gpu_time_util 1-11)" \
	"gpu_time_util,0.016666666666666666,0.5,of region,0,,1,60000,190000,60000,1.67% from 190.000us to 250.000us" \
	"gpu_time_util: neighbouring thirtieths of a device's time of under 50 % are one region"
{
	event user_annotation 'ProfilerStep#1' 0 500
	gpu kernel k 100 100 1
	gpu kernel k 205 195 1
} | write
is "$(row gpu_time_util)" "" "gpu_time_util: not where each thirtieth has 50 %"

steps()
{
	event user_annotation 'ProfilerStep#1' 0 100
	event user_annotation 'ProfilerStep#2' 100 100
	event user_annotation 'ProfilerStep#3' 200 "$1"
}
steps 151 | write
is "$(row slow_steps 1-11)" "slow_steps,1.51,1.5,medians,,,1,151000,200000,151000,the longest is step 3" \
	"slow_steps: one took over 1.5 times the middle one"
steps 150 | write
is "$(row slow_steps)" "" "slow_steps: not 1.5 times"

# Rules are of the steps that --steps chooses.
{
	event user_annotation 'ProfilerStep#1' 0 100
	call cudaStreamSynchronize 10 20 1
	event user_annotation 'ProfilerStep#2' 100 100
	call cudaStreamSynchronize 110 10 2
} | write
is "$(csv advice --steps 2 | cut -d, -f1,2,7)" "sync_calls,0.10000000000000001,1" "with --steps of these only"
done_testing

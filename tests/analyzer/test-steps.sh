#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports on steps have none of the faults of the TensorBoard plugin that doc/metrics.md lists.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
trace=$temp/trace.json

# event CAT NAME START DUR [ARGS]: an X event of thread 1.
event()
{
	printf ',{"ph":"X","cat":"%s","name":"%s","pid":1,"tid":1,"ts":%s,"dur":%s,"args":{%s}}\n' \
		"$1" "$2" "$3" "$4" "${5:-}"
}

# gpu CAT NAME START DUR CORRELATION [ARGS]: an X event of stream 7 of device 0.
gpu()
{
	printf ',{"ph":"X","cat":"%s","name":"%s","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"device":0,"stream":7,"context":1,"correlation":%s%s}}\n' \
		"$1" "$2" "$3" "$4" "$5" "${6:+,$6}"
}

# write: writes standard input as a trace of a device with 100 multiprocessors.
write()
{
	{
		echo '{"deviceProperties":[{"id":0,"name":"GPU","totalGlobalMem":1000,"computeMajor":8,"computeMinor":0,'
		echo '"maxThreadsPerBlock":1024,"maxThreadsPerMultiprocessor":2048,"regsPerBlock":65536,"warpSize":32,'
		echo '"sharedMemPerBlock":49152,"numSms":100,"regsPerMultiprocessor":65536,'
		echo '"sharedMemPerBlockOptin":166912,"sharedMemPerMultiprocessor":167936}],"traceEvents":[{"ph":"M","name":"x","pid":1,"tid":1}'
		cat
		echo ']}'
	} >"$trace"
}

# csv REPORT [OPTION...]: the rows of a report.
csv()
{
	report=$1
	shift
	"$analyzer" stats --report "$report" --format csv "$@" "$trace" 2>/dev/null | sed 1d
}

{
	event user_annotation 'ProfilerStep#1' 0 100
	event cpu_op aten::add 10 20 '"External id":3'
	event cuda_runtime cudaLaunchKernel 12 5 '"correlation":5,"External id":3'
	gpu kernel add 50 20 5
	gpu gpu_user_annotation 'ProfilerStep#1' 40 60 0
	event user_annotation 'ProfilerStep#2' 100 100
	event cpu_op aten::add 110 20 '"External id":4'
	event cuda_runtime cudaLaunchKernel 112 5 '"correlation":6,"External id":4'
	gpu kernel add 150 20 6
	event user_annotation 'ProfilerStep#3' 200 50
} | write
is "$(csv overview | cut -d, -f1 | tr '\n' ' ')" "1 2 3 " \
	"a GPU-side ProfilerStep is no step, and a last step without GPU work stays"
is "$(csv overview | sed -n 1p)" "1,20000,0,0,0,5000,0,15000,60000,100000" \
	"a step's time goes to the first role that was active"
is "$(csv step-average)" "3,13333,0,0,0,3333,0,10000,56667,83333" "their mean is a table of its own"
is "$("$analyzer" stats -r overview --format json "$trace" | grep -c average)" 0 "and in no other"
is "$(csv overview --steps 2-3 | cut -d, -f1 | tr '\n' ' ')" "2 3 " "--steps keeps some steps"
is "$(csv operators --steps 2 | cut -d, -f1-2 | sed 1q)" "aten::add,1" "operators of one step"
is "$(csv overview --step-range aten::add | cut -d, -f1,10)" "0,60000
1,60000" "--step-range makes any range a step, which lasts until its GPU work is done"
is "$("$analyzer" stats -r overview,gpu "$trace" | grep -c 'before the first step')" 0 "nothing was left over before them"
"$analyzer" stats --report overview --steps five "$trace" 2>"$temp/err"
is "$?" 2 "--steps takes numbers"

# Operations launched before the first step move its begin. One is done before, one was launched
# before, and one has no call and a number before all calls. An operation whose call was lost later
# does not move it.
{
	event cuda_runtime cudaLaunchKernel 1 2 '"correlation":11'
	gpu kernel early 4 5 11
	event cuda_runtime cudaLaunchKernel 5 2 '"correlation":12'
	gpu kernel late 9 20 12
	gpu kernel before 30 10 7 | sed 's/"stream":7/"stream":8/; s/"tid":7/"tid":8/'
	gpu kernel lost 45 10 14 | sed 's/"stream":7/"stream":8/; s/"tid":7/"tid":8/'
	event user_annotation 'ProfilerStep#1' 10 100
	event cuda_runtime cudaLaunchKernel 50 2 '"correlation":13'
	gpu kernel own 60 20 13
	event cuda_runtime cudaLaunchKernel 52 2 '"correlation":15'
	gpu kernel side 62 10 15 | sed 's/"stream":7/"stream":8/; s/"tid":7/"tid":8/'
	event user_annotation 'ProfilerStep#2' 110 50
} | write
is "$(csv overview | cut -d, -f10 | tr '\n' ' ')" "70000 50000 " "the first step begins when work from before it is done"
is "$("$analyzer" stats -r overview,step-overlap "$trace" | grep -A1 'before the first')" \
	"GPU work launched before the first step: 2
The first step begins later than its range by: 30.000us" "and two lines say so, once"
is "$("$analyzer" "$trace" | grep -c 'before the first')" 1 "also in the summary"
is "$("$analyzer" stats -r overview --format json "$trace" | grep -o '"left_over_[^,]*' | tr '\n' ' ')" \
	'"left_over_operations":2 "left_over_ns":30000 ' "JSON has both figures"
is "$("$analyzer" stats -r overview --steps 2 "$trace" | grep -c 'before the first')" 0 \
	"not where the first step is left out"
is "$("$analyzer" stats -r overview "$trace" | grep '^gpu: 1 ')" "gpu: 1 operation was launched before the recording
gpu: 1 more operation has no API call in the log" "the footer tells which has no call for that reason"
is "$("$analyzer" stats -r overview -f json "$trace" | grep -o '"no_call":2,"early":1')" '"no_call":2,"early":1' "and JSON does"

# Work from before the recording lasts longer than the host gets ahead in the first step, though a
# copy on another stream begins meanwhile. So the step is like the others.
{
	gpu kernel backlog 5 155 1
	event user_annotation 'ProfilerStep#1' 10 90
	event cuda_runtime cudaMemcpyAsync 15 2 '"correlation":9'
	gpu gpu_memcpy 'Memcpy HtoD' 20 5 9 | sed 's/"stream":7/"stream":8/; s/"tid":7/"tid":8/'
	event cuda_runtime cudaLaunchKernel 20 2 '"correlation":10'
	gpu kernel first 160 100 10
	event user_annotation 'ProfilerStep#2' 100 90
	event cuda_runtime cudaLaunchKernel 110 2 '"correlation":12'
	gpu kernel second 260 100 12
	event user_annotation 'ProfilerStep#3' 190 90
	event cuda_runtime cudaLaunchKernel 200 2 '"correlation":13'
	gpu kernel third 360 100 13
} | write
is "$(csv overview | cut -d, -f1,10 | tr '\n' ' ')" "1,100000 2,100000 3,100000 " \
	"what was queued before the recording is no part of the first step"
is "$("$analyzer" why "$trace" | head -n 1 | grep -o 'fills')" "" "why does not say that it fills the queue"
is "$("$analyzer" why --step 1 "$trace" | head -n 1 | grep -o '^Step 1 takes 100.000us, the median of the other 2 100.000us')" \
	"Step 1 takes 100.000us, the median of the other 2 100.000us" "and compares it like any other"
is "$("$analyzer" stats -r kernels -f csv --steps 1 "$trace" | grep -c backlog)" 0 "--steps leaves it out"

# The host runs ahead of the GPU in the first step. Its total is the largest, because no work of an
# earlier step ends in it.
{
	event user_annotation 'ProfilerStep#1' 0 50
	event cuda_runtime cudaLaunchKernel 10 2 '"correlation":1'
	gpu kernel first 20 180 1
	event user_annotation 'ProfilerStep#2' 50 50
	event cuda_runtime cudaLaunchKernel 60 2 '"correlation":2'
	gpu kernel second 200 100 2
	event user_annotation 'ProfilerStep#3' 100 50
	event cuda_runtime cudaLaunchKernel 110 2 '"correlation":3'
	gpu kernel third 300 160 3
} | write
is "$(csv overview | cut -d, -f1,10 | tr '\n' ' ')" "1,200000 2,100000 3,160000 " "the first step's total has the lead of the host"
is "$("$analyzer" "$trace" | grep '^Steps')" \
	"Steps: 3, 153.333us on average, each to the end of its GPU work; the slowest, 3, took 160.000us; the first, of 200.000us, is compared by its range of 50.000us" \
	"the slowest step of the summary is not the one that only begins with the lead"
is "$("$analyzer" stats -r advice "$trace" | grep -o 'the longest, step[^;]*')" \
	"the longest, step 3, takes 160.000us, the median step 100.000us" "advice calls the same one the longest"
is "$("$analyzer" stats -r overview --format json "$trace" | grep -o '"first_step[^,]*')" '"first_step_range_ns":50000' \
	"and overview says what the first one counts by"

{
	event user_annotation 'ProfilerStep#1' 0 100
	event cpu_op record_param_comms 5 20 '"External id":3'
	event user_annotation nccl:all_reduce 6 10 '"External id":4'
	event cuda_runtime cudaLaunchKernel 7 2 '"correlation":5,"External id":3'
	gpu kernel 'ncclDevKernel_AllReduce_Sum_f32(ncclDevKernelArgsStorage)' 50 20 5
} | write
is "$(csv overview | sed -n 1p | cut -d, -f2,5)" "0,20000" "kernels of NCCL are communication"
is "$(csv operators | head -n 1 | cut -d, -f1-4)" "record_param_comms,1,20000,20000" \
	"what an annotation inside an operator launched is the operator's"

{
	event user_annotation nccl:all_reduce 0 10
	event cuda_runtime cudaLaunchKernel 2 5 '"correlation":1'
	gpu kernel gemm 0 5 1
	gpu kernel ncclKernel_AllReduce 20 30 1
} | write
is "$(csv step-overlap | cut -d, -f2-4)" "5000,30000,0" "the range around a collective is none itself"

{
	gpu kernel ncclDevKernel_AllReduce 0 100 1
	gpu kernel gemm 80 60 2
	gpu kernel ncclDevKernel_AllReduce 0 50 3 | sed 's/"device":0/"device":1/'
	gpu kernel gemm 0 70 4 | sed 's/"device":0/"device":1/'
} | write
is "$(csv overlap | cut -d, -f2-5)" "0.466667,150000,70000,80000" \
	"what another device computes hides no communication"
sed 's/gemm/conv/' "$trace" >"$temp/other.json"
is "$("$analyzer" stats -r ranks -f json "$trace" "$temp/other.json" 2>/dev/null | python3 -c '
import json, sys
for row in json.load(sys.stdin)["reports"]["ranks"]:
    print(row["computation_ns"], row["communication_ns"], row["exposed_communication_ns"])')" "130000 150000 80000
130000 150000 80000" "… nor does it over ranks"
echo 'gpu.exposed < 10%' >"$temp/rules"
is "$("$analyzer" check "$temp/rules" "$trace" | head -n 1)" "FAIL  gpu.exposed < 10%: 28.57% of the GPU span" "… nor in a check, of the devices' time"

{
	event user_annotation 'ProfilerStep#1' 0 100
	event cpu_op aten::addmm 10 20 '"External id":3'
	event cuda_driver cuLaunchKernel 12 5 '"correlation":5,"External id":3'
	gpu kernel gemm 50 20 5
	event cpu_op aten::mul 40 5 '"External id":9'
	event cuda_runtime cudaLaunchKernel 60 5 '"correlation":9,"External id":9'
	gpu kernel mul 80 5 9
} | write
is "$(csv overview | sed -n 1p | cut -d, -f6)" "5000" "calls of the driver are runtime"
is "$(csv operators | cut -d, -f1,3,5,6)" "aten::addmm,20000,15000,20000
(outside any operator),5000,,
aten::mul,0,5000,5000" \
	"a driver's launch is its operator's; an external id that is a correlation names none"

shape='"grid":[100,1,1],"block":[1024,1,1],"registers per thread":32,"blocks per SM":1,"warps per SM":32'
{
	event user_annotation 'ProfilerStep#1' 0 100
	event cuda_runtime cudaLaunchKernel 12 5 '"correlation":5'
	gpu kernel big 20 80 5 "$shape,\"shared memory\":65536,\"est. achieved occupancy %\":0"
} | write
is "$(csv gpu)" "0,0.80000000000000004,0.80000000000000004,0.80000000000000004,0.5,0,100000" \
	"more than 48 KiB of shared memory is no occupancy of 0"
is "$("$analyzer" stats --compat=tb --report gpu --format csv "$trace" 2>/dev/null | sed -n 2p | cut -d, -f4)" 0 \
	"with --compat=tb it is"

{
	event user_annotation 'ProfilerStep#1' 0 100
	event cpu_op aten::copy_ 5 50
	event cuda_runtime cudaLaunchKernel 12 5 '"correlation":5'
	gpu kernel all 0 100 5
	gpu gpu_memcpy 'Memcpy HtoD (Pinned -> Device)' 10 10 6
} | write
is "$(csv overview | sed -n 1p)" "1,100000,0,0,0,0,0,0,0,100000" \
	"roles never sum to more than the step"
is "$("$analyzer" stats --compat=tb --report overview --format csv "$trace" 2>/dev/null | sed -n 2p | cut -d, -f8)" 40 \
	"with --compat=tb they do"

{
	event cpu_op outer 0 10
	event cuda_runtime cudaLaunchKernel 2 30 '"correlation":5'
	event cpu_op inner 3 7
} | write
is "$(csv operators | cut -d, -f5 | grep -c -)" 0 "no self time is negative"
is "$(csv overview | cut -d, -f1 | tr '\n' ' ')" "0 " "without steps all is one"
: | write
is "$(csv overview)$(csv gpu)$(csv operators)$(csv advice)" "" "an empty trace has no rows"
{
	gpu kernel alone 10 20 5
} | write
is "$(csv overview | sed -n 1p)" "0,20000,0,0,0,0,0,0,0,20000" "GPU work alone makes a step"

# rank START DUR: a rank's collective, with a message of 8 floats.
rank()
{
	event user_annotation nccl:all_reduce 0 10
	event cuda_runtime cudaLaunchKernel 2 3 '"correlation":5'
	gpu kernel 'ncclDevKernel_AllReduce' "$1" "$2" 5 '"In msg nelems":8,"dtype":"Float","Collective name":"allreduce"'
}
rank 10 40 | write
mv "$trace" "$temp/0.json"
rank 30 20 | write
is "$("$analyzer" stats --report comm --format csv "$temp/0.json" "$trace" 2>/dev/null | sed 1d | cut -d, -f1-8)" \
	"0,allreduce,1,32,40000,40000,20000,20000
1,allreduce,1,32,20000,20000,20000,0" "ranks that come early wait for the last one"
{
	event cpu_op aten::empty 0 10
	echo ',{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":5,"s":"t","args":{"Device Type":1,"Device Id":0,"Bytes":512,"Total Allocated":2048}}'
} | write
is "$(csv op-memory);$(csv memory-peak | cut -d, -f1-3)" "GPU0,aten::empty,1,512,512,1,512,512,1;1,0,2048" \
	"memory by operator, and the peak"
# Thread 2 allocates in the first of two steps of thread 1, and between them.
memory_by()
{
	echo ',{"ph":"i","name":"[memory]","pid":1,"tid":'"$1"',"ts":'"$2"',"s":"t","args":{"Device Type":1,"Device Id":0,"Bytes":'"$3"'}}'
}
{
	event user_annotation ProfilerStep#1 0 100
	event user_annotation ProfilerStep#2 200 100
	event cpu_op backward 10 50 | sed 's/"tid":1/"tid":2/'
	memory_by 1 5 10
	memory_by 2 20 200
	memory_by 2 70 -50
	memory_by 2 150 4000
} | write
is "$(csv op-memory | sort | cut -d, -f2-9)" "(outside any range),,3950,4000,1,3950,4000,1
ProfilerStep#1,1,10,10,1,160,210,2
backward,1,200,200,1,200,200,1" "a step has what all threads allocated meanwhile"
{
	event cpu_op aten::empty 0 10
	echo ',{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":5,"s":"t","args":{"Device Type":1,"Device Id":0,"Bytes":512,"Total Allocated":2048}}'
} | write
is "$("$analyzer" stats --report memory-peak "$trace" | sed -n '3s/  */ /gp')" "CUDA 0 2048B -" \
	"which is for people in words"
is "$(csv memory | sed 1q | cut -d, -f1,2,8-10)" "0,PyTorch CUDA,2048,5000,aten::empty" "memory has it with time and range"
{
	event python_function 'nn.Module: Net_0' 0 100 '"Python id":1,"Python module id":0'
	event python_function 'nn.Module: Linear_0' 10 30 '"Python id":2,"Python parent id":1,"Python module id":0'
	event cpu_op aten::addmm 15 20 '"Call stack":"main.py(3)"'
	event cuda_runtime cudaLaunchKernel 16 5 '"correlation":5'
	gpu kernel gemm 50 20 5
	event cpu_op aten::addmm 60 20 '"Call stack":"main.py(4)"'
} | write
is "$(csv modules --python | cut -d, -f1-6)" "nn.Module: Net_0,1,0,20000,70000,100000
nn.Module: Linear_0,1,20000,20000,25000,30000" "modules have what their operators launched"
is "$(csv operators --group-by name,stack | cut -d, -f1-3)" "aten::addmm,main.py(3),1
aten::addmm,main.py(4),1" "operators by call stack"
is "$("$analyzer" stats --compat=tb --report overview "$trace" | sed -n 3p | grep -o '[A-Z][a-z]* (us)' | tr '\n' ' ')" \
	"Kernel (us) Memcpy (us) Memset (us) Communication (us) Runtime (us) Loader (us) Exec (us) Other (us) Total (us) " \
	"the heads of times in us say so in tables"
is "$("$analyzer" stats --compat=tb --report operators --group-by name,stack --format csv "$trace" 2>/dev/null | sed 1d | cut -d, -f1-3)" \
	"aten::addmm,main.py(3),1
aten::addmm,main.py(4),1" "also with --compat=tb"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Each rule of the report "advice" fires where it should, gives its share and place, and is silent
# elsewhere. All windows are 1000 µs.
. "${0%/*}/../lib.sh"
need_temp
# shellcheck source=kineto/trace.sh
. "$test_dir/kineto/trace.sh"

# row RULE [FIELDS]: the rule's row, or fields of it: 1 rule, share, total, count, threshold, device,
# 7 tid, step, start, longest, 11 place, finding, evidence, remedy, reports.
row()
{
	csv advice | grep "^$1," | cut -d, -f"${2:-1,2,4,6-10}"
}

step()
{
	event user_annotation 'ProfilerStep#1' 0 1000
}

# kernel NAME LAUNCH START DUR CORRELATION: a kernel and the call of 5 µs that launched it.
kernel()
{
	call cudaLaunchKernel "$2" 5 "$5"
	gpu kernel "$1" "$3" "$4" "$5"
}

# A trace in which nothing is wrong.
{
	step
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 0 300
	event user_annotation DistributedDataParallel.forward 300 100
	kernel ampere_bf16_s16816gemm_bf16_128x64_nn 0 10 400 1
	kernel softmax 10 410 300 4
	kernel 'void at::native::reduce_kernel<512>' 20 710 280 2
	kernel ncclDevKernel_AllReduce 40 800 190 3
	call cudaDeviceSynchronize 600 390 4
} | write '"distributedInfo":{"backend":"nccl","rank":0,"world_size":2},'
is "$(csv advice)" "" "a trace in which all is well has no advice, however long the loader and a wait take"

{
	step
	kernel a 0 5 295 1
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 250 450
	kernel b 700 705 285 2
} | write
is "$(row data_loading)" "data_loading,0.40000000000000002,1,0,1,1,300000,400000" \
	"data_loading: the loader's time in which nothing runs, not what it takes"
is "$(row host_bound)" "" "host_bound: not what the loader is to blame for"
{
	step
	kernel a 0 10 290 1
	event python_function 'torch/utils/data/dataloader.py(631): __next__' 250 450
	kernel b 700 710 280 2
} | write
is "$(row data_loading 2)" 0.40000000000000002 "data_loading: seen in functions of Python"

{
	step
	kernel a 0 10 290 1
	event cpu_op aten::mm 290 420
	kernel b 700 710 280 2
} | write
is "$(row host_bound)" "host_bound,0.41999999999999998,2,0,1,1,300000,410000" \
	"host_bound: the next operation was launched when nothing ran any more, its way included"
is "$(row host_bound 11- | grep -c 'in aten::mm (1 time, 98% of it)')" 1 "… and the operator that the thread was in"
is "$("$top_builddir/analyzer/analyzer" stats --report advice --format json "$trace" 2>/dev/null | python3 -c '
import json, sys
row = json.load(sys.stdin)["reports"]["advice"][0]
print("|".join(str(row[key]) for key in ("rule", "finding", "evidence", "remedy", "reports", "place")))')" \
	"host_bound|For 420.000us (42.0% of the window) the GPU does nothing because its next operation is launched too late|\
the program is in aten::mm (1 time, 98% of it), cudaLaunchKernel (1 time, 1%), no range and no call (1 time, 1%)|\
Give each launch more work (larger batches), launch fewer operations (torch.compile, CUDA graphs, foreach optimizers), and less Python between them|\
gaps, operators, launch|aten::mm" "a finding is what was found, its evidence, the remedy and the reports, a field each"
is "$("$top_builddir/analyzer/analyzer" stats --report advice "$trace" 2>/dev/null | head -n 1)" \
	"1. For 420.000us (42.0% of the window) the GPU does nothing because its next operation is launched too late: the program is in aten::mm \
(1 time, 98% of it), cudaLaunchKernel (1 time, 1%), no range and no call (1 time, 1%). Give each launch more work (larger batches), launch fewer operations (torch.compile, CUDA graphs, \
foreach optimizers), and less Python between them. Worst: step 1, 410.000us at 300.000us. (host_bound; more: stats -r gaps,operators,launch)" \
	"… of which prose is made"
is "$(csv advice --step-range nothing | grep -c host_bound)" 1 "… without steps, too"
# allocating STEPS: a trace of four steps. In that many of them the program allocates between two
# kernels.
allocating()
{
	for at in 0 250 500 750; do
		event user_annotation "ProfilerStep#$((at / 250))" $at 250
		kernel a $((at + 1)) $((at + 10)) 40 $((at + 1))
		[ $((at / 250)) -ge "$1" ] || call cudaMalloc $((at + 60)) 100 $((at + 2))
		kernel b $((at + 180)) $((at + 190)) 50 $((at + 3))
	done | write
}
allocating 3
is "$(row allocation_calls)" "allocation_calls,0.29999999999999999,3,0,1,0,60000,100000" \
	"allocation_calls: the time in which the GPU waits for such calls, if most steps have them"
is "$(row allocation_calls 11)" cudaMalloc "… and the call"
allocating 2
is "$(row allocation_calls)" "" "… and not if half of them have"
# within: the GPU waits from 300 to 710 µs for an operation that is launched at 700. Standard input
# has what the program did meanwhile.
within()
{
	{
		step
		kernel a 0 10 290 1
		cat
		kernel b 700 710 280 2
	} | write
	shares | sed 's/, [0-9]*% of it), .*/)/'
}
shares()
{
	row host_bound 11- | sed 's/.*the program is in //; s/",.*//'
}
# The total is 420 us: 10 of them are before the first kernel.
is "$(event cpu_op aten::mm 400 100 | within >/dev/null; shares)" \
	"no range and no call (2 times, 74% of it), aten::mm (1 time, 24%), cudaLaunchKernel (2 times, 2%)" \
	"host_bound: names have the time in which the program was there, and so has nothing"
is "$(row host_bound 11)" "no range and no call" "… the place of the worst is where it was for half of it"
is "$(row host_bound 11- | grep -c 'Record operators.*this recording does not tell what it does then')" 1 "… and of what was not recorded no remedy is known"
is "$({
	event cpu_op unflatten 310 300
	for at in 320 380 440 500 560; do
		event cpu_op narrow $at 50
		event cpu_op slice $((at + 1)) 40
	done
} | within)" "unflatten (1 time)" "… it is the innermost range that was open for half of it, not a name's leaves"
# An operator inside another one that was open for most of the wait: addmm takes 160 us of linear's
# 300, which is less than half of the 400.
is "$({
	event cpu_op aten::linear 310 300
	event cpu_op aten::addmm 400 160
} | within >/dev/null; shares)" "aten::addmm (1 time, 38% of it), aten::linear (1 time, 33%), no range and no call (2 times, 26%), 1 other name" \
	"… or the one in it that took half of its time, so an operator's work is not its caller's"
is "$(for at in 310 360 410 460 510 560; do
	event cpu_op narrow $at 40
done | within)" "narrow (1 time)" "… else the ranges of one name that were so together"
is "$({
	event cpu_op f 310 150
	event cpu_op f 320 130
	event cpu_op g 470 100
} | within >/dev/null; shares)" "no range and no call (2 times, 38% of it), f (1 time, 36%), g (1 time, 24%), 1 other name" \
	"… which count once where they are inside of each other"
is "$(row host_bound 11)" "several ranges" "… and the place is several if none of them was open for half of it"
is "$(call cudaFree 310 380 9 | within)" "cudaFree (1 time)" "… else a call"
is "$({
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 300 200
	event cpu_op aten::stack 510 180
} | within)" "aten::stack (1 time)" "… of the time that nothing else explains"
is "$(for at in 300 500; do
	event cpu_op aten::mm 20 5
	event cpu_op "IO $at" $at 190
	kernel k $((at + 195)) $((at + 200)) 5 $at
done | within)" "IO N (2 times)" "… and names that differ in the number at their end are one"
is "$(event cpu_op 'aten::mm, seq = 7, op_id = 9' 300 400 | within)" "aten::mm (1 time)" \
	"… as names are in the report ranges"
# In a program without steps, nothing is late before the first operation.
{
	call cudaMalloc 0 300 9
	kernel a 700 710 290 1
} | write
is "$(csv advice)" "" "host_bound: not what a program does before its first operation"
{
	call cudaMalloc 0 5000 9
	kernel a 7000 7010 2990 1
} | write
is "$(csv advice | cut -d, -f1,2)" "first_use,0.5" "… but what is done once is told of it"
# late_in FUNCTION...: the gap is within these functions of Python, outermost first. The launch
# after it is in another function.
late_in()
{
	step
	kernel a 0 10 290 1
	at=0
	for name in "$@"; do
		event python_function "$name" $((350 + at)) $((300 - at))
		at=$((at + 1))
	done
	event python_function 'launcher.py(1): launch' 690 30
	kernel b 700 710 280 2
}
late_in 'train.py(12): step' 'torch/nn/functional.py(9): linear' '<built-in function linear>' | write
is "$(row host_bound 11- | grep -c '; its Python code is in train.py(12): step (1 time); Python stacks')" 1 \
	"… and the program's function that it is in, neither PyTorch's nor a built-in one, nor the one that launches"
is "$(row host_bound 11- | grep -c 'no range and no call.*less Python between')" 1 "… which is known, so nothing is to be recorded"
is "$(row host_bound 11- | grep -c 'is in Python, in no range and no call (1 time')" 1 "… and the place does not say that it was nowhere"
is "$(csv gaps | sed 1q | cut -d, -f3,10)" "410000,train.py(12): step" "gaps has that function, too"
late_in 'torch/optim/adam.py(3): step' 'nn.Module: Linear_0' | write
is "$(row host_bound 11- | grep -c '; its Python code is in torch/optim/adam.py(3): step (1 time);')" 1 "… PyTorch's if there is no other"
late_in '<built-in function linear>' | write
is "$(row host_bound 11- | grep -c 'Python code')" 0 "… and none without a file"
late_in 'pipeline.py(4): __call__' 'video.py(129): preprocess' | write
is "$(row data_loading 1,3,11)" "data_loading,299000,video.py(129): preprocess" "data_loading: input that Python prepares"

# A kernel is launched late first by a call that itself takes long, then by many short kernels.
{
	step
	kernel a 0 10 90 1
	call cudaLaunchKernelExC 100 600 2
	gpu kernel b 700 290 2
} | write
is "$(row launch_bound 1,2,4)" "launch_bound,0.60999999999999999,2" \
	"launch_bound: more than half of it passes in the calls that launch, or behind them"
is "$(row launch_bound 11- | grep -c 'in the call or to the GPU","*cudaLaunchKernelExC (1 time')" 1 "… which it says"
{
	step
	for at in 0 100 200 300 400 500 600 700 800 900; do
		kernel k $at $((at + 6)) 4 $((at + 1))
	done
} | write
is "$(row short_kernels 1,2,4)" "short_kernels,0.86399999999999999,9" \
	"short_kernels: what passes behind kernels of less than 10 µs"
is "$("$top_builddir/analyzer/analyzer" stats -r advice "$trace" | grep -c '^Advice: do not add up shares: findings overlap') \
$("$top_builddir/analyzer/analyzer" why "$trace" | grep -c '^Advice: do not add up shares: findings overlap')" "1 1" \
	"a line below several findings says that they overlap"
is "$(row short_kernels 11- | grep -c 'the GPU does nothing after kernels of less than 10 us')" 1 \
	"... and says so: these are others than those shorter than their calls"
is "$(row short_kernels 11- | grep -c 'save at most')" 0 "… and not that these gaps are all that can be saved"
is "$(row short_kernels 11- | grep -c '10 of 10 kernels are shorter than the call')" 1 \
	"… and how many are shorter than the call that launched them"
is "$(row short_kernels 11- | grep -c 'fewer blocks')" 0 "… and nothing of blocks that are not known"
sed 's/"device":0,"stream":7/"device":0,"grid":[50,1,1],"block":[64,1,1],&/' "$trace" >"$temp/small.json"
is "$("$top_builddir/analyzer/analyzer" stats -r advice "$temp/small.json" | tr -s '\n ' ' ' |
	grep -c 'and 10 kernels have fewer blocks than the GPU has multiprocessors: larger batches cost it little;')" 1 \
	"… but that a larger batch costs little, if most have fewer blocks than it has multiprocessors"

{
	step
	kernel a 0 10 290 1
	call cudaLaunchKernel 20 5 2
	gpu kernel b 700 280 2
} | write
is "$(row gpu_wait)" "gpu_wait,0.40000000000000002,1,0,1,1,300000,400000" \
	"gpu_wait: nothing runs though the next operation was launched long before"
is "$(row host_bound)" "" "host_bound: not then"
{
	step
	kernel a 0 10 290 1
	call cudaLaunchKernel 20 5 2
	gpu kernel b 700 100 2
	call cudaLaunchKernel 600 5 3
	gpu kernel c 700 280 3 0 8
} | write
is "$(row gpu_wait 1,2,11)$(row host_bound)" "gpu_wait,0.40000000000000002,b" \
	"of operations that begin together the one counts that was called first"


# graph CALL AT: a graph's node follows a gap that ends at AT. 400 µs later a kernel follows.
graph()
{
	step
	kernel a 0 10 290 1
	event user_annotation 'optimizer' 15 20
	call "$1" 20 5 2
	gpu kernel b "$2" 75 2
	call cudaLaunchKernel 26 5 3
	gpu kernel c "$(($2 + 75 + ${3:-400}))" 20 3
}
words="operation was launched long before"
graph cudaGraphLaunch 700 0 | write
is "$(row gpu_wait 1,2,12-15)" 'gpu_wait,0.40000000000000002,For 400.000us (40.0% of the window) the GPU seems idle though the next work was launched long before,"100% of it ahead of CUDA graph nodes, likely kernels not recorded: b (1 time)",Record a step without graphs; see what the rest waits for' \
	"gpu_wait: a graph's node rarely waits, so the recording lacks kernels"
is "$("$top_builddir/analyzer/analyzer" why "$trace" -w 0 2>/dev/null | sed -n 1p | grep -c 'The GPU is busy for at least 38.5%')" 1 "… and why says that the GPU is busier than recorded"
is "$(csv gaps | cut -d, -f4,6-9 | sed -n '/queued/p')" "queued,cudaGraphLaunch,,optimizer," "… and gaps by what the node was launched, long before"
lacking="400.000us idle ahead of CUDA graph nodes, likely kernels not recorded"
is "$(csv footer | grep graph_gaps)" "graph_gaps,,\"$lacking\"" "… and the report footer"
for command in "stats -r ranges" why "" "search --name b"; do
	# shellcheck disable=SC2086 # words of a command
	"$top_builddir/analyzer/analyzer" $command "$trace" -w 0 2>/dev/null | grep -c "^gpu: $lacking$"
done | tr '\n' ' ' >"$temp/lines"
is "$(cat "$temp/lines")" "1 1 1 1 " "… and the footer below each command"
is "$("$top_builddir/analyzer/analyzer" stats -r gaps -f json "$trace" 2>/dev/null | grep -o '"graph_queued_ns":[0-9]*') $("$top_builddir/analyzer/analyzer" why -f json "$trace" 2>/dev/null | grep -o '"graph_queued_ns":[0-9]*')" \
	'"graph_queued_ns":400000 "graph_queued_ns":400000' "… in JSON as a figure, once"
is "$("$top_builddir/analyzer/analyzer" stats -r footer "$trace" "$trace" -f csv 2>/dev/null | grep -o 'graph_gaps.*')" \
	'graph_gaps,,all,"800.000us idle ahead of CUDA graph nodes, likely kernels not recorded"' "… summed over the ranks of a run"
graph hipGraphLaunch 700 0 | write
is "$(row gpu_wait 13 | grep -c '100% of it ahead of')" 1 "… HIP's, too"
graph cudaGraphLaunch 420 380 | write
is "$(row gpu_wait 2,12- | grep -c "^0.5,.*the GPU does nothing although its next $words.*; 24% of it ahead of CUDA graph nodes, likely .*what the rest waits for")" 1 \
	"… which is said of a part of the time, too"
is "$("$top_builddir/analyzer/analyzer" why "$trace" -w 0 2>/dev/null | sed -n 1p | grep -c 'at least')" 1 "… of which why says so from a tenth of the window on"
graph cudaGraphLaunch 335 | write
is "$(row gpu_wait 2,12- | grep -c "^0.43.*the GPU does nothing although its next $words") $(row gpu_wait 12- | grep -c graph)" "1 0" \
	"… and not of less than a tenth of it"
is "$("$top_builddir/analyzer/analyzer" why "$trace" -w 0 2>/dev/null | sed -n 1p | grep -c 'at least')" 0 "… nor by why"
graph cudaGraphLaunch 302 | write
is "$(csv footer | grep -c graph_gaps)" 0 "… and the footer tells of no short gap"

# wait NAME END: the program waits for a kernel, and launches the next one only after the wait.
wait_until()
{
	step
	kernel a 0 10 490 1
	call "$1" 20 "$(($2 - 20))" 3
	kernel b 700 710 280 2
}
wait_until cudaStreamSynchronize 510 | write
is "$(row sync_calls)" "sync_calls,0.20999999999999999,1,0,1,1,500000,210000" \
	"sync_calls: what the GPU has nothing to do for because of a wait"
{
	step
	kernel a 0 10 490 1
	kernel behind 8 500 200 2
	call cudaStreamSynchronize 20 490 9
	kernel b 760 770 220 3
} | write
is "$(row sync_calls)" "sync_calls,0.070000000000000007,1,0,1,1,700000,70000" \
	"sync_calls: also if the GPU has something left to do, less than the wait took"
sed 's/"dur":490,"args":{"correlation":9/"dur":100,"args":{"correlation":9/' "$trace" >"$temp/early" && mv "$temp/early" "$trace"
is "$(row sync_calls)" "" "… not if the GPU has more left"
{
	step
	kernel a 0 10 700 1
	call cudaStreamSynchronize 20 970 3
} | write
is "$(row sync_calls)" "" "sync_calls: not the last one, behind which nothing is launched"
# After a wait the host is late several times, until it is ahead again.
{
	step
	kernel a 0 10 390 1
	call cudaStreamSynchronize 20 385 9
	for at in 420 450 480; do
		kernel k $at $((at + 5)) 5 $at
	done
	kernel long 510 515 285 2
	kernel c 520 800 5 3
	kernel d 900 910 80 4
} | write
is "$(row sync_calls)" "sync_calls,0.20499999999999999,1,0,1,1,805000,105000" \
	"sync_calls: later gaps, too, with their launches, though one operation was launched ahead: one wait, the worst gap by itself"
is "$(row host_bound 11- | grep -c '; 185.000us of it after a wait had let the GPU catch up')" 1 "… which host_bound says"
cp "$trace" "$temp/late"
sed 's/"ts":20,"dur":385/"ts":205,"dur":200/' "$temp/late" >"$trace"
is "$(row sync_calls)" "sync_calls,0.10000000000000001,1,0,1,1,400000,25000" \
	"… until the host is as far ahead as it was before the wait"
cp "$temp/late" "$trace"
is "$(row host_bound 1,2,4)" "host_bound,0.19500000000000001,6" "… but behind the first one they are the host's own as well"
# backward WHEN: thread 1 waits from 20 to 405. Then thread 2, which made a call at WHEN, launches
# the next kernel.
backward()
{
	step
	kernel a 0 10 390 1
	call cudaStreamSynchronize 20 385 9
	kernel b 410 415 5 2
	{
		call cudaEventQuery "$1" 5 7
		call cudaEventQuery 595 5 8
		kernel c 600 605 380 3
	} | sed 's/"pid":1,"tid":1/"pid":1,"tid":2/'
}
backward 5 | write
is "$(row sync_calls)" "sync_calls,0.20000000000000001,1,0,1,1,420000,185000" \
	"sync_calls: also what another thread launches late that called nothing meanwhile, as a backward pass"
is "$(row host_bound 1,3) $(row host_bound 11- | grep -c '; 190.000us of it after a wait had let the GPU catch up')" \
	"host_bound,200000 1" "… which is the host's own as well"
backward 100 | write
is "$(row sync_calls),$(row host_bound 3)" ",200000" "… and not what one does that goes its own way"
backward 5 | sed 's/"pid":1,"tid":2/"pid":2,"tid":2/' | write
is "$(row sync_calls),$(row host_bound 3)" ",200000" "… nor one of another process"
# pair: two copies to pageable memory, of which the first waits; then the program writes a file.
{
	step
	kernel a 0 10 390 1
	call cudaMemcpyAsync 20 395 2
	gpu gpu_memcpy 'Memcpy DtoH (Device -> Pageable)' 400 10 2
	call cudaMemcpyAsync 416 12 3
	gpu gpu_memcpy 'Memcpy DtoH (Device -> Pageable)' 420 2 3
	event cpu_op IO 430 260
	kernel b 690 700 290 4
} | write
is "$(row sync_memcpy 1,2,4)" "sync_memcpy,0.28799999999999998,1" \
	"sync_memcpy: copies of pageable memory wait, whatever their call is named; not only the last one counts"
is "$(row sync_memcpy 11- | grep -c 'cudaMemcpyAsync (1 time); after that the program was in IO')" 1 "… and where the program was then"
{
	event user_annotation 'ProfilerStep#1' 0 520
	event user_annotation 'ProfilerStep#2' 520 480
	kernel a 0 10 490 1
	call cudaDeviceSynchronize 20 490 3
	kernel b 700 710 280 2
} | write
is "$(row sync_calls)" "" "sync_calls: not where somebody measures a step"
{
	step
	kernel a 0 10 490 1
	event cpu_op aten::item 15 500
	call hipMemcpyWithStream 20 490 3
	kernel b 700 710 280 2
} | write
is "$(row sync_calls 1,2)" "sync_calls,0.20999999999999999" "sync_calls: .item() of ROCm copies and waits in one call"
wait_until cudaMemcpy 510 | write
is "$(row sync_memcpy 1,2)" "sync_memcpy,0.20999999999999999" "sync_memcpy: a copy that stops the program"
is "$(row sync_memcpy 11- | grep -c cudaMemcpyAsync)" 1 "… and what to use"
sed 's/cudaLaunch/hipLaunch/g; s/cudaMem/hipMem/g' "$trace" >"$temp/hip" && mv "$temp/hip" "$trace"
is "$(row sync_memcpy 11- | grep -c hipMemcpyAsync)" 1 "… which is HIP's in a trace of ROCm"

{
	step
	kernel a 0 10 290 1
	call cudaMemcpyAsync 290 300 2
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 600 100 2
	kernel b 600 710 280 3
} | write
is "$(row pageable_memcpy 1-4)" "pageable_memcpy,0.40000000000000002,400000,1" \
	"pageable_memcpy: the copy, and what it takes before it begins: one copy"
is "$(row pageable_memcpy 11- | grep -c 'pin_memory=True')" 1 "… and PyTorch's words in its trace"
is "$(row pageable_memcpy 11- | grep -c '(1 time); 300.000us of it pass in copy calls before their copies begin')" 1 "… and what passes before it"
{
	step
	call cudaMemcpyAsync 50 500 2
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 490 60 2
	kernel b 560 570 400 3
} | write
is "$(row pageable_memcpy 1-4) $(row recording_artefact 1-4)" "pageable_memcpy,0.12,120000,1 recording_artefact,0.38,380000,1" \
	"pageable_memcpy: what the first operation waits for beyond that is not the copy's fault"
{
	step
	call cudaMemcpyAsync 0 5 2
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 10 19 2
	kernel b 8 29 380 3
	kernel c 16 409 380 4
	kernel d 24 789 200 5
} | write
is "$(csv advice)" "" "pageable_memcpy: nothing below 2 % of the window"
{
	step
	kernel a 0 10 890 1
	call cudaMemcpyAsync 20 5 2
	gpu gpu_memcpy 'Memcpy DtoD (Device -> Device)' 900 90 2
} | write
is "$(row device_copies 1-5)" "device_copies,0.089999999999999997,90000,1,0.080000000000000002" \
	"device_copies: over 8 %"

{
	step
	kernel a 0 10 290 1
	call cuModuleLoadData 300 390 9
	kernel b 700 710 280 2
} | write
is "$(row first_use 1-4)" "" "first_use: not calls below 1 ms"
{
	event user_annotation 'ProfilerStep#1' 0 10000
	kernel a 0 10 290 1
	call cuModuleLoadData 300 5000 9
	kernel b 5300 5310 4680 2
} | write
is "$(row first_use 1-4)" "first_use,0.5,5000000,1" "first_use: the GPU waits for a module"
is "$(row first_use 11)" cuModuleLoadData "… in the call"
{
	event user_annotation 'ProfilerStep#1' 0 10000
	kernel a 0 10 290 1
	event user_annotation MPI_Init 300 4000
	call cuModuleLoadData 310 1500 8
	call cuModuleLoadData 2000 2000 9
	kernel b 5300 5310 4680 2
} | write
is "$(row first_use 1,3,4,9-11)" "first_use,3500000,2,2000000,2000000,cuModuleLoadData in MPI_Init" \
	"first_use: each call is one of them, with the range around; the worst is told by its own time"
{
	event user_annotation 'ProfilerStep#1' 0 10000
	kernel a 0 10 290 1
	event cpu_op aten::conv 300 5000
	kernel b 5300 5310 500 2
	for at in 5810 5820 5830; do
		event cpu_op aten::conv $at 5
	done
	kernel c 5700 5810 4180 3
} | write
is "$(row first_use 1-4)" "first_use,0.4995,4995000,1" "first_use: a first call beyond the mean of the others"

{
	step
	call cudaGraphLaunch 20 10 1
	gpu kernel a 600 390 1
} | write
is "$(row recording_artefact 1-4)" "recording_artefact,0.59999999999999998,600000,1" \
	"recording_artefact: the first operation waits for what was launched before"
{
	event cpu_op aten::mm 0 100
	call cudaGraphLaunch 100 10 1
	gpu kernel a 600 400 1
} | write
is "$(row recording_artefact 3,4,9,10)" "500000,1,100000,500000" \
	"… of a program without steps from the call on, where it is told to be"
is "$(csv advice | grep -c 'the GPU probably still ran work from before the recording.*of cudaGraphLaunch (1 time), began only then')" 1 \
	"… and says what was seen, and what it looks like"
{
	step
	kernel a 0 10 290 1
	event python_function 'torch/profiler/profiler.py(700): step' 300 390
	kernel b 700 710 280 2
} | write
is "$(row recording_artefact 1-4)" "recording_artefact,0.39000000000000001,390000,1" \
	"recording_artefact: the profiler starts or stops"
{
	step
	kernel a 0 10 290 1
	event overhead 'Buffer Flush' 400 300
	call cudaMemsetAsync 350 370 2
	gpu gpu_memset Memset 730 260 2
} | write
is "$(row recording_artefact 1,3,4,9,10),$(row host_bound 3)" \
	"recording_artefact,300000,1,350000,300000,140000" \
	"recording_artefact: a call lasts as CUPTI is busy with itself, and the rest is the host's"

# two READER: a launch in process 1 is late, while process READER reads.
two()
{
	step
	kernel a 0 5 295 1
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 300 400 | sed "s/\"pid\":1/\"pid\":$1/"
	kernel b 700 710 280 2
	event cpu_op aten::mm 0 5 | sed 's/"pid":1/"pid":2/'
	call cudaEventQuery 1 5 3 | sed 's/"pid":1/"pid":2/'
}
two 1 | write
is "$(row data_loading 3),$(row host_bound)" "400000," "data_loading: what the launching process reads"
two 2 | write
is "$(row data_loading),$(row host_bound 3)" ",415000" "… and not what another one does"
{
	step
	gpu kernel a 0 300 1
	gpu kernel b 700 290 2
} | write
is "$(row gpu_idle 1-4)" "gpu_idle,0.40000000000000002,400000,1" "gpu_idle: nothing is known of the host"

# Each of several devices has its row. Tables for people name the device.
{
	step
	for device in 0 1; do
		call cudaLaunchKernel 0 5 "$((device + 1))"
		gpu kernel a 10 290 "$((device + 1))" "$device"
		call cudaLaunchKernel 700 5 "$((device + 3))"
		gpu kernel b 710 280 "$((device + 3))" "$device"
	done
} | write
is "$("$top_builddir/analyzer/analyzer" stats --report advice "$trace" 2>/dev/null | grep -c '\. GPU [01]: for 420.000us')" 2 \
	"host_bound: of two devices each is named"
is "$(csv advice | grep -c 'GPU [01]: for 420.000us')" 2 "… in the finding itself, for programs"
{
	step
	for device in 0 1; do
		call cudaLaunchKernel $((device * 10)) 5 "$((device + 1))"
		gpu kernel a $((device * 10 + 10)) 290 "$((device + 1))" "$device"
	done
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 310 390
	call cudaLaunchKernel 700 5 3
	gpu kernel b 710 280 3 1
	call cudaLaunchKernel 20 5 4
	gpu kernel b 300 690 4 0
} | write
is "$("$top_builddir/analyzer/analyzer" stats --report advice "$trace" 2>/dev/null | grep -c '^[0-9]*\. GPU 1: for ')" 2 \
	"… and also where no two findings are of one rule"
# Functions of Python in gaps of chosen steps.
for at in 0 1 2; do
	event user_annotation "ProfilerStep#$at" "${at}000" 1000
	kernel k "${at}010" "${at}020" 200 "1$at"
	kernel l "${at}700" "${at}710" 200 "2$at"
	event python_function "a.py($at): f" "${at}230" 460
done | write
is "$(csv gaps --steps 1-2 | grep -v ,after | cut -d, -f2,10 | tr '\n' ' ')" "1220000,a.py(1): f 2220000,a.py(2): f 1910000, 1000000, " \
	"gaps: the function of a gap in chosen steps"
# Gaps no longer than a step of the clock.
{
	step
	kernel a 0 10 290 1
	kernel b 5 300.099 200 2
	kernel c 6 500.199 200 3
} | write
is "$("$top_builddir/analyzer/analyzer" stats -r gaps -w 120 "$trace" 2>/dev/null | sed -n '/^-/,$p' | grep -o -e '^ *[0-9.]*us *[0-9.]*us' -e '.*aps .*' | tr -s ' ' | tr '\n' ';')" \
	"700.199us 299.801us;Gaps below 100ns, which are not listed: 1;These gaps in total: 99ns;" "gaps: those of less than 100 ns are summed"
is "$(csv gaps | awk -F, '{ s += $3 } END { print s }')" 310000 "… and programs get all of them"
# Communication.
{
	step
	call cudaLaunchKernel 0 5 1
	gpu kernel ncclDevKernel_SendRecv 10 300 1
	call cudaLaunchKernel 5 5 2
	gpu kernel gemm 10 980 2 1
} | write
is "$(row exposed_communication 1-4,6)" "exposed_communication,0.29999999999999999,300000,1,0" \
	"exposed_communication: what another device computes hides nothing"
{
	step
	call cudaLaunchKernel 0 5 1
	gpu kernel ncclDevKernel_AllReduce 10 500 1 0 8
	kernel gemm 5 10 400 2
	kernel gemm 510 520 400 3
	kernel ncclDevKernel_Broadcast 515 920 70 4
} | write
is "$(row exposed_communication 1-4,10)" "exposed_communication,0.17000000000000001,170000,2,100000" \
	"exposed_communication: the longest is told of by what of it is exposed"
is "$(row exposed_communication 11- | grep -c 'ncclDevKernel_AllReduce (1 time, 59% of it), ncclDevKernel_Broadcast (1 time, 41%)')" 1 \
	"… and so are the names"
{
	step
	kernel ncclDevKernel_AllReduce 0 10 500 1
	call cudaMemcpyAsync 5 5 2
	gpu gpu_memcpy 'Memcpy HtoD (Pinned -> Device)' 100 200 2 0 8
} | write
is "$(row exposed_communication 1-4) $(row exposed_communication 11- | grep -c "; the report overlap says 500.000us, which also counts time beside copies")" \
	"exposed_communication,0.29999999999999999,300000,1 1" "… copies hide it here, not in overlap, which is said"
is "$(csv overlap | cut -d, -f5)" 500000 "… with its figure"
# The collective runs from 10 to 510. The next kernel is launched at 300, or after a wait for the
# collective.
{
	step
	kernel ncclDevKernel_AllReduce 0 10 500 1
	kernel gemm 300 510 400 2
} | write
is "$(row exposed_communication 11- | grep -c "100% of communication is not hidden: 58% because the CPU had launched no kernel or copy in time, 42% with work behind it.*Launch ahead first")" 1 \
	"exposed_communication: by when the next work is launched"
is "$(csv overlap | cut -d, -f5-)" "500000,290000,0,210000,0," "… as overlap has it; what is for other ranks one rank cannot tell"
{
	step
	kernel ncclDevKernel_AllReduce 0 10 500 1
	call cudaStreamSynchronize 110 405 0
	kernel gemm 520 530 400 2
} | write
is "$(row exposed_communication 11- | grep -c "not hidden: 20% because the CPU had launched no kernel or copy in time, 80% because it waited for a collective.*Overlap them with computation")" 1 \
	"… or the CPU waits for it"
is "$(csv overlap | cut -d, -f5-)" "500000,100000,400000,0,0," "… as overlap has it"
{
	event cpu_op aten::mm 0 100
	gpu kernel gemm 100 100 8
	gpu kernel ncclDevKernel_AllReduce 200 1000 9
} | write
is "$(row exposed_communication 1-4)" "exposed_communication,0.83333333333333337,1000000,1" \
	"the window without steps holds work that no call launched, too"

# Kernels.
{
	step
	event cpu_op aten::mm 0 10
	kernel volta_sgemm_128x64_nn 0 10 400 1
	event cpu_op aten::cudnn_convolution 20 10
	kernel sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32 20 410 580 2
} | write
is "$(row precision 1-4)" "precision,0.48999999999999999,490000,2" "precision: half of the time of FP32 and TF32"
is "$(row precision 11- | grep -c 'FP32 (41% of their time, [^)]*) and TF32 (59%)')" 1 "… both of which it names"
is "$(row precision 11- | grep -c 'Use bfloat16 or float16 (torch.autocast); at least allow TF32')" 1 "… and what the device has"
cp "$trace" "$temp/precision"
sed 's/"computeMajor":8/"computeMajor":7/g' "$temp/precision" >"$trace"
is "$(row precision 11- | grep -c 'Use float16 (.*neither bfloat16 nor TF32')" 1 "… of compute capability 7 float16 only"
paragraphs()
{
	"$top_builddir/analyzer/analyzer" stats --report advice "$trace" 2>/dev/null | tr '\n' ' '
}
is "$(paragraphs | grep -c 'is the limit: in .*. Use float16 (.* nor TF32. Worst: step 1, ')" 1 "… which people are told as a sentence of its own"
sed 's/"computeMajor":8/"computeMajor":0/g' "$temp/precision" >"$trace"
is "$(row precision 11- | grep -c 'Use what the GPU has of')" 1 "… of an unknown one what it has"
sed 's/"dur":400,/"dur":50,/' "$temp/precision" >"$trace"
is "$(row precision 11- | grep -c 'FP32 (8% of their time, [^)]*) and TF32 (92%).*(torch.autocast),')" 1 "… nor where nearly all is in that"
sed '/volta/d' "$temp/precision" >"$trace"
is "$(row precision 11- | grep -c 'allow TF32')" 0 "… and TF32 not where it computes in that"
sed 's/"computeMajor":8/"computeMajor":6/g; /tf32/d' "$temp/precision" >"$trace"
is "$(row precision)" "" "precision: not on devices that have nothing faster"
sed 's/volta_sgemm_128x64_nn/Cijk_Ailk_Bljk_BBS_BH_MT1_MI16x16x1_SN/; /tf32/d' "$temp/precision" >"$trace"
is "$(row precision)" "" "precision: not BF16 on AMD's matrix units"
{
	step
	event cpu_op aten::mm 0 10 '"Input type":["float","float"]'
	kernel gemm_kernel 0 10 980 1
} | write
is "$(row precision 1-4)" "precision,0.48999999999999999,490000,1" \
	"precision: by the operator's inputs where the kernel's name tells no type"
is "$(row precision 11- | grep -c "inputs are FP32):.*,in aten::mm (1 time)")" 1 "… which it says"
cp "$trace" "$temp/inputs"
sed 's/"float","float"/"c10::Half","c10::Half"/' "$temp/inputs" >"$trace"
is "$(row precision)" "" "precision: not inputs of 16 bit"
sed 's/gemm_kernel/ampere_bf16_s16816gemm/' "$temp/inputs" >"$trace"
is "$(row precision)" "" "precision: not a kernel whose name tells 16 bit"
sed 's/"computeMajor":8/"computeMajor":6/g' "$temp/inputs" >"$trace"
is "$(row precision)" "" "precision: not on devices that have nothing faster for such inputs"
sed 's/gemm_kernel/cask_cudnn::computeOffsetsKernel(P)/' "$temp/inputs" >"$trace"
is "$(row precision)" "" "precision: not a kernel that computes addresses"
sed 's/gemm_kernel/softmax_kernel/' "$temp/inputs" >"$trace"
is "$(row precision)" "" "precision: not another kernel of the operator"
{
	step
	event cpu_op aten::addmm 0 10 '"Input Dims":[[128],[64,511],[511,128]]'
	kernel 'void cutlass::Kernel<cutlass_80_tensorop_bf16_s16816gemm_128x64_tn_align1>(P)' 0 10 980 1
} | write
is "$(row gemm_alignment 1-4)" "gemm_alignment,0.48999999999999999,490000,1" "gemm_alignment: align1 of BF16"
is "$(row gemm_alignment 11- | grep -c '\[64,511\]')" 1 "… and the shapes"
is "$(row big_kernel 11- | grep -c 'bf16_s16816gemm_128x64_tn_align1>(P) (1 time)')" 1 "big_kernel: names are whole"
is "$(paragraphs | grep -c ' Kernel<cutlass_80_tensorop_bf[.][.][.]816gemm_128x64_tn_align1>(P) (1 time)')" 1 \
	"… for people without namespaces, and in 60 columns"
cp "$trace" "$temp/short"
sed 's/tn_align1/tn_aligned_to_one_element_of_two_bytes_as_no_shape_is_align1/' "$temp/short" >"$trace"
is "$(paragraphs | grep -c ' Kernel<cutlass_80_tensorop_bf[.][.][.]es_as_no_shape_is_align1>(P) (1 time)')" 1 \
	"… with their beginning and their end"
cp "$temp/short" "$trace"
sed 's/align1/align8/' "$trace" >"$temp/wide" && mv "$temp/wide" "$trace"
is "$(row gemm_alignment)" "" "gemm_alignment: not align8"
sed 's/align8/align4/; s/bf16_s16816/s1688/' "$trace" >"$temp/tf32" && mv "$temp/tf32" "$trace"
is "$(row gemm_alignment)" "" "gemm_alignment: 4 is all that TF32 can have"
is "$(row big_kernel 1-4)" "big_kernel,0.97999999999999998,980000,1" "big_kernel: one that takes most of a busy GPU"
{
	step
	for device in 0 1; do
		call cudaLaunchKernel 0 5 "$((device + 1))"
		gpu kernel large 10 600 "$((device + 1))" "$device"
		call cudaLaunchKernel 5 5 "$((device + 3))"
		gpu kernel small 610 200 "$((device + 3))" "$device"
	done
} | write
is "$(row big_kernel 1-4)" "big_kernel,0.59999999999999998,600000,2" \
	"big_kernel: two devices pass the window's time together"
{
	step
	kernel large 0 10 900 1
	call cudaLaunchKernel 5 5 2
	gpu kernel large 10 900 2 0 8
} | write
is "$(row big_kernel 1-4)" "big_kernel,0.90000000000000002,900000,2" \
	"… and so do streams of one"
{
	step
	kernel 'void at::native::vectorized_elementwise_kernel<4>' 0 10 300 1
	kernel 'void at::native::elementwise_kernel<direct_copy_kernel>' 8 310 300 2
	kernel ampere_bf16_s16816gemm 16 610 380 3
} | write
is "$(row unfused_elementwise 1-4)" "unfused_elementwise,0.29999999999999999,300000,2" \
	"unfused_elementwise: over half of a busy GPU only passes over memory"
cp "$trace" "$temp/two"
sed '/direct_copy_kernel/d; s/"dur":300/"dur":600/' "$temp/two" >"$trace"
is "$(row unfused_elementwise)" "" "unfused_elementwise: not one kernel, which has nothing to be fused with"
cp "$temp/two" "$trace"
sed 's/elementwise_kernel<4>/reduce<4>/; s/void at::native::vectorized/triton_poi_fused_add/' "$trace" >"$temp/fused"
mv "$temp/fused" "$trace"
is "$(row unfused_elementwise)" "" "unfused_elementwise: not what a compiler fused"
{
	step
	event cpu_op aten::bmm 0 6
	kernel ampere_bf16_s16816gemm_a 0 10 300 1
	event cpu_op aten::_softmax 8 6
	kernel softmax_warp_forward 8 310 100 2
	event cpu_op aten::bmm 16 6
	kernel ampere_bf16_s16816gemm_b 16 410 300 3
	event cpu_op aten::mm 30 6
	kernel ampere_bf16_s16816gemm_c 30 710 280 4
} | write
is "$(row unfused_attention 1-4,9-11)" "unfused_attention,0.34999999999999998,350000,3,10000,300000,aten::bmm" \
	"unfused_attention: softmax and the products around it; the worst is one of them"
is "$(row unfused_attention 11- | grep -c 'aten::bmm (2 times, 86% of it), aten::_softmax (1 time, 14%)')" 1 "… each counted"
sed 's/aten::_softmax/aten::_log_softmax/' "$trace" >"$temp/log" && mv "$temp/log" "$trace"
is "$(row unfused_attention)" "" "unfused_attention: not a loss"
{
	step
	kernel 'void cudnn::ops::nchwToNhwcKernel<float>' 0 10 100 1
	kernel sm80_xmma_fprop_bf16 8 110 880 2
} | write
is "$(row layout_conversion 1-4)" "layout_conversion,0.10000000000000001,100000,1" "layout_conversion"

# shaped BLOCKS REGISTERS: a kernel of 980 µs on a device of 100 multiprocessors.
shaped()
{
	step
	call cudaLaunchKernel 0 5 1
	gpu kernel k 10 980 1 |
		sed "s/\"correlation\"/\"grid\":[$1,1,1],\"block\":[1024,1,1],\"registers per thread\":$2,\"shared memory\":0,&/"
}
shaped 1 16 | write
is "$(row few_blocks 1,2)" "few_blocks,0.97019999999999995" \
	"few_blocks: one busy multiprocessor of 100, with a GPU that is 98 % busy"
shaped 95 16 | write
is "$(row few_blocks 1,2)" "few_blocks,0.049000000000000002" "few_blocks: all that loses 2 %"
shaped 99 16 | write
is "$(row few_blocks)" "" "few_blocks: not what loses less"
shaped 1 16 | sed 's/"dur":980/"dur":9/; s/"dur":1000/"dur":20/' | write
is "$(row few_blocks)" "" "few_blocks: not kernels of less than 10 µs, which more blocks make no shorter"
shaped 1 16 | sed 's/cudaLaunch/hipLaunch/' | write
is "$(row few_blocks 11- | grep -c 'has 1 block for 100 compute units')" 1 "… in AMD's words in a trace of ROCm"
# If nothing else is known of a device, a trace may give the number of blocks per multiprocessor.
shaped 1 16 | sed 's/"grid":/"blocks per SM":0.3,&/' | write
sed 's/"deviceProperties":.*"traceEvents"/"traceEvents"/' "$trace" >"$temp/stated" && mv "$temp/stated" "$trace"
is "$(row few_blocks 1,2) $(row few_blocks 11- | grep -c 'has 0.30 blocks per multiprocessor')" \
	"few_blocks,0.68600000000000005 1" "few_blocks: what a trace states, if nothing is known of its device"
shaped 1000 16 | sed 's/"block":\[1024/"block":[32/; s/"shared memory":0/"shared memory":49000/' | write
is "$(row low_occupancy 1,2)" "low_occupancy,0.48999999999999999" "low_occupancy: one block of one warp"
is "$(row low_occupancy 11- | grep -c 'shared memory limits')" 1 "… because of shared memory"
shaped 1000 32 | write
is "$(row low_occupancy)" "" "low_occupancy: not if the device can be full"

# Ranks.
{
	step
	kernel gemm 0 10 700 1
	kernel ncclDevKernel_AllReduce 12 710 280 2
} | write
is "$(row exposed_communication 1-5)" "exposed_communication,0.28000000000000003,280000,1,0.050000000000000003" \
	"exposed_communication: nothing else runs"
parallel()
{
	step
	event cpu_op DataParallel.forward 10 800
	kernel gemm 12 20 960 2
	call cudaLaunchKernel 20 5 3
	gpu kernel gemm 26 950 3 "$1"
}
parallel 1 | write
is "$(row data_parallel 1-4)" "data_parallel,0.80000000000000004,800000,1" "data_parallel: DataParallel on two GPUs"
parallel 0 | write
is "$(row data_parallel)" "" "data_parallel: not on one"

ddp()
{
	step
	event cpu_op DistributedDataParallel.forward 10 800
	kernel gemm 12 20 970 2
}
ddp | write '"distributedInfo":{"backend":"gloo","rank":0,"world_size":2},'
is "$(row nccl 1-4)" "nccl,0.80000000000000004,800000,1" "nccl: ranks with GPUs talk by another backend"
{
	ddp
	event user_annotation gloo:all_reduce 300 50
	event user_annotation gloo:all_reduce 400 90
} | write
is "$(row nccl 1-4)" "nccl,0.14000000000000001,140000,2" \
	"nccl: ranges of gloo tell it where the trace says nothing of the backend"
ddp | write '"distributedInfo":{"backend":"gloo","rank":0,"world_size":2},' 3
is "$(row nccl)" "" "nccl: not for GPUs that cannot"
ddp | write '"distributedInfo":{"backend":"cpu:gloo,cuda:nccl","rank":0,"world_size":2},'
is "$(row nccl)" "" "nccl: not where the backend for GPUs is NCCL"
ddp | write
is "$(row nccl)" "" "nccl: not where nothing is known of the backend"
{
	step
	event user_annotation gloo:all_reduce 300 500
} | write '"distributedInfo":{"backend":"gloo","rank":0,"world_size":2},'
is "$(row nccl)" "" "nccl: not without GPUs"
is "$(row exposed_communication 1,2)" "exposed_communication,0.5" "exposed_communication: of gloo without GPUs"

# steps A B C: three steps of these lengths, busy all the time.
steps()
{
	event user_annotation 'ProfilerStep#1' 0 "$1"
	event user_annotation 'ProfilerStep#2' "$1" "$2"
	event user_annotation 'ProfilerStep#3' $(($1 + $2)) "$3"
	kernel a 0 10 $(($1 - 10)) 1
	kernel b "$1" $(($1 + 10)) $(($2 - 10)) 2
	kernel c $(($1 + $2)) $(($1 + $2 + 10)) $(($3 - 10)) 3
}
steps 100 100 200 | write
is "$(row step_variation 1-4,8)" "step_variation,0.25,100000,1,3" "step_variation: what a step takes above the median step"
is "$(row step_variation 11- | grep -c 'Look at the longest step: another batch size')" 1 "… and what it may do more"
steps 100 100 200 | sed 's/"dur":190/"dur":92/' | write
is "$(row step_variation 11- | grep -c 'Steps differ though the GPU does as much in each.*busy for 92.000us of the longest, in the median for 90.000us.*Look at what')" 1 \
	"… which is not the GPU's work where that is equal"
steps 100 100 119 | write
is "$(row step_variation)" "" "step_variation: not below 1.2 times"

# memory TIME BYTES DEVICE-TYPE: a record of PyTorch's allocator for device 1.
memory()
{
	printf ',{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":%s,"s":"t","args":{"Device Type":%s,"Device Id":1,"Bytes":1,"Total Allocated":%s}}\n' \
		"$1" "$3" "$2"
}
{
	step
	memory 20 901 1
	memory 40 950 1
	memory 50 -1 1
	memory 60 700 1
	memory 80 1000 0
} | write
is "$(row memory 1,2,4,6,9)" "memory,,1,1,40000" "memory: the peak of any device is over 90 % of what it has"
is "$(row memory 11- | grep -c '950B of 1000B')" 1 "… in bytes"
grows()
{
	for at in 0 1 2 3; do
		event user_annotation "ProfilerStep#$at" $((at * 100)) 100
		memory $((at * 100 + 50)) $((100 + at * $1)) 1
	done
	memory 410 700 1
}
grows 20 | write
is "$(row memory 11- | grep -c 'from 100B to 160B in 4 steps')" 1 "memory: grows with every step"
grows 0 | write
is "$(row memory)" "" "memory: not where it stays"

# The same from calls of CUDA, in a log of ours. Neither freed nor managed memory counts.
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
is "$(row memory 4,6,9)" "1,0,1200" "memory: what CUDA allocated counts in our logs"
allocations 900 | python3 "$test_dir/tools/text-log.py" "$trace"
is "$(row memory)" "" "memory: not at 90 %, and not what was freed or is managed"

# Time that CUPTI itself took belongs to the recording.
overhead()
{
	cat <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="all"
event 3 0 1000 api name="cudaLaunchKernel" dur=10 tid=7 corr=1 kind=1
event 3 1 1000000 api name="cudaLaunchKernel" dur=10 tid=7 corr=2 kind=1
event 3 2 1100 kernel name="k" dur=1000 context=1 queue=7 corr=1
event 3 3 1000100 kernel name="k" dur=1000 context=1 queue=7 corr=2
event 3 4 100000 overhead dur=400000 kind=65536 tid=7
event 1 1 1001100 pop
end status="clean"
LOG
}
overhead | python3 "$test_dir/tools/text-log.py" "$trace"
is "$(row recording_artefact 1,3,4)" "recording_artefact,400000,1" "recording_artefact: what CUPTI took for itself"

# Findings are sorted, worst first.
{
	step
	kernel a 0 10 290 1
	event user_annotation 'enumerate(DataLoader)#_X.__next__' 300 90
	kernel ncclDevKernel_AllReduce 391 400 590 2
} | write
is "$(csv advice | cut -d, -f1 | tr '\n' ' ')" "exposed_communication data_loading host_bound " "the worst stands first"

# A wait accounts for most of the host's lateness. The finding keeps the rest.
{
	step
	kernel a 0 10 390 1
	call cudaStreamSynchronize 300 105 9
	for at in 420 450 480; do
		kernel k $at $((at + 5)) 5 $at
	done
	kernel long 510 515 285 2
	kernel c 520 800 5 3
	kernel d 835 845 100 4
} | write
is "$(csv advice | grep -v big_kernel | cut -d, -f1,2 | tr '\n' ' ')" "sync_calls,0.10000000000000001 host_bound,0.13 short_kernels,0.115 " \
	"… but what is mostly charged to another finding stands with the rest"

# "No findings" differs from "no data".
said()
{
	"$top_builddir/analyzer/analyzer" stats --report advice "$trace" 2>/dev/null | head -n 1
}
{
	step
	event cpu_op aten::mm 0 900
} | write
is "$(said)" "(no GPU data: nothing to recommend on reading of input and communication; kernels, copies and idle time could not be judged)" \
	"without GPU data it says what could not be judged"
{
	step
	call cudaGetDevice 0 900 1
} | write
is "$(said | cut -d: -f1)" "(no operation of a GPU was recorded" "… and if there are calls only"
{
	step
	kernel a 0 10 330 1
	kernel b 8 340 330 2
	kernel c 16 670 330 3
} | write
is "$(said)" "(nothing to recommend)" "… and not where all was judged"
{
	step
	call cudaGetDevice 0 900 1
	step
} | write
sed '$d' "$trace" | head -c -20 >"$temp/cut" && mv "$temp/cut" "$trace"
is "$(said)" "(no operation of a GPU was recorded: nothing to recommend on reading of input and communication; kernels, copies and idle time could not be judged; events are missing, and could change that)" \
	"… nor where the file is cut"

# Rules apply to the steps that --steps chooses.
{
	event user_annotation 'ProfilerStep#1' 0 100
	kernel a 0 10 10 1
	kernel b 80 90 9 2
	event user_annotation 'ProfilerStep#2' 100 100
	kernel c 100 110 85 3
} | write
is "$(csv advice --steps 2 | grep host_bound | cut -d, -f1,2)" "host_bound,0.10000000000000001" "with --steps of these only"
{
	event user_annotation 'ProfilerStep#1' 0 100
	for at in 0 20 40 60 80; do
		kernel k $at $((at + 6)) 4 $((at + 1))
	done
	event user_annotation 'ProfilerStep#2' 100 100
	for at in 100 120 140; do
		kernel k $at $((at + 6)) 4 $((at + 1))
	done
	kernel l 180 186 12 181
} | write
is "$(csv advice --steps 2 | grep -o '[0-9]* of [0-9]* kernels')" "3 of 4 kernels" "... and the kernels are those of the steps"

# views COUNT DUR: a program that makes views of DUR us each between two kernels.
views()
{
	{
		event user_annotation 'ProfilerStep#1' 0 3000
		kernel a 0 10 900 1
		for at in $(seq 1 "$1"); do
			event cpu_op aten::view $((900 + at * 12)) "$2"
		done
		kernel b 1505 1510 1 2
		kernel c 2200 2210 700 3
	} | write
	row host_bound 11- | grep -o 'all operators are slow: [^;"]*\|Find what slows all operators'
}
is "$(views 100 8)" "all operators are slow: a view takes 8.000us, usually under 2us
Find what slows all operators" "host_bound: views that take 8 us tell that something slows all operators"
is "$(views 100 7)" "" "... but not if they take less"
is "$(views 99 8)" "" "... nor if they are too few to tell"

# Attention in a log, which has no operators: a softmax between two products. LOGS is a log-softmax,
# or that of a loss.
attention_log()
{
	{
		printf 'capture pid=7 clock="monotonic"\ndef stream id=1 tid=7 name="main"\ndef stream id=2 parent=1 name="GPU"\n'
		printf 'event 1 0 0 push name="forward"\nevent 1 1 100000 pop\n'
		number=0
		for name in nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT masked_fill_kernel "$1" nvjet_tst_64x128_64x8_1x2_h_bz_NNN; do
			printf 'event 2 %d %d api name="cudaLaunchKernel" dur=10 tid=7 corr=%d kind=1\n' $((number * 2)) $((100 + number * 20)) $((number + 1))
			printf 'event 2 %d %d kernel name="%s" dur=20000 context=1 queue=7 corr=%d\n' $((number * 2 + 1)) $((1000 + number * 20000)) "$name" $((number + 1))
			number=$((number + 1))
		done
		echo 'end status="clean"'
	} | python3 "$top_srcdir/tests/tools/text-log.py" "$temp/attention.bin"
	"$top_builddir/analyzer/analyzer" stats -r advice -f csv "$temp/attention.bin" 2>/dev/null | sed -n 's/^\(unfused_attention,[^,]*,[^,]*,[^,]*\),.*/\1/p'
}
is "$(attention_log softmax_warp_forward)" "unfused_attention,0.40000000000000002,40000,4" \
	"unfused_attention: in a log a softmax between two products, with what is between them"
is "$(attention_log 'softmax_warp_forward<float, float, float, 9, true, false>')" "" "… but not a log-softmax"
done_testing

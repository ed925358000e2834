#!/bin/sh
# SPDX-License-Identifier: MIT
# Our own breakdown, annotations, launch-outliers, idle-gaps, stragglers, sequences and launch, for
# several ranks. They lack the faults of HolisticTraceAnalysis that doc/metrics.md lists.
. "${0%/*}/../lib.sh"
need_temp
# shellcheck source=kineto/trace.sh
. "$test_dir/kineto/trace.sh"
analyzer=$top_builddir/analyzer/analyzer

# both REPORT [OPTION...]: prints the rows of a report on both ranks.
both()
{
	ranks_report=$1
	shift
	"$analyzer" stats --report "$ranks_report" --format csv "$@" "$temp/0.json" "$temp/1.json" \
		2>/dev/null | sed 1d
}

# Three runs of a, four names, a copy; times with fractions.
{
	gpu kernel a 0 10 1
	gpu kernel a 20 20.5 2
	gpu kernel a 50 30.1 3
	gpu kernel b 100 7 4
	gpu kernel c 110 6 5
	gpu kernel hip_like 120 5 6
	gpu kernel dSyncd 130 4 7
	gpu kernel 'ncclDevKernel_AllReduce' 150 9 8
	gpu gpu_memcpy 'Memcpy HtoD (Pinned -> Device)' 170 3.25 9
} | write '"distributedInfo":{"rank":3},'
is "$(csv breakdown)" \
	"3,computation,a,3,60600,30100,10000,10053,20200
3,computation,b,1,7000,7000,7000,,7000
3,computation,c,1,6000,6000,6000,,6000
3,computation,hip_like,1,5000,5000,5000,,5000
3,computation,dSyncd,1,4000,4000,4000,,4000
3,communication,ncclDevKernel_AllReduce,1,9000,9000,9000,,9000
3,memory,Memcpy HtoD,1,3250,3250,3250,,3250" \
	"breakdown: ns are exact; no name makes a kernel communication or nothing"
is "$(csv breakdown --set kernels=2 --set kernel-share=0.99 | sed -n 1,3p)" \
	"3,computation,a,3,60600,30100,10000,10053,20200
3,computation,b,1,7000,7000,7000,,7000
3,computation,others,3,15000,6000,4000,1000,5000" \
	"breakdown: where there are more names figures are still of single kernels, those of others too"
is "$(csv breakdown --set kernels=2 --set kernel-share=0.5 | sed -n 1,2p | cut -d, -f3-5)" \
	"a,3,60600
others,4,22000" "breakdown: the share is that of the kind's time"
is "$(csv breakdown --set memory=0 | grep -c memory)" 0 "breakdown: memory=0 leaves copies out"

# Annotations: a range whose work runs on two streams, launched twice. Operators do not count.
{
	event user_annotation forward 0 50
	event cpu_op aten::mm 5 10
	call cudaLaunchKernel 6 2 1
	call cudaLaunchKernel 10 2 2
	call cudaLaunchKernel 12 2 3
	event user_annotation forward 60 30
	call cudaLaunchKernel 61 2 4
	gpu kernel k 100 10 1
	gpu kernel k 130 10 2
	gpu kernel k 105 5 3 0 8
	gpu kernel k 200 20 4
	gpu gpu_user_annotation forward 99 300 0
} | write
is "$(csv annotations)" \
	"0,CPU,forward,2,80000,50000,30000,14142,40000
0,GPU,forward,3,65000,40000,5000,17559,21667" \
	"annotations: projections are from the work that the range launched, by stream"
cat <<'LOG' | python3 "$test_dir/tools/text-log.py" "$trace"
capture pid=7 clock="monotonic" rank=2
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 2000 kernel name="k" dur=500 context=1 queue=7 corr=1
event 1 1 1900 pop
end status="clean"
LOG
is "$(csv annotations)" "2,CPU,step,1,900,900,900,,900
2,GPU,step,1,500,500,500,,500" "annotations: of our logs all ranges"

# Launches by the driver count. A graph's call counts once. Copies whose call waits do not count.
{
	event cuda_driver cuLaunchKernel 0 10 '"correlation":1'
	gpu kernel k 5 3 1
	call cudaGraphLaunch 100 60.5 2
	gpu kernel k 161 100 2
	gpu kernel k 300.5 100 2
	call cudaMemcpy 500 90 3
	gpu gpu_memcpy 'Memcpy DtoH (Device -> Pageable)' 510 70 3
	call cudaMemcpyAsync 600 5 4
	gpu gpu_memcpy 'Memcpy DtoH (Device -> Pinned)' 700 7 4
	gpu kernel orphan 800 1 99
} | write
is "$(csv launch-outliers)" "0,4,75500,210000,235500,140000,100000,1,1,60500,100000,1,1" \
	"launch-outliers: cuLaunchKernel and graphs are launches, a call that waits is none"
is "$(csv launch-outliers --set short-cutoff=70 --set delay-cutoff=200 --set memory=0)" \
	"0,3,70500,203000,140500,140000,100000,1,0,60500,100000,0,1" \
	"launch-outliers: with limits of one's own"

# Operations that overlap leave no gap, and none is negative.
{
	call cudaLaunchKernel 0 1 1
	gpu kernel k 10 100 1
	call cudaLaunchKernel 2 1 2
	gpu kernel k 20 10 2
	call cudaLaunchKernel 4 1 3
	gpu kernel k 115 10 3
	call cudaLaunchKernel 5 1 4
	gpu kernel k 128 10 4
	call cudaLaunchKernel 150 1 5
	gpu kernel k 160 10 5
	call cudaLaunchKernel 151 1 6
	gpu kernel k 270.5 10 6
} | write
is "$(csv idle-gaps)" \
	"0,0,1,7,,host wait,22000,0.168582,1,22000,,22000,22000,22000,22000,22000
0,0,1,7,,kernel wait,8000,0.061303,2,4000,1414,3000,3500,4000,4500,5000
0,0,1,7,,queued,100500,0.770115,1,100500,,100500,100500,100500,100500,100500" \
	"idle-gaps: from the latest end of all before"
is "$(csv idle-gaps --set idle-delay=4 | cut -d, -f6-7,9)" "host wait,22000,1
kernel wait,3000,1
queued,105500,2" "idle-gaps: with a delay of one's own"

# Ranks whose clocks are an hour apart. Rank 1 is late to the first collective, rank 0 to the last.
# collectives ZERO DUR...: prints a collective for each DUR, one ms apart.
collectives()
{
	zero=$1
	i=0
	shift
	for dur in "$@"; do
		i=$((i + 1))
		call cudaLaunchKernel $((zero + i * 1000)) 2 $i
		gpu kernel ncclDevKernel_AllReduce $((zero + i * 1000 + 10)) "$dur" $i 0 0
	done
	event user_annotation 'ProfilerStep#1' $((zero + 900)) 3000
	event user_annotation save $((zero + 2945)) 60
}
collectives 0 100 50 20 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/0.json"
collectives 3600000000 30 50 80 | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/1.json"
is "$(both stragglers)" \
	"1,70000,0,0,,0,0,0,70000,1,3,70000,70000,70000,110000,ncclDevKernel_AllReduce,(its recording begins later),1
0,0,0,0,,60000,0,0,0,1,3,60000,0,60000,2110000,ncclDevKernel_AllReduce,save,0.91666666666666663" \
	"stragglers: who was shortest in a collective came last, whatever clocks say, in what and how much of it; newer NCCL, stream 0"
is "$("$analyzer" stats -r stragglers "$temp/0.json" "$temp/1.json" -w 0 2>/dev/null | grep '^Held up')" "" "stragglers: one hit is told by its row"
is "$("$analyzer" stats -r stragglers "$temp/0.json" | sed -n 1p)" \
	"(no collective that several ranks took part in: this compares the ranks of a run, given as several files, analyzer stats RANK0 RANK1 ... -r stragglers)" \
	"stragglers: of one file it says what it needs"
collectives 0 20 30 40 50 60 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/0.json"
collectives 0 920 330 240 150 60 | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/1.json"
is "$("$analyzer" stats -r stragglers "$temp/0.json" "$temp/1.json" -w 0 2>/dev/null | grep '^Held up')" \
	"Held up most by: rank 0, 4 times from 110.000us of its recording on, 1.500ms in all: 900.000us at 110.000us before ncclDevKernel_AllReduce, 900.000us of it as its recording begins later than rank 1's; \
300.000us at 1.110ms before ncclDevKernel_AllReduce; 200.000us at 2.110ms before ncclDevKernel_AllReduce, no half of it in one place, longest, 30 %, in save; 1 more 100.000us" \
	"stragglers: of the rank that held up the others most the three latest, and the rest"
# The recording of rank 1 begins 3970 us after rank 0 began to wait: 1010 us of 4980 are known.
collectives 0 5000 50 20 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/0.json"
collectives 0 20 50 20 | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/1.json"
is "$(both stragglers | cut -d , -f 1,10,13,17,18)" "1,1,4980000,(its recording begins later),1
0,0,0,," "stragglers: a wait for a recording that begins later has no place in it"
# Before the second collective, rank 1 spends 60 of 200 us in "load", 50 in "save", and the rest
# only in its step.
collectives 0 20 220 20 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/0.json"
{
	collectives 0 20 20 20
	event user_annotation load 1820 60
	event user_annotation save 1900 50
} | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/1.json"
is "$(both stragglers | cut -d , -f 1,12,13,17,18)" "1,200000,0,(longest) load,0.29999999999999999
0,0,0,," "stragglers: what took no half of the wait is marked as no cause"
collectives 0 100 50 20 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/0.json"
collectives 3600000000 30 50 80 | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/1.json"
# waits FILE...: prints rank, waits, others' waits and waits in the first collective, from the
# report "ranks".
waits()
{
	"$analyzer" stats -r ranks -f json "$@" | python3 -c '
import json, sys
for row in json.load(sys.stdin)["reports"]["ranks"]:
    print(row["rank"], row.get("wait_ns"), row.get("others_wait_ns"), row.get("first_wait_ns"))'
}
is "$(waits "$temp/0.json" "$temp/1.json")" "0 0 60000 70000
1 60000 0 0" "ranks: what each was longer in each of its collectives than the shortest, and whom that is due to"
"$analyzer" summarize "$temp/0.json" -o "$temp/0.sum" && "$analyzer" summarize "$temp/1.json" -o "$temp/1.sum"
is "$(waits "$temp/0.sum" "$temp/1.sum")" "$(waits "$temp/0.json" "$temp/1.json")" "... and so say their summaries"
# old_summary FROM TO: copies a summary without single durations, like those of older versions.
old_summary()
{
	python3 - "$1" "$2" <<'OLD'
import struct, sys, zlib

data = bytearray(open(sys.argv[1], "rb").read())
run, source, _, stored = struct.unpack_from("<IIQQ", data, 40)
at = 64 + run + source
raw = zlib.decompress(bytes(data[at:at + stored])).replace(b"\xabcollectives", b"\xabkollectives")
raw = raw.replace(b"\xb1collective_starts", b"\xb1kollective_starts")
packed = zlib.compress(raw)
part = data[:56] + struct.pack("<Q", len(packed)) + data[64:at] + packed
struct.pack_into("<I", part, 12, zlib.crc32(part[16:]))
open(sys.argv[2], "wb").write(part + data[at + stored:])
OLD
}
old_summary "$temp/0.sum" "$temp/old0.sum" && old_summary "$temp/1.sum" "$temp/old1.sum"
is "$(waits "$temp/old0.sum" "$temp/old1.sum")" "0 10000 0 0
1 0 10000 0" "... those of older versions by the sums of a name"
collectives 3600000000 90 50 15 | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/2.json"
is "$("$analyzer" stats -r ranks "$temp/0.json" "$temp/2.json" | grep -c '^The others wait')" 0 \
	"ranks: waits below 2 % of the steps are worth no line"
mkdir "$temp/torn" && cp "$temp/0.json" "$temp/2.json" "$temp/torn" && echo '{"traceEvents": [' >"$temp/torn/3.json"
is "$("$analyzer" stats -r ranks "$temp/torn" -f csv 2>"$temp/err" | cut -d, -f2 | tr '\n' ' '
sed 1q "$temp/err" | tr '\n' ' ')" "rank 0 1 analyzer: $temp/torn/3.json: offset 18: expected events, but none can be read " \
	"ranks: a file that ends before its first event is told, and no rank of 0 ns"
is "$("$analyzer" stats -r stragglers "$temp/torn" 2>&1 >/dev/null; echo $?)" \
	"analyzer: $temp/torn/3.json: offset 18: expected events, but none can be read
3" "stragglers: nor is it there"
collectives 0 900 800 700 | write '"distributedInfo":{"rank":0},'
mkdir "$temp/runs" "$temp/runs/a" "$temp/runs/b"
cp "$temp/1.json" "$temp/runs/a"
mv "$trace" "$temp/runs/a/0.json"
collectives 0 1 2 3 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/runs/b/0.json"
is "$(waits "$temp/runs")" "0 1370000 0 870000
1 0 1370000 0
0 None None None" "ranks: only those of one run wait for each other"
is "$("$analyzer" stats -r ranks,api --sort badkey "$temp/runs" 2>&1 | sed 's/ has run.*/ has .../; s/ has name.*/ has .../'; "$analyzer" stats -r ranks --sort badkey "$temp/runs" 2>/dev/null; echo $?)" \
	'analyzer: --sort: no chosen report has a column "badkey"
analyzer: the report ranks has ...
analyzer: the report api has ...
2' "ranks: a key to sort by that no report has is refused, with those that they have"
is "$("$analyzer" stats -r ranks,stragglers --sort late "$temp/runs/a" >/dev/null 2>&1; echo $?) $("$analyzer" stats -r stragglers,ranks --sort wait "$temp/runs/a" >/dev/null 2>&1; echo $?) $("$analyzer" stats -r stragglers,ranks --sort badkey "$temp/runs/a" >/dev/null 2>&1; echo $?)" "0 0 2" \
	"... one that a report of either kind has is taken"
# The first collective is the first one of all names, not of each name.
named()
{
	for at in "broadcast 1000 $1" "allreduce 2000 $2" "broadcast 3000 $3"; do
		# shellcheck disable=SC2086 # NAME START DUR
		gpu kernel ncclKernel_$at 1
	done
}
named 500 40 30 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/5.json"
named 20 10 90 | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/6.json"
is "$(waits "$temp/5.json" "$temp/6.json")" "0 30000 60000 480000
1 60000 30000 0" "ranks: the wait in the first collective is told apart"
"$analyzer" summarize "$temp/5.json" "$temp/6.json" -o "$temp/56.sum"
is "$(waits "$temp/56.sum")" "$(waits "$temp/5.json" "$temp/6.json")" "... by their summary, too"
is "$("$analyzer" stats -r ranks "$temp/runs" | grep '^The others')" \
	"The others wait for a rank 1 in collectives: 1.370ms, 45.7 % of their steps (late from the start, no slower itself)" \
	"ranks: a line says whom the others wait for"
"$analyzer" batch "$temp/runs" -o "$temp/batch" >"$temp/out"
is "$(grep '^The others' "$temp/batch/report.txt")" \
	"The others wait for a rank 1 in collectives: 1.370ms, 45.7 % of their steps (late from the start, no slower itself)" "report.txt of batch has it, too"
collectives 0 100 50 | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/0.json"
is "$(waits "$temp/0.json" "$temp/1.json" 2>&1)" "0 None None None
1 None None None" "ranks: nor of collectives that do not go together"
is "$(both stragglers)" "" "stragglers: not of collectives that do not go together"

# Operators on several levels; a GPU-only name in each rank's own table of names.
sequences()
{
	event cpu_op aten::linear 0 100
	event cpu_op aten::linear 1 50
	call cudaLaunchKernel 5 1 1
	call cudaLaunchKernel 10 1 2
	event cpu_op Module 200 100
	event cpu_op aten::linear 210 80
	call cudaLaunchKernel 220 1 3
	call cudaLaunchKernel 230 1 4
	event cpu_op aten::linear 400 10
	call cudaLaunchKernel 402 1 5
	gpu kernel "$1" 500 5 2
	gpu kernel gemm 490 5 1
	gpu kernel gemm 510 5.5 3 0 0
	gpu kernel "$1" 520 5 4
	gpu kernel gemm 530 5 5
}
sequences bias | write '"distributedInfo":{"rank":0},'
mv "$trace" "$temp/0.json"
sequences other | write '"distributedInfo":{"rank":1},'
mv "$trace" "$temp/1.json"
is "$(both sequences --set op-kernels=2)" \
	"0,aten::linear|gemm|bias,2,2,20500,180000
1,aten::linear|gemm|other,2,2,20500,180000" \
	"sequences: the outermost operators of any level; all streams; names of each rank"
is "$(both sequences --set op-kernels=1 --set op=linear | cut -d, -f2,4)" \
	"aten::linear|gemm|bias,2
aten::linear|gemm|other,2
aten::linear|gemm,1
aten::linear|gemm,1" "sequences: the most frequent first"
is "$(both sequences)" "" "sequences: not with fewer operations than asked for"
is "$(both launch | cut -d, -f1,2,4,17)" \
	"0,490000,gemm,stack
0,500000,bias,stack
0,510000,gemm,stack
0,520000,bias,stack
0,530000,gemm,stack
1,490000,gemm,stack
1,500000,other,stack
1,510000,gemm,stack
1,520000,other,stack
1,530000,gemm,stack" "launch: of each rank by start, with its own names"
is "$(both breakdown | cut -d, -f1,3)" "0,gemm
0,bias
1,gemm
1,other" "breakdown: of each rank with its own names"
done_testing

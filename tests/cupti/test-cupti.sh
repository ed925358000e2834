#!/bin/sh
# SPDX-License-Identifier: MIT
# The log has a program's GPU work, whatever version of CUPTI the program finds and however it ends.
# Without CUPTI the log says why, and ranges are still recorded.
# shellcheck disable=SC2016 # texts for inner shells and awk

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 12 13 18 26 130000 130400
links=$top_builddir/tests/cupti/links
[ -x "$links" ] || skip_all "$links is not built"

# ---- Every version ----

for version in 13 18 26 130000 130400; do
	run $version init threads=3 launches=1000 devices=4 streams=8 work all
	is "$run_status:$(count '^event .* kernel ')" 0:3004 "version $version: every kernel is in the log"
	is_empty "$(grep fake "$temp/errors")" "version $version: no rule of CUPTI is broken"
	clock=1 # 2: CUPTI's own, before 11.6, and where it is shared, which takes a line more
	[ "$version" -ge 17 ] && [ "$version" -lt 130300 ] || clock=2
	lines=1
	[ "$version" -lt 130300 ] || lines=2
	is "$(count "^def stream .*parent=$clock tid=0 name=\"GPU\"")" 1 "version $version: times are of the right clock"
	is "$(statuses | wc -l):$(statuses | grep -c "^ CUPTI $version from $temp/cupti-$version/libcupti.so.13")" $lines:1 \
		"version $version: one line says what was found"
done

# ---- What is recorded ----

# line OP: prints the attributes of the only event of that op, without the parts that differ between
# runs.
line()
{
	sed -nE "s/^event [0-9]+ [0-9]+ [0-9]+ $1 //p" "$temp/dump" | sed -E 's/ (corr|tid)=[0-9]+//g; s/^(corr|tid)=[0-9]+ //'
}
RANGES_GRAPH_NODES=0 run 130000 init all names
is "$(line copy | head -n 1)" "dur=1500 context=1 queue=11 bytes=4096 kind=1 src=2 dst=3" "a copy"
is "$(line copy | tail -n 1)" "dur=1500 device=1 context=2 queue=7 bytes=8192 kind=10 src=1 dst=2" "a copy between devices"
is "$(line set)" "dur=300 context=1 queue=11 bytes=512 kind=3" "a memory set"
is "$(count ' gpu_sync '):$(count ' api name="cudaStreamSynchronize"')" 0:1 "a wait is its call alone: records of waits make every call dear"
is "$(line graph_launch)" "dur=3000 context=1 queue=11 graph=77" "a graph, as a whole"
is "$(line overhead)" "dur=700 kind=131072" "overhead"
is "$(line jit)" "dur=5000 kind=3 src=1" "a compilation"
is "$(line kernel | sed 's/ queued=[0-9]*//')" 'name="_Z6vecAddPKfS0_Pfi" dur=1000 device=3 context=4 queue=18 shape=1' "a kernel"
is "$(line api | sed -E 's/ ?(dur|kind)=[0-9]+//g' | sort | uniq -c | awk '{ print $2 $1 }' | tr '\n' ' ')" \
	'name="cudaEventRecord"1 name="cudaGraphLaunch"1 name="cudaLaunchKernel"3 name="cudaMalloc"1 name="cudaMemcpy"2 name="cudaMemset"1 name="cudaStreamSynchronize"1 ' \
	"calls of the runtime, by plain names, without those that nobody wants"
# A kernel and its call share a number, and the call belongs to the thread that pushed the range.
is "$(awk 'FNR == NR && / kernel / { for (i = 1; i <= NF; i++) if ($i ~ /^corr=/) want[$i] = 1 }
	FNR != NR && / api / { for (i = 1; i <= NF; i++) { if ($i ~ /^corr=/) c = $i; if ($i ~ /^tid=/) t = $i } if (c in want) tids[t] = 1; if (c in want) n++ }
	FNR == NR && /^def stream .* name="program"/ { for (i = 1; i <= NF; i++) if ($i ~ /^tid=/) main = $i }
	END { print n, (main in tids) }' "$temp/dump" "$temp/dump" | tail -n 1)" "1 1" \
	"a kernel's call has its number and the thread's id"
is "$(grep -c '^def device .*name="Fake GPU' "$temp/dump"):$(count '^def context '):$(count '^def gpu_stream ')" 4:4:8 \
	"devices, contexts and streams are defined"
# The upper half of a stream's number is its context's number.
is "$(count '^def object_id id=1 parent=327680 val=1$'):$(count "^def object_id id=274 parent=327681 val=$(((2 << 32) + 18))\$"):$(
	count "^def object_id id=786 parent=327681 val=$(((4 << 32) + 18))\$"):$(count '^def object_id id=4097 parent=262146 val=1$')" 1:1:1:1 \
	"objects named through NVTX, and resources, are tied to CUPTI's numbers"
is "$("$links" log.bin | grep '^queue' | tr '\n' ',')" \
	"queue 0 1 11 - first -,queue 1 2 7 - - second,queue 3 4 18 prefetch - -," \
	"streams, contexts and devices have the program's names, each in its own context"
is "$(count '^loss stream=1 cause=gpu_dropped count=17$')" 1 "what the driver dropped is counted"
is "$(count '^loss stream=1 cause=gpu_ts_invalid count=2$')" 1 "and what had no times, or inverted ones"
run 130000 init launches=700 work
is "$(count '^def launch_shape ')" 7 "equal launches share a shape"
run 26 init all
is "$(count ' name="cudaGetDevice"')" 0 "calls that nobody wants are left out of older versions too"
run 130000 init threads=2 launches=50 work
is "$(count ' push name="step"'):$(count ' pop')" 10:10 "ranges are recorded beside"

# ---- Work for another thread's range ----

run 130000 init handoff
is "$run_status:$("$links" log.bin | tr '\n' ' '):$(cat "$temp/out")" \
	"0:queue 0 1 11 - - - queue 0 1 12 - - - queue 0 1 13 - - - queue 0 1 14 - - - rule none 3 rule handoff 2 :context captured" \
	"what a worker launches for a range of another thread belongs to that"
is "$("$analyzer" stats --format tsv log.bin | awk -F '\t' '$1 == "asked" { print $11, $13 }')" "2000 1" \
	"though the range has ended"
"$temp/program" init handoff >"$temp/out"
is "$?:$(cat "$temp/out")" "0:context none" "where nobody records, handing off does nothing"

# ---- CUPTI for another ----

RANGES_FLUSH_MS=60000 run 130000 init launches=30 work subscribe release subscribe launches=20 work release
is "$run_status:$(count ' kernel '):$(tr '\n' ' ' <"$temp/out"):$(grep fake "$temp/errors")" \
	"0:30:subscribe 39 subscribe 0 :" "a program gets CUPTI for another profiler, and loses nothing"
is "$(statuses | grep -c '^ CUPTI was released, as the program asked')" 1 "which is said"
run 130000 push release init launches=20 work maps
is "$run_status:$(count ' kernel '):$(cat "$temp/out"):$(statuses)" "0:0:: no GPU data: the program asked libranges not to use CUPTI" \
	"if it asks early, CUPTI is not loaded"

# ---- Options ----

options='--cuda driver,memory,graph-nodes,events'
run 130000 init all
is "$(line memory)" "context=1 bytes=1048576 addr=139637976731648 kind=1 src=3" "allocations, if wanted"
is "$(line gpu_event)" "id=5 context=1 queue=11 sync=1" "events, if wanted"
is "$(count ' gpu_sync '):$(count ' gpu_sync .* kind=3')" 1:1 "and waits with them"
is "$(count ' kernel name="node_kernel"'):$(count ' graph=77 node=330712481793'):$(count ' graph_launch ')" 3:1:0 \
	"a graph's nodes, if wanted"
is "$(count ' api name="cuLaunchKernel" .*kind=2'):$(count ' api .*kind=2')" "3:$(count ' api .*kind=1')" "calls of the driver, if wanted"
options='--cuda sync'
run 130000 init all
is "$(line gpu_sync):$(count ' gpu_event ')" "dur=100 context=1 queue=11 kind=3:0" "or waits alone"
options='--cuda unified-memory,external'
run 130000 init unified all
is "$(line unified_memory | tr '\n' '|'):$(line external)" \
	"dur=250 bytes=65536 addr=139637976735744 kind=1 dst=1|addr=139637976735744 kind=3 dst=1|dur=250 bytes=2 addr=139637976735744 kind=4 dst=1|:id=4711 kind=3" \
	"unified memory and libraries' own numbers, if wanted"
run 18 init unified all
is "$(count ' unified_memory '):$(statuses | grep -c unified):$(grep fake "$temp/errors")" 3:0: "from older versions, too"
FAKE_CUPTI_UNIFIED_ERROR=28 run 130000 init unified all
is "$(count ' unified_memory '):$(statuses | grep -c '^28 counters of unified memory: FAKE_ERROR')" 0:1 \
	"where the machine has no such counters, a line says so"
rm -f late.bin
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUDA=unified-memory RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
	"$temp/program" init push unified all 2>"$temp/errors"
"$analyzer" dump late.bin >"$temp/dump"
is "$(count ' unified_memory '):$(grep fake "$temp/errors")" 3: "and when CUDA was there before us"
rm -f late.bin
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUDA=unified-memory RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
	"$temp/program" push init unified all 2>"$temp/errors"
"$analyzer" dump late.bin >"$temp/dump"
is "$(count ' unified_memory '):$(grep fake "$temp/errors"):$(statuses | grep -c '^ CUPTI')" 3::1 "or its driver was loaded, and not begun with"

# ---- Memory pools, mapped memory, what kernels are launched with ----

options='--cuda memory'
for version in 13 18 26 130400; do
	run $version init pools attributes
	pools=3
	memories=8
	[ "$version" != 13 ] || { pools=0; memories=3; } # CUPTI reports allocations from 11.2 on
	is "$run_status:$(count ' memory_pool '):$(count ' memory '):$(count ' memory .* dst=1$'):$(grep fake "$temp/errors")" "0:$pools:$memories:3:" \
		"version $version: pools, what is allocated from them, and what cuMemMap maps and cuMemUnmap unmaps; not what fails"
	is "$(count ' api name="cuMem(Create|Map|Unmap|Release)" ')" 8 "version $version: so are the calls of the driver that make, map, unmap and give back such memory"
	"$analyzer" stats --report memory --format csv log.bin | cut -d , -f 1-8,11,13,14 >"$temp/memory"
	[ "$version" = 13 ] || is "$(grep pools "$temp/memory" | tr '\n' ' ')" \
		"0,Device pools,2,50000000,30000000,1,20000000,50000000,67108864,1,30000000 1,Device pools,1,5000,5000,0,0,5000,33554432,1,5000 " \
		"version $version: the report memory has what was taken from pools, and what they held"
	is "$(grep mapped "$temp/memory")" "1,Device mapped,2,6291456,4194304,1,2097152,6291456,,1,4194304" \
		"version $version: and what was mapped, on its context's device"
done
is "$("$analyzer" stats --report memory log.bin | sed -n 's/^Memory pools //p' | tr '\n' ',')" "created: 2,trimmed: 1,destroyed: 0," "below it stands what became of pools"
is "$("$analyzer" stats --report launch --format csv log.bin | cut -d , -f 4,18-20 | grep -E '^(plain|clustered|cooperative|urgent),' | tr '\n' ' ')" \
	"plain,,, clustered,4,, cooperative,,cooperative, urgent,,,-5 " "the report launch has clusters, cooperative launches and priorities"
is "$("$analyzer" stats --report kernels --format csv log.bin | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 ~ /^(plain|clustered|cooperative|urgent)$/ { print $1 "," $at["cluster_blocks"] "," $at["launch_type"] "," $at["priority"] }' | sort | tr '\n' ' ')" \
	"clustered,4,, cooperative,,cooperative, plain,,, urgent,,,-5 " "and so has kernels"
"$analyzer" log.bin -o out.json >/dev/null 2>&1
is "$(grep -c '"name":"clustered".*"cluster":\[4,1,1\]' out.json):$(grep -c '"name":"cooperative".*"launch type":"cooperative"' out.json):$(
	grep -c '"name":"urgent".*"priority":-5' out.json)" 1:1:1 "so has the timeline"
options=
run 130000 init pools attributes
is "$(count ' memory_pool '):$(count ' memory '):$(count ' api name="cuMem'):$(count '^def launch_shape '):$("$analyzer" stats --report launch --format csv log.bin | grep -c -- '-5$')" 0:0:0:3:0 \
	"nothing of memory unless it is wanted, and no priority before 13.1"

# ---- Between cudaProfilerStart and cudaProfilerStop ----

options='--cuda profiler'
for version in 13 18 26 130000 130400; do
	run $version init launches=100 work profile=1 launches=30 range=first work profile=1 profile=0 profile=0 \
		launches=100 range=between work profile=1 launches=7 range=second work profile=0 launches=100 work
	is "$run_status:$(count ' kernel '):$(count ' api name="cudaLaunchKernel"'):$(grep fake "$temp/errors")" 0:37:37: \
		"version $version: --cuda profiler records the GPU between cudaProfilerStart and cudaProfilerStop"
	is "$(count ' push name="step"'):$(count ' push name="first"'):$(count ' push name="between"'):$(count '^def device ')" 10:3:10:4 \
		"ranges are recorded throughout, and devices are known"
	is "$(statuses | grep -c '^ GPU data covers only the time between cudaProfilerStart and cudaProfilerStop: 2 times$')" 1 "a line says so"
done
run 130000 init launches=100 work
is "$run_status:$(count ' kernel '):$(count ' api '):$("$analyzer" log.bin | grep -c '^note: no GPU data: RANGES_CUDA=profiler waits for cudaProfilerStart')" 0:0:0:1 \
	"without cudaProfilerStart there is no GPU data, and the summary says why"
options='--cuda profiler,unified-memory'
run 130000 init all profile=1 unified all profile=0 all
is "$(count ' unified_memory '):$(count ' copy ')" 3:2 "what is recorded besides is of that time, too"
options='--cuda profiler'
RANGES_FLUSH_MS=60000 run 130000 init profile=1 launches=20 work release launches=10 work profile=1 launches=5 work
is "$run_status:$(count ' kernel '):$(grep fake "$temp/errors")" 0:20: "a program that gives CUPTI away gets nothing started by it"
options=
run 130000 init launches=10 work profile=1 launches=10 work profile=0 launches=10 work
is "$(count ' kernel ')" 30 "without the option both calls mean nothing"
options='--no-cuda'
run 130000 init push launches=10 work maps
is "$?:$(count ' push '):$(count '^def (gpu_status|device)'):$(cat "$temp/out")" 0:2:0: "--no-cuda records ranges only, and loads nothing"
options=
RANGES_CUDA=nonsense "$ranges" run -f -o log.bin "$temp/program" push 2>"$temp/errors"
is "$?:$(grep -c '"nonsense" is not one of off, on, driver' "$temp/errors")" 0:1 "a wrong option is said"
run 130000 push maps
is "$(cat "$temp/out")" "" "a program that does not initialise CUDA loads no libcupti"
run 130000 init maps
is "$(grep -c . "$temp/out" | sed 's/^[1-9][0-9]*$/some/')" some "one that does, does"
rm -f log.bin
CUDA_INJECTION64_PATH=$temp/other.so "$ranges" run -o log.bin "$temp/program" push init >"$temp/out" 2>"$temp/errors"
is "$?:$(grep -c "^ranges: CUDA_INJECTION64_PATH=$temp/other.so keeps its place: no GPU data" "$temp/errors"):$(
	grep -c "^fake-cuda: CUDA_INJECTION64_PATH=$temp/other.so is no tool" "$temp/errors")" 0:1:1 "another tool keeps its place, and a line says so"
foreign="no GPU data: CUDA calls $temp/other.so, which CUDA_INJECTION64_PATH names, and not libranges"
"$analyzer" dump log.bin >"$temp/dump"
is "$(statuses):$("$analyzer" log.bin | grep '^note: no GPU data')" " $foreign:note: $foreign" "so does the log, and the summary"
rm -f log.bin
CUDA_INJECTION64_PATH=$temp/other.so NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=log.bin "$temp/program" push init >"$temp/out" 2>"$temp/errors"
"$analyzer" dump log.bin >"$temp/dump"
is "$(statuses)" " $foreign" "also without a launcher"
rm -f log.bin
CUDA_INJECTION64_PATH=libother.so NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=log.bin "$temp/program" push init >"$temp/out" 2>"$temp/errors"
"$analyzer" dump log.bin >"$temp/dump"
is "$(statuses)" " no GPU data: CUDA calls libother.so, which CUDA_INJECTION64_PATH names, and not libranges" "also a tool without a folder"
rm -f log.bin
ln -s "$library" "$temp/link.so"
CUDA_INJECTION64_PATH=$temp/link.so NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=log.bin RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
	"$temp/program" push init launches=10 work >"$temp/out" 2>"$temp/errors"
"$analyzer" dump log.bin >"$temp/dump"
is "$(statuses | grep -c CUDA_INJECTION64_PATH):$(count ' kernel ')" 0:10 "libranges by another name is no other tool"
for injection in "$library" ''; do
	CUDA_INJECTION64_PATH=$injection run 130000 init launches=10 work
	is "$run_status:$(count ' kernel '):$(grep CUDA_INJECTION "$temp/errors")" 0:10: "CUDA_INJECTION64_PATH=${injection##*/} does no harm"
done
unset CUDA_INJECTION64_PATH

# ---- Failures ----

# fails CODE PATTERN SENTENCE: after a run the log has one line about the GPU, and the range.
# `ranges run` and the summary have the line, too.
fails()
{
	is "$(grep -cE "^ranges: $2" "$temp/errors"):$("$analyzer" log.bin | grep -cE "^note: $2")" 1:1 "it is said at the end, and by the summary"
	is "$(statuses | wc -l):$(statuses | grep -cE "^$1 $2"):$(count ' push name="step"'):$(count ' kernel ')" 1:1:1:0 "$3"
	statuses | sed 's/^/# /'
}
for code in 39 12 999 35; do
	FAKE_CUPTI_SUBSCRIBE_ERROR=$code
	export FAKE_CUPTI_SUBSCRIBE_ERROR
	run 130000 init launches=10 work
	fails $code 'no GPU data: (another profiler|this user|CUPTI finds no usable driver)' "error $code is said, ranges go on"
done
unset FAKE_CUPTI_SUBSCRIBE_ERROR
run none init launches=10 work
fails '' 'no GPU data: RANGES_CUPTI_PATH=.* can.t be loaded' "so is a library that is not there"
run 12 init launches=10 work
fails '' 'no GPU data: .* is too old \(version 12\)' "and one that is too old"
"$analyzer" info log.bin >"$temp/info"
is "$(grep -c '^gpu .*no GPU data: .* is too old' "$temp/info")" 1 "analyzer info says so"
is "$("$analyzer" info --format json log.bin | grep -c 'is too old (version 12): expected CUDA 11.0 or later')" 1 "as JSON too"
run 130000 push
is "$("$analyzer" info log.bin | grep '^gpu')" 'gpu              "no GPU data: no CUDA driver has called libranges: libcuda.so.1 was not loaded or not initialised; is an NVIDIA driver installed?"' \
	"and that CUDA was not there"
options=--no-cuda
run 130000 push
is "$("$analyzer" info log.bin | grep '^gpu')" 'gpu              "no GPU data: RANGES_CUDA was off"' "or that nobody wanted it"
options=
FAKE_CUPTI_ENABLE_ERROR=17:21 run 130000 init all
is "$(statuses | grep -c '^21 records of kind 17: FAKE_ERROR'):$(count ' kernel ')" 1:4 "a kind that can't be had is said, the others come"
FAKE_CUPTI_TIME_ERROR=7 run 130000 init all
is "$(statuses | grep -c '^7 times are the system.s'):$(count '^def stream .*parent=2 tid=0 name="GPU"')" 1:1 \
	"without our clock, times are the system's, and marked so"

# ---- Ends ----

RANGES_FLUSH_MS=60000 run 130000 init launches=500 work _exit
is "$?:$(count ' kernel ')" 0:0 "what CUPTI still has at _exit is lost" # of the fake: less than a buffer
RANGES_FLUSH_MS=50 run 130000 init launches=500 work flushed=2 launches=200 work kill
is "$?:$([ "$(count ' kernel ')" -ge 500 ] && echo enough)" 137:enough "at a kill, only what came since the last flush"
is "$("$analyzer" log.bin | grep -c '^note: .* _exit or exec.* without the data that CUPTI still held$')" 1 "the footer says that it is"
RANGES_FLUSH_MS=60000 run 130000 init launches=500 work exec
is "$run_status:$(count ' kernel '):$(count ' push '):$("$analyzer" log.bin | grep -c ' without the data that CUPTI still held$'):$(
	"$analyzer" dump log.*.bin | grep -c ' kernel ')" 0:0:50:1:5 "so it is at exec in the middle of a buffer, and what comes then has a log of its own"
ends="quick_exit pthread_exit sleep=0"
case ${SANITIZERS:-no} in
*thread*)
	# It has a thread of its own, so such a process never ends.
	ends="quick_exit sleep=0"
	skip "nothing at pthread_exit" "ThreadSanitizer has a thread of its own"
	;;
esac
for end in $ends; do
	RANGES_FLUSH_MS=300 run 130000 init threads=4 launches=500 work "$end"
	is "$?:$(count ' kernel '):$(grep fake "$temp/errors")" 0:2000: "nothing at ${end%=*}, and CUPTI is left before the driver"
done
case ${SANITIZERS:-no} in
*thread*) skip "a fork leaves the GPU to the parent" "this sanitizer ends children of programs with threads" ;;
*)
	RANGES_FLUSH_MS=20 run 130000 init launches=100 work sleep=100 fork launches=100 work
	child=$(echo log.*.bin)
	is "$run_status:$(count ' kernel ')" 0:200 "a fork leaves the parent's GPU alone"
	"$analyzer" dump "$child" >"$temp/child" 2>&1
	rm -f "$child"
	RANGES_FLUSH_MS=60000 run 130000 init launches=100 work fork launches=100 work
	is "$run_status:$(count ' kernel '):$(count '^loss '):$(grep fake "$temp/errors")" 0:200:0: "also in the middle of a buffer"
	is "$(grep -c ' push name="child"' "$temp/child"):$(grep -cE ' kernel |gpu_status' "$temp/child")" 1:0 \
		"the child has its ranges and no GPU"
	is_empty "$(grep fake "$temp/errors")" "and breaks no rule"
	;;
esac

# ---- Other ways in ----

if [ "${SANITIZERS:-no}" != no ]; then
	skip "preloaded, the driver finds us too" "a sanitizer must be loaded first"
else
	rm -f late.bin
	LD_PRELOAD="${LD_PRELOAD:-} $library" RANGES_OUTPUT=late.bin RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
		"$temp/program" init launches=30 work 2>"$temp/errors"
	"$analyzer" dump late.bin >"$temp/dump"
	is "$(count ' kernel '):$(grep fake "$temp/errors")" 30: "preloaded, the driver finds us too"
fi
rm -f late.bin
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
	"$temp/program" init launches=20 work push launches=30 work 2>"$temp/errors"
"$analyzer" dump late.bin >"$temp/dump"
is "$(count ' kernel '):$(grep fake "$temp/errors")" 50: "from NVTX alone, from the first range on"

# ---- NVIDIA's own runtime, if it is installed without a driver ----

if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
cat >real.c <<'END'
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "ranges/nvtx.h"

int main(void)
{
	char line[4096];
	FILE *maps;
	void *memory;
	int count = -1;

	nvtxRangePushA("real");
	printf("%d\n", (int) cudaGetDeviceCount(&count));
	printf("%d\n", (int) cudaMalloc(&memory, 4));
	nvtxRangePop();
	maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps)) {
		if (strstr(line, "libcupti")) {
			printf("%s", line);
		}
	}
	return 3;
}
END
for form in cudart cudart_static; do
	what="a program with $form and no driver behaves as without us, and its log says that no driver came"
	library_dir=$(find "${CUDA_INCLUDE:-/nonexistent}/../lib64" "${CUDA_INCLUDE:-/nonexistent}/../lib" -maxdepth 1 \
		-name "lib$form.*" -exec dirname {} \; 2>/dev/null | head -n 1)
	# shellcheck disable=SC2086 # the flags are meant to be split
	if [ -z "$library_dir" ] || ! ${CC:-cc} $cupti_flags -I"$top_srcdir/libranges/include" -isystem "$CUDA_INCLUDE" \
		-o real real.c -L"$library_dir" -Wl,-rpath,"$library_dir" -l$form -lpthread -ldl -lrt 2>"$temp/errors"; then
		skip "$what" "no CUDA runtime to link with"
		continue
	fi
	./real >"$temp/plain" 2>"$temp/plain-errors"
	if grep -qx 0 "$temp/plain"; then
		skip "$what" "there is a driver"
		continue
	fi
	"$ranges" run -q -f -o real.bin ./real >"$temp/out" 2>"$temp/errors"
	is "$?:$(cmp "$temp/plain" "$temp/out"):$(cat "$temp/errors"):$("$analyzer" info real.bin | grep -c '^gpu .*no CUDA driver')" 3:::1 "$what"
done

# ---- Much ----

launches=125000
[ "${SANITIZERS:-no}" = no ] || launches=6000
rm -f book
RANGES_CUDA_BUFFER=2G RANGES_FLUSH_MS=200 FAKE_CUPTI_LATE=1 \
	run 130000 init book=book per_range=100 threads=8 launches=$launches devices=4 streams=8 work
is "$?:$(count ' kernel '):$(count ' api .*kind=1')" "0:$((8 * launches)):$((8 * launches))" \
	"$((8 * launches)) kernels of 8 threads on 4 devices and 32 streams, all of them and their calls"
is "$(awk '/ kernel / { for (i = 7; i <= NF; i++) if ($i ~ /^corr=/) print $i }' "$temp/dump" | sort | uniq -d | wc -l):$(
	grep ' kernel ' "$temp/dump" | grep -oE ' queue=[0-9]+' | sort -u | wc -l)" 0:32 "each of them once, on all streams"
is "$("$links" log.bin book | grep -vE '^queue ' | tr '\n' ',')" \
	"rule stack $((8 * launches)),launches $((8 * launches)) checked $((8 * launches)) missing 0 unknown 0; wrong: call 0 range 0 kernel 0 queue 0," \
	"each is linked to the call and the range that the program made it in"
is_empty "$(grep -E 'fake|WARNING|ERROR' "$temp/errors")" "with buffers that come back late and in disorder, no rule is broken"
RANGES_CUDA=driver RANGES_CUDA_BUFFER=1M FAKE_CUPTI_LATE=1 run 13 init threads=4 launches=20000 per_range=1000 work
kernels=$(count ' kernel ')
dropped=$(sed -n 's/^loss stream=[0-9]* cause=gpu_dropped count=//p' "$temp/dump")
is "$run_status:$((kernels + $(count ' api ') + ${dropped:-0}))" "0:240000" "what finds no buffer is counted to the record (${dropped:-0})"
done_testing

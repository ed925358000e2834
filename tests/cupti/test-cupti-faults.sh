#!/bin/sh
# SPDX-License-Identifier: MIT
# Difficulties of real machines for the GPU's capture: programs that use only the driver, libraries
# that do not fit or are in odd places, CUPTI that never returns, contexts that end, and work that
# does not end.

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 13 18 26 130000

# ---- Launches through the driver ----

# A call begins some 20 ns after its range. So CUPTI's clock, which before 11.6 is CLOCK_REALTIME,
# must be related to ours more precisely than the time of a clock read.
all_in_ranges()
{
	"$analyzer" stats --format json log.bin | grep -cE '"gpu":\{[^}]*"time_ns":([0-9]*),"attributed_ns":\1,'
}

for version in 13 18 26 130000; do
	run $version init launches=100 work driver=1 launches=1000 work
	is "$run_status:$(count ' kernel '):$(count ' api name="cuLaunchKernel" .*kind=2'):$(count ' api ')" 0:1100:1000:1100 \
		"version $version: launches through the driver are recorded, what the runtime calls of it is not"
	is "$(all_in_ranges)" 1 "version $version: all of their time belongs to a range"
	is_empty "$(grep fake "$temp/errors")" "version $version: no rule of CUPTI is broken"
	RANGES_CLOCK=monotonic run $version init launches=100 work driver=1 launches=1000 work
	is "$(all_in_ranges)" 1 "version $version: likewise where the kernel does not tell that it keeps time by the TSC"
done
FAKE_CUDA_CALLS=3 run 130000 init launches=1000 work
is "$(count ' kernel '):$(count ' api ')" 1000:1000 "of a call that makes several of the driver, one is recorded"
RANGES_FLUSH_MS=50 run 130000 init driver=1 launches=500 work flushed=3 launches=20 work kill
is "$([ "$(count ' api name="cuLaunchKernel"')" -ge 500 ] && echo enough)" enough "at a kill, what was held back for its twin is there"
run 130000 init all
is "$(count ' api name="cuda(StreamGetCaptureInfo|Event(Create|Destroy))')" 0 "a later form of a chatty function is left out too, and what makes events"
options='--cuda memory'
run 130000 init all
is "$(count ' api name="cudaMalloc"'):$(count ' api .*kind=2')" 1:0 "allocations have one call each"
options='--cuda events'
run 26 init all
is "$(count ' gpu_event '):$(statuses | grep -c "CUDA events have no times")" 1:0 "events from 12.8 on"
run 18 init all
is "$(count ' gpu_event .* kind=1$'):$(count 'gpu_ts_invalid count=2$'):$(statuses | grep -c '^ CUDA events have no times: that takes CUPTI 12.8 or later')" 1:1:1 \
	"before that without times, and a line says so"

# ---- Streams that wait for others ----

for version in 18 26 130000; do
	for again in 0 1; do
		run $version init join=$again
		is "$run_status:$(count ' gpu_event '):$(count ' gpu_sync .*kind=2'):$(count ' gpu_sync .*kind=1')" "0:$((2 + again)):1:1" \
			"version $version, recorded $again times more: events and waits for them are in the log"
		"$analyzer" stats --report critical-path --format tsv log.bin | cut -f 2,3 >"$temp/path"
		is "$(grep -E '^kernel' "$temp/path" | sort | cut -f 2 | tr '\n' ' '):$(grep -c 'after an operation of another stream' "$temp/path")" "first second :1" \
			"the critical path leads through what the event was recorded behind, not through what ended later"
		is_empty "$(grep fake "$temp/errors")" "and no rule of CUPTI is broken"
	done
	"$analyzer" log.bin -o out.json >/dev/null 2>&1
	is "$(grep -c '"cuda_sync_kind":"Stream Wait Event","stream":12,.*"wait_on_stream":11,"wait_on_cuda_event_record_corr_id":[0-9]*,"wait_on_cuda_event_id":3}}' out.json)" 1 \
		"the timeline says which stream is waited for"
	is "$("$analyzer" stats --report critical-path --format tsv log.bin | cut -f 2-5)" "$("$analyzer" stats --report critical-path --format tsv out.json | cut -f 2-5)" \
		"read again, it gives the same path"
done
options=
run 130000 init join=0
is "$(count ' gpu_event '):$(count ' gpu_sync ')" 0:0 "without --cuda events no event is recorded, and no wait"

# ---- CUPTI that never returns ----

for call in Forced cuptiActivityFlushAll; do
	rm -f log.bin
	FAKE_CUPTI_HANG=$call RANGES_FLUSH_MS=20 RANGES_EXIT_MS=200 RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
		timeout -k 1 60 "$ranges" run -q -o log.bin "$temp/program" init traced subscribe launches=100 work sleep=100 exit=7 \
		>"$temp/out" 2>"$temp/errors"
	status=$?
	"$analyzer" dump log.bin >"$temp/dump" 2>&1
	is "$status:$(cat "$temp/out"):$(count ' push name="step"')" "7:subscribe 39:10" "a $call that hangs: the program ends as ever, its ranges are in the log"
	statuses | sed 's/^/# /'
done
is "$(statuses | grep -c 'CUPTI did not finish its last flush within 200 ms')" 1 "and a line says what was lost"

# The program ends during a start that takes seconds. The records that CUPTI has by then are lost.
rm -f late.bin
FAKE_CUDA_EXIT_MS=100 FAKE_CUPTI_SLOW=cuptiGetCallbackName RANGES_EXIT_MS=200 NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin \
	RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 "$temp/program" init push launches=10 work exit=7 2>"$temp/errors"
status=$?
"$analyzer" dump late.bin >"$temp/dump" 2>&1
is "$status:$(count ' push name="step"'):$(grep -v 'records are left' "$temp/errors"):$(statuses | tail -n 1)" \
	"7:1:: no GPU data: CUPTI did not start within 1000 ms" "a start that goes on while the program ends leaves CUPTI alone then"

case ${SANITIZERS:-no} in
*thread*)
	# It has a thread of its own, so such a process never ends.
	skip "pthread_exit with CUPTI that hangs" "ThreadSanitizer has a thread of its own"
	;;
*)
	for call in cuptiActivityFlushAll Forced; do
		rm -f log.bin
		FAKE_CUPTI_HANG=$call RANGES_FLUSH_MS=20 RANGES_EXIT_MS=200 RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
			timeout -k 1 60 "$ranges" run -q -o log.bin "$temp/program" init launches=100 work pthread_exit >"$temp/out" 2>"$temp/errors"
		status=$?
		"$analyzer" dump log.bin >"$temp/dump" 2>&1
		is "$status:$(count ' push name="step"'):$(count '^end status="clean"'):$(statuses | grep -c 'CUPTI did not finish')" 0:10:1:1 \
			"a $call that hangs, and main left by pthread_exit: the program ends as ever"
	done
	;;
esac

# ---- Contexts that end ----

for end in reset destroy; do
	RANGES_FLUSH_MS=60000 run 130000 init launches=100 work $end launches=50 work
	is "$(count ' kernel '):$(grep fake "$temp/errors")" 150: "what CUPTI has is fetched before the context goes ($end)"
done

FAKE_CUPTI_IN_FLIGHT=1 RANGES_FLUSH_MS=60000 run 130000 init launches=100 work long=50 reset launches=50 work
is "$(count ' kernel '):$(grep fake "$temp/errors")" 151: "also what is still under way"

# ---- Work that has not ended ----

FAKE_CUPTI_IN_FLIGHT=1 RANGES_EXIT_MS=60000 run 130000 init launches=10 work long=300
is "$run_status:$(count ' kernel '):$(count ' kernel name="long" dur=300000000 '):$(statuses | wc -l)" 0:11:1:1 \
	"a kernel that runs at the end is awaited"
FAKE_CUPTI_IN_FLIGHT=1 RANGES_EXIT_MS=6000 run 130000 init launches=10 work long=3600000 later=3600000 later=7200000
is "$run_status:$(count ' kernel name="long"'):$(statuses | sed 1d):$(count '^loss stream=1 cause=gpu_ts_invalid count=3$')" \
	"0:0: GPU operations that had not ended when the program did are not in the log: 3:1" \
	"not beyond RANGES_EXIT_MS, and a line counts what is missing, also what had not begun"

# ---- Kernels without times ----

run 130000 init launches=200 work all
is "$(statuses | wc -l)" 1 "one kernel in hundred may have no time"
run 130000 init launches=10 work all
is "$(statuses | grep -c '^ 1 of 16 kernels had no time .* RANGES_CUDA=cupti-clock avoids it')" 1 "more are said"
options='--cuda cupti-clock'
run 130000 init launches=10 work
is "$(statuses | grep -c CLOCK_REALTIME):$(count ' kernel ')" 1:10 "CUPTI's own clock, if wanted"
options='--cuda no-flush'
RANGES_FLUSH_MS=1 run 130000 init launches=100 work sleep=50 _exit
is "$(count ' kernel ')" 0 "no flush but at the end, if wanted"
options=

# ---- NVTX's variable alone, and CUDA that comes later ----

build_host 2>"$temp/errors" || cat "$temp/errors" >&2
counts="1 2"
case ${SANITIZERS:-no} in
*thread*)
	# TSan does not see the loader's lock on the names that our thread reads.
	counts=1
	skip "CUDA that comes later in a program with 2 threads" "ThreadSanitizer does not know the loader's lock"
	;;
esac
for count in $counts; do
	rm -f late.bin
	NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
		"$temp/host" "$temp/libwork.so" "$count" init traced launches=100 work 2>"$temp/errors"
	"$analyzer" dump late.bin >"$temp/dump"
	is "$(count ' kernel '):$(count ' push name="before CUDA"'):$(cat "$temp/errors")" 100:1: \
		"CUDA that comes after the first range is found, in a program with $count threads"
done
rm -f late.bin
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUDA=off RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
	"$temp/host" "$temp/libwork.so" 2 init sleep=500 launches=10 work maps >"$temp/out" 2>"$temp/errors"
"$analyzer" dump late.bin >"$temp/dump"
is "$(count ' kernel '):$(cat "$temp/out")" 0: "not if it is switched off"
case $counts in
*2*)
	# The second thread of the work has its first range after CUDA was loaded.
	rm -f late.bin
	CUDA_INJECTION64_PATH=$temp/other.so NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin \
		"$temp/host" "$temp/libwork.so" 1 init threads=2 launches=10 work 2>"$temp/errors"
	"$analyzer" dump late.bin >"$temp/dump"
	is "$(statuses):$(count ' kernel ')" " no GPU data: CUDA calls $temp/other.so, which CUDA_INJECTION64_PATH names, and not libranges:0" \
		"where CUDA calls another tool a line says so once it is there"
	FAKE_CUPTI_HANG=cuptiSubscribe NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=hung.bin RANGES_EXIT_MS=200 \
		RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 timeout -k 1 60 \
		"$temp/host" "$temp/libwork.so" 2 init sleep=500 launches=10 work exit=3 2>"$temp/errors"
	is "$?:$("$analyzer" dump hung.bin | grep -c ' push name="step"')" 3:1 "nor does it harm if CUPTI hangs there"
	rm -f hung.bin
	RANGES_CUDA=inline FAKE_CUPTI_HANG=cuptiSubscribe NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=hung.bin RANGES_EXIT_MS=200 \
		RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 timeout -k 1 60 \
		"$temp/host" "$temp/libwork.so" 2 init sleep=500 launches=10 work exit=3 2>"$temp/errors"
	is "$?:$("$analyzer" dump hung.bin | grep -c ' push name="step"')" 3:1 \
		"nor where the program's own threads are to call CUPTI: this one is ours"
	;;
esac

# ---- Places of the library ----

# found PATTERN SENTENCE: the kernels are recorded, by a library whose path matches.
found()
{
	is "$(count ' kernel '):$(statuses | grep -cE "^ CUPTI [0-9]* from $1,")" 10:1 "$2"
	statuses | sed 's/^/# /'
}
# put VERSION DIRECTORY SONAME
put()
{
	mkdir -p "$2"
	cp "$temp/cupti-$1/libcupti.so.13" "$2/$3"
}
echo 'int thing;' >thing.c
site=$temp/venv/lib/python3.12/site-packages
mkdir -p "$site/thing"
${CC:-cc} -shared -fPIC -o "$site/thing/libthing.so" thing.c
put 130000 "$site/nvidia/cu13/lib" libcupti.so.13
run found "open=$site/thing/libthing.so" init launches=10 work
found "$site/nvidia/cu13/lib/libcupti.so.13" "in a Python environment, beside no runtime (CUDA 13)"
rm -r "$site/nvidia"
put 26 "$site/nvidia/cuda_cupti/lib" libcupti.so.12
run found "open=$site/thing/libthing.so" init launches=10 work
found "$site/nvidia/cuda_cupti/lib/libcupti.so.12" "in a Python environment, beside no runtime (CUDA 12)"
site=$temp/python/dist-packages # of Debian
mkdir -p "$site/thing"
mv "$temp/venv/lib/python3.12/site-packages/thing/libthing.so" "$site/thing"
put 26 "$site/nvidia/cuda_cupti/lib" libcupti.so.12
run found "open=$site/thing/libthing.so" init launches=10 work
found "$site/nvidia/cuda_cupti/lib/libcupti.so.12" "also in Debian's folders of Python"
put 26 "$temp/conda/lib" libcupti.so.12
mkdir "$temp/conda/bin"
cp "$temp/program" "$temp/conda/bin/program"
program_path=$temp/conda/bin/program
run found init launches=10 work
found "$temp/conda/bin/../lib/libcupti.so.12" "beside the program, as in conda"
program_path=
for variable in CUDA_HOME CUDA_PATH CONDA_PREFIX; do
	put 26 "$temp/$variable/extras/CUPTI/lib64" libcupti.so.12
	export "$variable=$temp/$variable"
	run found init launches=10 work
	found "$temp/$variable/extras/CUPTI/lib64/libcupti.so.12" "under $variable"
	unset "$variable"
done

# ---- Which one ----

CUDA_HOME=$temp/both
export CUDA_HOME
put 130000 "$CUDA_HOME/lib64" libcupti.so.13
FAKE_CUDA_DRIVER=12040 run found init launches=10 work
is "$(count ' kernel '):$(statuses | grep -cE '^[0-9]* no GPU data: CUPTI 13.[0-9] does not fit driver 12.4 \(')" 0:1 "a library too new for the driver is said to be"
put 26 "$CUDA_HOME/lib64" libcupti.so.12
run found init launches=10 work
found "$CUDA_HOME/lib64/libcupti.so.13" "the newest"
FAKE_CUDA_DRIVER=12040 run found init launches=10 work
found "$CUDA_HOME/lib64/libcupti.so.12" "the newest that the driver can serve"
FAKE_CUPTI_REFUSE=130000 run found init launches=10 work
found "$CUDA_HOME/lib64/libcupti.so.12" "the next, where the first can't connect"
unset CUDA_HOME
put 26 "$temp/loaded" libcupti.so.12
run 130000 "open=$temp/loaded/libcupti.so.12" init launches=10 work
is "$(count ' kernel '):$(statuses | grep -cE "^ CUPTI 26 from $temp/loaded/libcupti.so.12,"):$(
	statuses | grep -cE "^ RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 is not used: the program has loaded another copy")" 10:1:1 \
	"the program's own copy goes before RANGES_CUPTI_PATH"

# ---- Why not ----

while read -r code text; do
	FAKE_CUPTI_SUBSCRIBE_ERROR=$code run 130000 init launches=10 work
	is "$(statuses | sed 's/ (FAKE_[A-Z_]*)$//'):$(count ' push name="step"')" "$code no GPU data: $text:1" "code $code has its sentence"
done <<'END'
12 another profiler uses CUPTI in this process, and CUPTI 13.0 serves only one (13.3 and later serve several)
14 CUPTI can't work beside what this process does
15 CUPTI can't connect to the driver
33 CUPTI does not work on this virtual GPU
35 this user may not trace the GPU
39 another profiler uses CUPTI in this process, and CUPTI 13.0 serves only one (13.3 and later serve several)
40 the hypervisor does not allow tracing of this virtual GPU
41 CUPTI does not work on a GPU in confidential computing mode
42 CUPTI does not work on mining processors (CMP)
43 CUPTI does not work on a GPU that is split up (MIG)
44 CUPTI does not work on GPUs coupled by SLI
45 CUPTI does not work under this WSL
999 CUPTI finds no usable driver
END
done_testing

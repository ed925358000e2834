#!/bin/sh
# SPDX-License-Identifier: MIT
# CUPTI is shared with another profiler in the same program (neighbour.c), which works from 13.3 on.
# Both get each kernel and call. If it can't be shared, a sentence says why, and the program is not
# harmed.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 130000 130400
make_once neighbour.so -shared -fPIC "$cupti_source/neighbour.c" -lpthread -ldl 2>"$temp/errors" ||
	skip_all "the other profiler can't be built: $(cat "$temp/errors")"
neighbour=$temp/neighbour.so
links=$top_builddir/tests/cupti/links
[ -x "$links" ] || skip_all "$links is not built"
NEIGHBOUR_OUT=$PWD/seen
export NEIGHBOUR_OUT

# beside HOW VERSION COMMAND…: runs the program with a profiler of that kind in it.
beside()
{
	how=$1
	shift
	rm -f "$NEIGHBOUR_OUT"
	NEIGHBOUR=$how NEIGHBOUR_CUPTI=$temp/cupti-$1/libcupti.so.13 run "$@"
}

# seen PATTERN: prints the matching records that the profiler got.
seen()
{
	grep -cE "$1" "$NEIGHBOUR_OUT"
}

# ours PATTERN: prints the correlation ids in our log, in order.
ours()
{
	grep -E " $1 " "$temp/dump" | sed -n 's/.* corr=\([0-9]*\).*/\1/p' | sort
}
theirs()
{
	sed -n "s/^$1 \([0-9]*\).*/\1/p" "$NEIGHBOUR_OUT" | sort
}

# both_complete LAUNCHES WHAT
both_complete()
{
	ours kernel >"$temp/ours"
	theirs kernel >"$temp/theirs"
	is "$run_status:$(count ' kernel '):$(seen '^kernel'):$(cmp "$temp/ours" "$temp/theirs"):$(sort -u "$temp/ours" | wc -l)" \
		"0:$1:$1::$1" "$2: each has each of the $1 kernels"
	ours api | sort -u >"$temp/ours"
	theirs call | sort -u >"$temp/theirs"
	is "$(comm -23 "$temp/ours" "$temp/theirs" | wc -l):$(wc -l <"$temp/ours")" "0:$1" "$2: and each of their calls"
	is "$(sed -n 's/^dropped //p' "$NEIGHBOUR_OUT"):$(grep -c '^loss' "$temp/dump")" "0:0" "$2: nothing is lost"
	is_empty "$(grep -E 'fake|WARNING|ERROR' "$temp/errors")" "$2: no rule of CUPTI is broken"
}

# ---- Two that share it ----

work="per_range=10 threads=4 launches=500 devices=2 streams=4 work"
# shellcheck disable=SC2086
beside shared 130400 "open=$neighbour" init $work call=neighbour_stop
both_complete 2000 "the other comes first"
is "$(statuses | sed 's/from .*, times/from …, times/')" " CUPTI 130400 from …, times by CLOCK_REALTIME
 other profilers can use CUPTI beside ranges if they subscribe by cuptiSubscribe_v2; by cuptiSubscribe they can't" \
	"the log says that CUPTI is shared, and whose clock it has"
# shellcheck disable=SC2086
beside shared 130400 init "open=$neighbour" $work call=neighbour_stop
both_complete 2000 "the other comes later"
# shellcheck disable=SC2086
RANGES_FLUSH_MS=5 FAKE_CUPTI_LATE=1 beside shared 130400 init "open=$neighbour" $work call=neighbour_stop
both_complete 2000 "flushes by both, late buffers"
# shellcheck disable=SC2086
FAKE_CUPTI_DELIVERY=1 FAKE_CUPTI_LOCK=1 FAKE_CUPTI_IN_FLIGHT=1 beside shared 130400 "open=$neighbour" init $work call=neighbour_stop
both_complete 2000 "a thread and a lock of CUPTI's"

# CUPTI's clock differs from that of ranges.
rm -f book
beside shared 130400 "open=$neighbour" init book=book per_range=10 threads=4 launches=500 work call=neighbour_stop
is "$("$links" log.bin book | grep -vE '^queue ' | tr '\n' ',')" \
	"rule stack 2000,launches 2000 checked 2000 missing 0 unknown 0; wrong: call 0 range 0 kernel 0 queue 0," \
	"each kernel belongs to its call, range and stream"

# Records have the lengths that CUPTI says, if it does not step over them. The old way to ask is
# refused when the other profiler is there.
FAKE_CUPTI_MUTE=1 beside shared 130400 "open=$neighbour" init launches=200 work call=neighbour_stop
is "$run_status:$(count ' kernel '):$(count ' api '):$(grep -c '^loss' "$temp/dump")" "0:200:200:0" "sizes of records are asked for in a word, too"

# All kinds of records.
RANGES_CUDA=memory,events,sync,latency,external,driver,unified-memory beside shared 130400 "open=$neighbour" init unified all call=neighbour_stop
for what in ' kernel ' ' copy ' ' set ' ' gpu_sync ' ' gpu_event ' ' memory '; do
	[ "$(count "$what")" -gt 0 ] || echo "none of$what"
done >"$temp/missing"
is "$(cat "$temp/missing"):$(grep -cE 'fake|WARNING|ERROR' "$temp/errors")" ":0" "other kinds of records are there too"

# If CUDA was loaded first, CUPTI reports devices, contexts and streams again, also after a switch
# off and on.
rm -f late.bin
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=late.bin RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 \
	"$temp/program" init push traced launches=20 work 2>"$temp/errors"
"$analyzer" dump late.bin >"$temp/dump"
is "$?:$(count ' kernel '):$(count '^def device '):$(cat "$temp/errors")" "0:20:4:" \
	"CUDA that was there before is known"
RANGES_CUDA=profiler beside shared 130400 "open=$neighbour" init launches=10 work profile=1 launches=20 work profile=0 launches=40 work \
	profile=1 launches=80 work profile=0 call=neighbour_stop
is "$run_status:$(count ' kernel '):$(count ' api name="cudaLaunchKernel"'):$(seen '^kernel'):$(grep -c fake "$temp/errors")" "0:100:100:150:0" \
	"switched off and on again we have what is ours, and the other has all"

# A capture that wants only whole graphs asks for CUPTI alone, and shares it if it is taken.
RANGES_GRAPH_NODES=0 beside shared 130400 "open=$neighbour" init graphs=20 call=neighbour_stop
is "$run_status:$(count ' kernel '):$(count ' graph_launch '):$(seen '^kernel'):$(statuses | grep -c '^ CUDA graphs: each operation is in the log'):$(grep -c fake "$temp/errors")" \
	"0:60:0:60:1:0" "RANGES_GRAPH_NODES=0: where CUPTI is shared already graphs are there operation by operation"
RANGES_GRAPH_NODES=0 beside shared 130400 init "open=$neighbour" graphs=20 call=neighbour_stop
is "$run_status:$(count ' kernel '):$(count ' graph_launch '):$(seen '^subscribe 39')" "0:0:20:1" "where we are first they are wholes, and CUPTI is ours"

# ---- When it can't be shared ----

# said WHAT SENTENCE KERNELS: SENTENCE is in the log, and the program was not harmed.
said()
{
	is "$run_status:$(statuses | grep -cxF "$2"):$(count ' push name="step"'):$(count ' kernel ')" "0:1:2:$3" "$1: a sentence says so"
	is_empty "$(grep -E 'fake|WARNING|ERROR' "$temp/errors")" "$1: no rule of CUPTI is broken"
}
work="per_range=10 launches=20 work"
# shellcheck disable=SC2086
beside old 130000 "open=$neighbour" init $work call=neighbour_stop
said "an old library" "39 no GPU data: another profiler uses CUPTI in this process, and CUPTI 13.0 serves only one (13.3 and later serve several) (FAKE_MULTIPLE_SUBSCRIBERS)" 0
# shellcheck disable=SC2086
beside old 130400 "open=$neighbour" init $work call=neighbour_stop
said "one of the old way came first" "39 no GPU data: another profiler uses CUPTI in this process and does not share it (FAKE_MULTIPLE_SUBSCRIBERS)" 0
# shellcheck disable=SC2086
beside alone 130400 "open=$neighbour" init $work call=neighbour_stop
said "one came first that does not share" "39 no GPU data: another profiler (neighbour) uses CUPTI in this process and does not share it (FAKE_MULTIPLE_SUBSCRIBERS)" 0
is "$(seen '^kernel')" 20 "which has all that it asked for"
# shellcheck disable=SC2086
RANGES_CUDA_SHARED=off beside shared 130400 "open=$neighbour" init $work call=neighbour_stop
said "off" "39 no GPU data: another profiler uses CUPTI in this process, and RANGES_CUDA_SHARED=off forbids to share it (FAKE_MULTIPLE_SUBSCRIBERS)" 0
# shellcheck disable=SC2086
FAKE_CUPTI_SHARE_ERROR=27 beside shared 130400 init "open=$neighbour" $work call=neighbour_stop
said "refused" "27 only ranges can use CUPTI: sharing it failed, which takes driver 610 or later (FAKE_ERROR)" 20
is "$(seen '^subscribe 27')" 1 "then the other gets nothing"
# shellcheck disable=SC2086
FAKE_CUPTI_STRANGE_CLOCK=1 beside shared 130400 "open=$neighbour" init $work call=neighbour_stop
said "another's clock" "14 no GPU data: another profiler gave CUPTI its own clock, whose times can't be compared with those of ranges" 0

# A profiler that uses the old way comes later. It is refused, and CUPTI may then refuse us.
# shellcheck disable=SC2086
beside old 130400 init "open=$neighbour" $work call=neighbour_stop
said "one of the old way comes later" " other profilers can use CUPTI beside ranges if they subscribe by cuptiSubscribe_v2; by cuptiSubscribe they can't" 20
is "$(seen '^subscribe 39')" 1 "it is refused"
# shellcheck disable=SC2086
FAKE_CUPTI_MIXED=39 RANGES_CUDA=profiler beside later 130400 init "open=$neighbour" profile=1 $work call=neighbour_stop
is "$(seen '^enable 14')" 1 "so are its calls, if it goes on"
said "its calls have ours fail" "39 another profiler subscribed to CUPTI later without sharing it: GPU data may be missing from there on (FAKE_MULTIPLE_SUBSCRIBERS)" 0

# ---- The option ----

RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 "$ranges" run -f -o log.bin --cuda-shared off "$temp/program" init launches=20 work 2>"$temp/errors"
"$analyzer" dump log.bin >"$temp/dump"
is "$(statuses | sed 's/from .*, times/from …, times/'):$(count ' kernel ')" " CUPTI 130400 from …, times by CLOCK_MONOTONIC:20" \
	"--cuda-shared off: CUPTI is ours, with our clock"
"$ranges" run --cuda-shared on true 2>"$temp/errors"
is "$?:$(grep -c 'expected off|auto' "$temp/errors")" "2:1" "another value is said"
done_testing

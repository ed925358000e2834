#!/bin/sh
# SPDX-License-Identifier: MIT
# Many kernels in every layout of CUPTI's records, while CUPTI does everything that its rules allow.
# Each kernel is in the log, or counted under the cause of its loss. RANGES_TEST_MATRIX=N: each of 8
# threads makes N launches (125000 make the million in doc/testing.md).
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
versions="13 18 22 26 130000 130400" # CUDA 11.0, 11.8, 12.4, 12.8, 13.0, 13.4
# shellcheck disable=SC2086
prepare_cupti $versions
links=$top_builddir/tests/cupti/links
[ -x "$links" ] || skip_all "$links is not built"

launches=3000
bound=4000 # three quarters of this time are a wait for work that does not end
[ "${SANITIZERS:-no}" = no ] || { launches=500; bound=8000; }
launches=${RANGES_TEST_MATRIX:-$launches}
all=$((8 * launches))
RANGES_CUDA_BUFFER=2G
RANGES_FLUSH_MS=20 # CUPTI gives buffers back during the call that asks for them
export RANGES_CUDA_BUFFER RANGES_FLUSH_MS

# lost CAUSE: prints the number of records lost for this cause.
lost()
{
	sed -n "s/^loss stream=[0-9]* cause=$1 count=//p" "$temp/dump" | awk '{ n += $1 } END { print n + 0 }'
}

# checked VERSION MISSING DROPPED TIMELESS WHAT: checks the kernels, the calls, the losses and the
# links of the last run.
checked()
{
	is "$run_status:$(count ' kernel '):$(count ' api .*kind=1'):$(lost gpu_dropped):$(lost gpu_ts_invalid)" \
		"0:$((all - $2)):$all:$3:$4" "version $1, $5: $all kernels and calls, or counted"
	# Kernels whose thread slept between the end of the driver's call and the end of its own
	# call are there.
	[ "$(count ' api .*kind=2')" -lt $((all / 100)) ]
	ok $? "version $1, $5: what the runtime calls of the driver is left out"
	is "$("$links" log.bin book | grep -vE '^queue ' | tr '\n' ',')" \
		"rule stack $((all - $2)),launches $all checked $((all - $2)) missing $2 unknown 0; wrong: call 0 range 0 kernel 0 queue 0," \
		"version $1, $5: each belongs to its call, range and stream"
	is_empty "$(grep -E 'fake|WARNING|ERROR' "$temp/errors")" "version $1, $5: no rule is broken"
}

work="init book=book per_range=100 threads=8 launches=$launches devices=4 streams=8 work"
for version in $versions; do
	rm -f book
	# shellcheck disable=SC2086
	FAKE_CUPTI_LATE=1 FAKE_CUDA_CALLS=3 FAKE_CUDA_EARLY=1 run "$version" $work
	checked "$version" 0 0 0 "late buffers, kernels before their calls"
	rm -f book
	# A kernel with both faults counts for the first: kernel 97 * 50 is dropped, so it can't
	# also lack a time.
	dropped=$((all / 97))
	timeless=$((all / 50 - all / 4850))
	# shellcheck disable=SC2086
	FAKE_CUPTI_DELIVERY=1 FAKE_CUPTI_LOCK=1 FAKE_CUPTI_DROP=97 FAKE_CUPTI_TIMELESS=50 run "$version" $work
	checked "$version" $((dropped + timeless)) $dropped $timeless "a thread and a lock of CUPTI's, drops, no times"
	# Contexts end while records of other threads are still there.
	FAKE_CUPTI_IN_FLIGHT=1 RANGES_FLUSH_MS=60000 run "$version" init per_range=100 threads=8 launches=$((launches / 2)) \
		devices=4 streams=8 work reset work destroy long=50
	is "$run_status:$(count ' kernel '):$(lost gpu_dropped):$(lost gpu_ts_invalid)" "0:$((8 * (launches / 2) * 2 + 1)):0:0" \
		"version $version, contexts that end: $((8 * (launches / 2) * 2 + 1)) kernels"
	is_empty "$(grep -E 'fake|WARNING|ERROR' "$temp/errors")" "version $version, contexts that end: no rule is broken"
	FAKE_CUPTI_IN_FLIGHT=1 RANGES_EXIT_MS=$bound run "$version" init launches=100 work long=50 later=3600000 long=3600000
	is "$run_status:$(count ' kernel '):$(lost gpu_dropped):$(lost gpu_ts_invalid)" "0:101:0:2" \
		"version $version, work that does not end: 103 kernels, or counted"
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# CUPTI breaks its rules. The program runs and ends as usual. Readable records are in the log;
# others are counted, and a line says why.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 18 130000 130400

RANGES_FLUSH_MS=60000 # one buffer, at the end, whose records do not depend on time
export RANGES_FLUSH_MS

# lost CAUSE: prints the number of records lost for this cause.
lost()
{
	sed -n "s/^loss stream=[0-9]* cause=$1 count=//p" "$temp/dump" | awk '{ n += $1 } END { print n + 0 }'
}

# hostile VERSION HOW COMMAND…: runs 300 launches and the other commands.
hostile()
{
	version=$1
	FAKE_CUPTI_HOSTILE=$2
	export FAKE_CUPTI_HOSTILE
	shift 2
	run "$version" init launches=300 work "$@"
	"$analyzer" verify -q log.bin >/dev/null 2>>"$temp/errors"
	diag "$FAKE_CUPTI_HOSTILE, version $version: $(statuses | sed 1d | tr '\n' ';')"
}

# held KERNELS DROPPED TIMELESS PATTERN SENTENCE: these counts must be in the log, and a line that
# matches.
held()
{
	is "$run_status:$(grep -v "^ranges: [0-9]* events" "$temp/errors"):$(count ' kernel '):$(count ' push name="step"'):$(lost gpu_ts_invalid)" \
		"0::$1:30:$3" "version $version, $FAKE_CUPTI_HOSTILE: $5"
	[ "$(lost gpu_dropped)" -ge "$2" ] && [ "$(lost gpu_dropped)" -le $(($2 * 20)) ]
	ok $? "version $version, $FAKE_CUPTI_HOSTILE: what is not is counted ($(lost gpu_dropped), at least $2)"
	is "$(statuses | sed 1d | grep -cE "$4"):$(statuses | sed 1d | grep -v '^ other profilers can use CUPTI' | grep -cvE "$4")" 1:0 \
		"version $version, $FAKE_CUPTI_HOSTILE: a line says so, and no other"
}

for version in 18 130000 130400; do
	hostile "$version" foreign
	held 300 1 0 '^ buffers from CUPTI that are not libranges.; .*: [0-9]*$' "a buffer of somebody else's is left alone"
	hostile "$version" twice
	held 300 1 0 '^ buffers from CUPTI that are not libranges.; .*: [0-9]*$' "a buffer that comes twice is read once"
	hostile "$version" long
	held 300 1 0 "^ buffers of CUPTI with records that can't be read: [0-9]*, the first of kind [0-9]*$" "a buffer is not read beyond its end"
	hostile "$version" short
	held 300 1 0 "^ buffers of CUPTI with records that can't be read: [0-9]*, the first of kind [0-9]*$" "a record that is not whole is left out"
	hostile "$version" wild
	held 300 0 0 "^ names from CUPTI that can't be read are not in the log: [0-9]*$" "kernels with wild names are there"
	is "$(count ' kernel dur=')" 100 "version $version: without names"
	hostile "$version" clock
	held 200 0 100 '^ GPU operations with times of another clock are not in the log: 100$' "times of another clock"
	hostile "$version" far
	held 200 0 100 '^ GPU operations with times of another clock are not in the log: 100$' "kernels that never end"
	hostile "$version" kind=70
	held 300 1 0 "^ buffers of CUPTI with records that can't be read: [0-9]*, the first of kind 70$" "a record that CUPTI itself can't step over"
	hostile "$version" infix=4294967295
	held 0 1 0 "^ buffers of CUPTI with records that can't be read: [0-9]*, the first of kind 4294967295$" "the same before all others"
done
hostile 130400 infix=58
held 300 1 0 '^ records of CUPTI that this version does not know are not in the log: [0-9]*, the first of kind 58 .newer than CUDA 13.0, as are host functions and host nodes of graphs.$' "a kind that only CUPTI knows is stepped over"

# Ids of calls have 32 bits, so they start again at some time.
hostile 130000 same
"$analyzer" stats --report footer log.bin >/dev/null 2>"$temp/said"
is "$run_status:$?:$(count ' kernel '):$(cat "$temp/said")" 0:0:300: \
	"one id for all kernels"

case ${SANITIZERS:-no} in
*thread*)
	# TSan then sees the stand-in's locks taken in another order, by the only thread.
	skip "the program ends in a launch while CUPTI has a lock of its own" "ThreadSanitizer takes the stand-in's own locks for a deadlock"
	;;
*)
	RANGES_EXIT_MS=500
	FAKE_CUPTI_LOCK=1
	export FAKE_CUPTI_LOCK
	hostile 130000 exit exit=7
	is "$run_status:$(count ' push name="step"'):$(statuses | grep -c '^ CUPTI did not finish its last flush within 500 ms')" 5:25:1 \
		"the program ends in a launch while CUPTI has a lock of its own: with its exit code and its ranges, and a line says what is lost"
	;;
esac
done_testing

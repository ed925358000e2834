#!/bin/sh
# SPDX-License-Identifier: MIT
# Each function of CUPTI that we call never returns. The program still does the same, ends in the
# same way, at most RANGES_EXIT_MS and a second later, and its ranges are in the log. A busy machine
# has other reasons to be late. So a late run gets three more chances, each beside a program in
# which nothing hangs; they do not help if the program waits for CUPTI. RANGES_TEST_HANG_MS replaces
# that second.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 130000 130400
RANGES_EXIT_MS=1000
RANGES_FLUSH_MS=50
export RANGES_EXIT_MS RANGES_FLUSH_MS

functions=$(sed -n 's/^[[:space:]]X([A-Z]*, [a-z0-9_]*, \(cupti[A-Za-z0-9_]*\),.*/\1/p' "$top_srcdir/libranges/abi/cupti-abi.h")
# The program and the way of recording: the driver starts CUPTI, with all options; CUPTI starts at
# the first range, when CUDA was loaded before; it is on only for a part of the time; and it is
# shared.
ways="driver late profiler shared"

# play WAY NAME: makes one run in a folder of its own, and prints its time in ms.
play()
{
	room=$temp/$1-$2
	rm -rf "$room"
	mkdir "$room"
	commands="init names launches=100 work handoff sleep=200 reset launches=10 work graphs=3 sleep=100 release exit=7"
	cupti=130000
	case $1 in
	driver) kinds=driver,memory,latency,events,unified-memory ;;
	shared)
		kinds=memory,latency,events,unified-memory
		cupti=130400
		;;
	late) kinds=unified-memory ;;
	profiler)
		kinds=profiler
		commands="init profile=1 launches=100 work profile=0 handoff reset sleep=200 profile=1 launches=10 work exit=7"
		;;
	esac
	RANGES_CUPTI_PATH=$temp/cupti-$cupti/libcupti.so.13
	export RANGES_CUPTI_PATH
	begin=$(date +%s%N)
	if [ "$1" = late ]; then
		NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=$room/log.bin RANGES_CUDA=$kinds timeout -k 1 60 \
			"$temp/program" init push names launches=100 work handoff sleep=200 exit=7
	else
		# shellcheck disable=SC2086 # one argument each
		timeout -k 1 60 "$ranges" run -q -o "$room/log.bin" --cuda "$kinds" "$temp/program" $commands
	fi >"$room/out" 2>"$room/errors"
	status=$?
	echo "$status:$(cat "$room/out"):$(cat "$room/errors"):$("$analyzer" dump "$room/log.bin" | grep -c ' push name="step"')" \
		>"$room/result"
	echo $((($(date +%s%N) - begin) / 1000000)) >"$room/ms"
}

slowest=0
for way in $ways; do
	play "$way" none
	is "$(sed 's/:[0-9]*$//' "$temp/$way-none/result")" "7:context captured:" "$way: a program that nothing hangs"
	[ "$(cat "$temp/$way-none/ms")" -lt "$slowest" ] || slowest=$(cat "$temp/$way-none/ms")
done

# hang WAY NAME: calls play() with a function that hangs.
hang()
{
	(
		FAKE_CUPTI_HANG=$2 FAKE_CUPTI_HUNG=$temp/$1-$2.hung
		export FAKE_CUPTI_HANG FAKE_CUPTI_HUNG
		play "$1" "$2"
	)
}

# These programs only wait, so several run at a time.
for way in $ways; do
	for name in $functions Forced; do
		hang "$way" "$name" &
		running="${running:-} $!"
		# shellcheck disable=SC2086 # one argument each
		set -- $running
		[ $# -lt 6 ] || { wait "$1" && shift; running=$*; }
	done
done
wait

for name in $functions Forced; do
	hung=
	for way in $ways; do
		[ ! -e "$temp/$way-$name.hung" ] || hung="$hung $way"
		[ -e "$temp/$way-$name.hung" ] || continue
		is "$(cat "$temp/$way-$name/result")" "$(cat "$temp/$way-none/result")" "$name hangs, $way: the program does as ever"
		late=
		for _ in 1 2 3 4; do
			later=$(($(cat "$temp/$way-$name/ms") - slowest))
			[ "$later" -gt $((RANGES_EXIT_MS + ${RANGES_TEST_HANG_MS:-1000})) ] || break
			late="$late, once $later"
			# The run beside it, in which nothing hangs, shows how slow the machine is
			# now.
			play "$way" none &
			hang "$way" "$name"
			wait
			[ "$(cat "$temp/$way-none/ms")" -lt "$slowest" ] || slowest=$(cat "$temp/$way-none/ms")
		done
		[ "$later" -le $((RANGES_EXIT_MS + ${RANGES_TEST_HANG_MS:-1000})) ]
		ok $? "$name hangs, $way: it ends $later ms later$late"
	done
	case $name in
	cuptiGetResultString) ;; # called only after failures
	# This function reads a structure that exists only within a callback, on the program's
	# thread: test-graph-origins.sh tests it.
	cuptiGetGraphNodeId | cuptiGetGraphId) ;;
	# For libraries that do not step over records when a subscriber asks, and for programs that
	# loaded CUDA first.
	cuptiActivityGetStructSize | cuptiActivityEnableAndDump_v2) ;;
	*)
		[ -n "$hung" ]
		ok $? "$name was called:$hung"
		;;
	esac
done
done_testing

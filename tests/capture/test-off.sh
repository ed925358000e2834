#!/bin/sh
# SPDX-License-Identifier: MIT
# While the capture is off, we make no system calls, and a range costs at most 1.1 times the
# instructions of one in a domain that is left out.

. "${0%/*}/../lib.sh"
need_temp
cd "$temp" || exit 1
bench=$top_builddir/bench/bench-off
library=$top_builddir/libranges/.libs/libranges.so
for file in "$bench" "$library"; do
	[ -x "$file" ] || skip_all "$file is not built"
done
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID \
	RANGES_DOMAINS RANGES_SCHEDULE RANGES_CAPTURE_RANGE RANGES_DELAY RANGES_DURATION RANGES_STANDBY
RANGES_SPOOL_DIR=$temp
TMPDIR=$temp
export RANGES_SPOOL_DIR TMPDIR
# The loops of the bench, and the pair of calls in each.
left_out=1
pushes='2 3 4 5 6'

# instructions MODE LOOP: counts those of 20,000 pairs, without our idle thread and without the
# program's start ($start).
instructions()
{
	many=$(run_counted "$1" "$2" 20001)
	[ -z "$start" ] || [ -z "$many" ] || echo $((many - start))
}

run_counted()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$library" "$1" "$2" "$3" 2>&1 |
		sed -n 's/.*Collected : //p' | tail -n 1
}

# judge_cost MODE: prints the loops that cost too much, with figures.
judge_cost()
{
	start=$(run_counted "$1" $left_out 1)
	limit=$(instructions "$1" $left_out)
	for loop in $pushes; do
		cost=$(instructions "$1" "$loop")
		[ "$((cost * 10))" -le "$((limit * 11))" ] || echo "loop $loop: $cost, left out $limit"
	done
}

can_count=no
if command -v valgrind >/dev/null 2>&1 && grep -q '^CFLAGS = .*-O[23]' "$top_builddir/Makefile" &&
	[ -n "$(run_counted standby 0 1)" ]; then
	can_count=yes
fi
name="a push and a pop cost no more than where the domain is left out"
if [ "$can_count" = yes ]; then
	is_empty "$(judge_cost standby)" "$name"
else
	skip "$name" "no valgrind that runs the bench, or not built with -O2"
fi

# calls MODE: prints the program's system calls while it makes ranges, without the call in which our
# thread sleeps. It takes the first of several traces that has none, because on a slow machine our
# thread may still be starting.
calls()
{
	: >loop.txt
	"$bench" "$library" "$1" 3 0 >loop.txt &
	pid=$!
	for _ in $(seq 1 3000); do
		[ ! -s loop.txt ] || break
		sleep 0.02
	done
	for _ in 1 2 3 4 5; do
		timeout "${RANGES_TEST_OFF_S:-2}" strace -f -p "$pid" -o calls.txt 2>strace.err
		grep -vE 'restart_syscall|futex\(.*<detached|^[0-9]+ +---' calls.txt >left.txt
		[ -s left.txt ] || break
	done
	kill "$pid"
	wait "$pid" 2>/dev/null
	cat left.txt
}

for mode in standby schedule delay on range; do
	name="off by $mode: no system calls"
	if ! command -v strace >/dev/null 2>&1 || ! strace -o /dev/null true 2>/dev/null; then
		skip "$name" "strace does not run here"
		continue
	fi
	calls "$mode" >found.txt
	[ -e calls.txt ] || cp strace.err found.txt
	grep -q 'detached\|resuming\|futex' calls.txt || echo "the program was not running" >>found.txt
	is_empty "$(cat found.txt)" "$name"
	rm -f calls.txt
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# A capture that keeps only its last part keeps the GPU work that was launched in that part. CUPTI
# delivers records late. Work of a range that was dropped is counted, not kept without its range.

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 130400
RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13
export RANGES_CUPTI_PATH

# keep OPTION… -- COMMAND…: runs the program, and keeps its last part.
keep()
{
	rm -f ./*.bin*
	seen=
	for argument; do
		shift
		set -- "$@" "$argument"
		if [ "$argument" = -- ] && [ -z "$seen" ]; then
			set -- "$@" "$temp/program"
			seen=1
		fi
	done
	"$ranges" run -f -o log.bin "$@" >"$temp/out" 2>"$temp/errors"
}

# homeless LOG: prints whether there are kernels, the number without a range, and the number without
# a call. All were launched in a range.
homeless()
{
	"$analyzer" stats -r launch -f csv "$1" 2>>"$temp/errors" | awk '
		/,kernel,/ { kernels++; ranges += /,stack,/; calls += /,cuda[A-Z]/ }
		END { print (kernels > 0 ? "some" : "none"), kernels - ranges, kernels - calls }'
}

# sum: prints recorded + lost + outside from the launcher's line.
sum()
{
	echo "$(($(sed -nE 's/^ranges: ([0-9]+) events?, .* ([0-9]+) lost, ([0-9]+) outside of .*/\1 + \2 + \3/p' "$temp/errors")))"
}

# 200 times a range with 5 launches in it, over some two seconds.
work=$(for _ in $(seq 1 200); do echo work sleep=10; done)
each=$((200 * (2 + 5 + 5))) # push and pop, calls, kernels

RANGES_FLUSH_MS=400
export RANGES_FLUSH_MS
# shellcheck disable=SC2086
keep --keep 500ms -- init launches=5 traced $work
is "$(homeless log.bin)" "some 0 0" "what CUPTI hands over late of what was dropped is not kept"
is "$(sum)" "$each" "it is counted as outside, to the event"
"$analyzer" verify log.bin >"$temp/verify" 2>&1
ok $? "the log is sound" || diag "$(cat "$temp/verify")"

# shellcheck disable=SC2086
keep --keep 500ms -- init launches=5 traced $work kill
is "$(homeless log.bin):$("$analyzer" dump log.bin | sed -n 's/^capture snapshot_by=//p')" 'some 0 0:"death"' "likewise when the program is killed"

# shellcheck disable=SC2086
RANGES_BEFORE=200ms keep --keep 1s -- init launches=5 traced $work snapshot=at.bin work
is "$(sed -n 's/^snapshot //p' "$temp/out"):$(homeless at.bin)" "0:some 0 0" "likewise in a snapshot"
is "$(sum)" "$((each + 12))" "of which the log of the end does not know"

# CUPTI's records are fetched for a snapshot, and for `ctl flush`.
RANGES_FLUSH_MS=60000 keep --keep 30s -- init launches=5 traced work snapshot=at.bin
is "$(homeless at.bin):$("$analyzer" dump at.bin | grep -c ' kernel ')" "some 0 0:5" "a snapshot has the kernels that CUPTI still kept"
# Here nothing else makes CUPTI deliver records, and the trigger sees the range a tenth of a second
# later.
RANGES_FLUSH_MS=100 keep --cuda no-flush --keep 30s --when 'range around > 10ms' -- init traced begin=around launch launch sleep=30 end flushed=1 sleep=1000
is "$(homeless log.s1.bin):$("$analyzer" dump log.s1.bin | grep -c ' kernel ')" "some 0 0:2" "and so has one that a slow range made"

# Times by another clock than the window's.
# shellcheck disable=SC2086
keep --cuda cupti-clock --keep 500ms -- init launches=5 traced $work
is "$(homeless log.bin):$(sum)" "some 0 0:$each" "likewise with times by CUPTI's clock"

# A range that was opened before the window has the work that was launched in it later.
calls=$(for _ in $(seq 1 200); do echo launch sleep=10; done)
# shellcheck disable=SC2086
keep --keep 500ms -- init traced begin=around $calls end
is "$(homeless log.bin):$("$analyzer" stats -r launch -f csv log.bin 2>/dev/null | grep ,kernel, | grep -vc ',around,stack,')" \
	"some 0 0:0" "what is launched in a range that was opened before is that range's"
is "$(sum)" $((2 + 400)) "and all is counted"
done_testing

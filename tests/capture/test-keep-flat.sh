#!/bin/sh
# SPDX-License-Identifier: MIT
# At full speed a capture that keeps its last part stays within its limits of memory and disk,
# however long it runs.
#
# RANGES_TEST_KEEP_S: duration in seconds; RANGES_TEST_KEEP_M: kept size in MiB.

. "${0%/*}/../lib.sh"
. "${0%/*}/stepper.sh"
RANGES_EXIT_MS=60000
export RANGES_EXIT_MS
seconds=${RANGES_TEST_KEEP_S:-3}
window=${RANGES_TEST_KEEP_M:-1}
limit=$((window << 20))

"$ranges" run --keep "${window}M" --buffer 16M -o log.bin -- "$stepper" push=outer hot=1 touch=at.1 sleep=$((seconds * 1000)) \
	touch=at.2 join >out 2>errors &
launcher=$!
for _ in $(seq 1 6000); do
	[ ! -e at.1 ] || break
	sleep 0.01
done
most=0
memory=0
looks=0
pid=
while [ ! -e at.2 ]; do
	[ -n "$pid" ] || pid=$(find . -name 'log.bin.keep-*' | sed 's/.*keep-\([0-9]*\)\..*/\1/' | head -n 1)
	# Files may disappear during the search.
	bytes=$(find . -name 'log.bin.keep-*' -printf '%s\n' 2>/dev/null | awk '{ sum += $1 } END { print sum + 0 }')
	[ "$bytes" -le "$most" ] || most=$bytes
	kb=$(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status" 2>/dev/null)
	[ "${kb:-0}" -le "$memory" ] || memory=$kb
	looks=$((looks + 1))
	sleep 0.1
done
wait "$launcher"
diag "$looks looks in $seconds s: at most $most bytes on disk, $memory KiB of memory besides the buffer: $(cat errors)"
# One write, and the space reserved behind it, may exceed the limit.
[ "$looks" -gt 0 ] && [ "$most" -le $((limit + (1 << 20))) ]
ok $? "the pieces take no more than what is to be kept"
[ "$memory" -le 32768 ]
ok $? "memory does not grow"
[ "$(stat -c %s log.bin)" -le $((limit + (1 << 18))) ]
ok $? "nor does the log"
is "$(($(sed -nE 's/^ranges: ([0-9]+) events?, .* ([0-9]+) lost, ([0-9]+) outside of .*/\1 + \2 + \3/p' errors)))" \
	"$(sed -n 's/^calls //p' out)" "recorded + lost + outside are the calls"
"$analyzer" verify log.bin >verify.out 2>&1
is "$?:$(echo ./*keep*)" "0:./*keep*" "it reads alone, and no piece is left"
done_testing

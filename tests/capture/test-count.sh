#!/bin/sh
# SPDX-License-Identifier: MIT
# RANGES_COUNT: counts of a range's other events than time. The test uses page faults, because the
# kernel counts them on every machine, and they are the same each time.

. "${0%/*}/../lib.sh"
need_temp
ranges=$(cd "$top_builddir" && pwd)/libranges/ranges
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer
counted=$(cd "$top_builddir" && pwd)/tests/capture/counted
for program in "$ranges" "$analyzer" "$counted"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID RANGES_COUNT
mkdir "$temp/spool"
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
cd "$temp" || exit 1

"$ranges" run -q -o off.bin -- "$counted"
is "$?:$("$analyzer" dump --all off.bin | grep -c 'count1\|counts=')" "0:0" "without it nothing is counted"

refused=
for words in nosuch 'page-faults,' ',page-faults' page-faults,page-faults instructions,cycles,cache-misses,page-faults; do
	"$ranges" run -q -o wrong.bin --count "$words" -- "$counted" 2>err
	[ "$?:$(wc -l <err)" = 2:1 ] || refused="$refused $words"
done
is_empty "$refused$(ls wrong* 2>/dev/null)" "lists that mean nothing are refused with a line"

"$ranges" run -o page.bin --count page-faults,task-clock -- "$counted" 2>err
status=$?
"$analyzer" dump --all page.bin >dump.txt
if ! grep -q '^capture counts=' dump.txt; then
	is "$status:$(grep -c 'cannot count page-faults, task-clock: .*; times are recorded' err)" "0:2" \
		"where the kernel refuses, a line says so, and times are recorded"
	is_empty "$(grep count1= dump.txt)" "without counts"
	done_testing # ends the script
fi
is "$status:$(grep '^capture counts=' dump.txt)" '0:capture counts="page-faults" "task-clock"' "the log says what is counted"

# faults FILE: prints the faults of each call of a range, by name and stream.
faults()
{
	"$analyzer" dump --all "$1" | awk '/^event/ {
		count = ""
		for (i = 5; i <= NF; i++) {
			if ($i ~ /^count1=/) count = substr($i, 8)
			if ($i ~ /^name=/) name = $i
		}
		stream = $2
		if (/ push /) {
			names[stream, ++depth[stream]] = name
			starts[stream, depth[stream]] = count
		} else {
			start = starts[stream, depth[stream]]
			print stream, names[stream, depth[stream]--], count == "" || start == "" ? "none" : count - start
		}
	}'
}
# The kernel may take a page away at any time, so there can be some more.
is "$(faults page.bin | awk '/touch/ { print $1, $2, ($3 >= 200 && $3 < 250 ? "200" : $3) }')" \
	"$(printf '1 name="touch" 200\n2 name="touch" 200')" "each new page is a fault, in each thread"
is "$(faults page.bin | awk '/idle/ && $3 < 50' | wc -l)" 2 "where nothing is touched there is none"
child=$(find . -name 'page.*.bin')
is "$(faults "$child" | awk '/touch/ && $3 >= 200 && $3 < 250' | wc -l)" 1 "a fork child counts for itself"
is "$(grep '^event' dump.txt | grep -c 'count1=.*count2=')" "$(grep -c '^event' dump.txt)" "each push and pop has all counts"
is "$(awk '/^event 1 / { sub(/.*count2=/, ""); if ($1 + 0 < last + 0) print; last = $1 }' dump.txt)" "" "the time on a CPU only rises"

"$ranges" run -q -o closing.bin --count page-faults -- "$counted" closing
is "$?" 0 "a program may close our files and reuse their numbers; errno is as it was"
is "$(faults closing.bin | grep after)" '1 name="after" none' "what is read is never a file of the program's"
is "$("$analyzer" verify closing.bin | sed 's/,.*//')" "closing.bin: sound" "such logs are sound"

# shellcheck disable=SC3045 # every shell that serves as sh has it
(ulimit -n 256 && exec "$ranges" run -q -o many.bin --count page-faults -- "$counted" many) >out 2>err
is "$?:$(awk '$1 > 20 && $1 < 64 + 20 && $2 < 20 { print "few" }' out):$("$analyzer" dump many.bin | grep -c ' push ')" "0:few:200" \
	"of the files that a program may have open a quarter at most is taken, and given back"

"$ranges" run -o both.bin --count instructions,page-faults -- "$counted" 2>err
status=$?
if grep -q 'cannot count instructions' err; then
	is "$status:$("$analyzer" dump --all both.bin | grep '^capture counts=')" '0:capture counts="page-faults"' \
		"what the machine does not have is left out"
	is "$("$analyzer" info both.bin | grep -c 'cannot count instructions')" 1 "the log says why"
else
	is "$status:$("$analyzer" dump --all both.bin | grep '^capture counts=')" '0:capture counts="instructions" "page-faults"' \
		"instructions are counted here"
fi
is_empty "$(ls spool)" "no spool is left"
done_testing

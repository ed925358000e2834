#!/bin/sh
# SPDX-License-Identifier: MIT
# On a terminal commands that read for longer than a second show their progress, and then remove the
# line. The test's clock advances by two seconds each time it is read.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
grep -q __asan_init "$analyzer" && skip_all "a sanitizer must be the first library"
cat >"$temp/clock.c" <<'EOF'
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *now)
{
	static time_t seconds = 100;

	(void) id;
	now->tv_sec = seconds += 2;
	now->tv_nsec = 0;
	return 0;
}
EOF
${CC:-cc} -shared -fPIC "$temp/clock.c" -o "$temp/clock.so" 2>/dev/null || skip_all "no compiler"

# A trace of many blocks of text, because progress is shown after each.
python3 - "$temp/a.json" <<'EOF'
import json, sys
json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": i * 10, "dur": 5}
                           for i in range(30000)]}, open(sys.argv[1], "w"))
EOF
cp "$temp/a.json" "$temp/b.json"

# progress WORD...: prints a command's progress lines on a terminal, and whether it removed the last
# one.
progress()
{
	LD_PRELOAD=$temp/clock.so PYTHONPATH=$top_srcdir/tests/tools python3 -c 'import os, re, sys
import screen
text, status = screen.run(sys.argv[1:], 80, 24, lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 1))
lines = re.findall(r"\r((?:reading|writing)[^:\r\n]*): +[0-9.]+ (?:%|MB)", text.decode())
rest = re.split(r": +[0-9.]+ (?:%|MB)", text.decode())[-1]
print(*sorted(set(lines)), rest.startswith("\r\x1b[K"))' "$analyzer" "$@"
}

for command in analyze "stats -r overview" verify info; do
	# shellcheck disable=SC2086 # words
	is "$(progress $command "$temp/a.json")" "reading True" "$command says how far it is"
done
for command in "stats -r ranges --jobs 1" "stats -r comm --jobs 1" "summarize -j 1 -o $temp/all.sum"; do
	# shellcheck disable=SC2086 # words
	is "$(progress $command "$temp/a.json" "$temp/b.json")" "reading 1 of 2 reading 2 of 2 True" "$command says how far it is in which file"
done
# Processes read several inputs in parallel. The line shows the one for which the command waits.
is "$(progress stats -r ranges --jobs 2 "$temp/a.json" "$temp/b.json" | sed "s/ reading 2 of 2//")" "reading 1 of 2 True" "and where processes read them"
is "$(progress stats -r comm --jobs 2 "$temp/a.json" "$temp/b.json" | sed "s/ reading 2 of 2//")" "reading 1 of 2 True" "and where threads do"
is "$(progress diff "$temp/a.json" "$temp/b.json")" "reading True" "diff says how far it is"
if [ -x "$top_builddir/tests/tools/gen-log" ]; then
	"$top_builddir/tests/tools/gen-log" "$temp/log.bin" --pairs 100000
	is "$(progress dump --slices "$temp/log.bin")" "reading True" "dump says how far it is with a log"
else
	skip "dump says how far it is with a log" "gen-log is not built"
fi
is "$(progress analyze "$temp/a.json" -o "$temp/out.json")" "reading writing True" "writing says how much there is"
echo 'lost == 0' >"$temp/budgets"
is "$(progress check "$temp/budgets" "$temp/a.json")" "reading True" "check says how far it is"
is "$("$analyzer" summarize "$temp/a.json" -o "$temp/one.sum" 2>&1 | grep -c reading)" 0 "nothing of it goes into a pipe"
done_testing

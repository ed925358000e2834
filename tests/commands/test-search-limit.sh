#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer search --limit shows the first hits. It does not hold the rows of the others, but sums
# them up.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
gen=$top_builddir/tests/tools/gen-log
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
[ -x "$gen" ] || skip_all "gen-log is not built"
log=$temp/log.bin

# ---- the first rows are those of all ----
for seed in 1 2 3; do
	"$gen" "$log" --pairs 3000 --seed $seed --threads 3 --names $((seed * 9)) --odd marks,attrs,crossing,spans
	for sort in dur start; do
		"$analyzer" search "$log" --sort $sort -f csv >"$temp/all"
		for limit in 1 2 7 100 2999 100000; do
			"$analyzer" search "$log" --sort $sort -f csv --limit $limit >"$temp/some"
			head -n $((limit + 1)) "$temp/all" >"$temp/wanted"
			cmp -s "$temp/some" "$temp/wanted" || echo "seed $seed, --sort $sort --limit $limit"
		done
	done
done >"$temp/found"
is_empty "$(cat "$temp/found")" "they come in the order of all rows"

# ---- what is left out ----
cat >"$temp/rest.json" <<'END'
{"traceEvents":[{"ph":"X","cat":"user_annotation","name":"a","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"user_annotation","name":"a","pid":1,"tid":1,"ts":200,"dur":60},
{"ph":"X","cat":"user_annotation","name":"a","pid":1,"tid":1,"ts":300,"dur":40},
{"ph":"X","cat":"user_annotation","name":"a","pid":1,"tid":1,"ts":400,"dur":10},
{"ph":"X","cat":"user_annotation","name":"b","pid":1,"tid":2,"ts":200,"dur":7}]}
END
"$analyzer" search "$temp/rest.json" --limit 2 >"$temp/said"
is "$(sed -n 1p "$temp/said")" "5 found, of 2 names" "all are counted"
is "$(grep -c '3 more.*57.000us' "$temp/said")" 1 "and those without a row summed up"
is "$("$analyzer" search "$temp/rest.json" --limit 2 --width 40 | grep -c 'thread 1')" \
	"$("$analyzer" search "$temp/rest.json" --limit 2 --width 200 | grep -c 'thread 1')" \
	"a column in which only others differ is not left out"

# ---- memory: a row is 200 bytes and more, and is sorted ----
if [ "${SANITIZERS:-no}" = no ] && command -v python3 >/dev/null 2>&1; then
	"$gen" "$log" --pairs 400000
	python3 - "$analyzer" "$log" <<'END' >"$temp/peak"
import os
import subprocess
import sys
program = subprocess.Popen([sys.argv[1], "search", sys.argv[2], "--limit", "10"], stdout=subprocess.DEVNULL)
print(os.wait4(program.pid, 0)[2].ru_maxrss)
END
	ok "$([ "$(cat "$temp/peak")" -le 80000 ] && echo 0 || echo 1)" "400,000 that are found: less than 80 MB"
else
	skip "400,000 that are found: less than 80 MB" "sanitizers, or python3 is missing"
fi
done_testing

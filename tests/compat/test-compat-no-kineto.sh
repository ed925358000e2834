#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces of torch without Kineto, which have no categories: --compat=torch gives torch's table. And
# a report that finds none of its events says so, in every mode.

. "${0%/*}/../lib.sh"
need_temp
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
analyzer=$top_builddir/analyzer/analyzer
cd "$temp" || exit 1

# f contains a g. Both begin in the same µs because of rounding.
cat >small.json <<'END'
[{"name": "f", "ph": "X", "ts": 10, "dur": 5, "tid": 1, "pid": "CPU functions", "args": {}},
{"name": "g", "ph": "X", "ts": 10, "dur": 2, "tid": 1, "pid": "CPU functions", "args": {}},
{"name": "f", "ph": "X", "ts": 20, "dur": 3, "tid": 1, "pid": "CPU functions", "args": {}}]
END
for mode in torch torch-old; do
	is "$("$analyzer" stats -r key_averages --compat=$mode --format csv small.json 2>/dev/null | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s,%s,%s,%s;", $1, $at["self_cpu_us"], $at["cpu_total_us"], $at["calls"] }')" "f,6,8,2;g,2,2,1;" \
		"$mode: events without a category are operators of the CPU"
done

printf '[{"ph":"i","cat":"x","name":"a","pid":1,"tid":1,"ts":1,"s":"t"}]' >mark.json
for mode in none tb hta torch torch-old; do
	"$analyzer" stats --compat=$mode --list | sed '/^$/,$d' | cut -d ' ' -f 1 >reports
	while read -r report; do
		"$analyzer" stats --compat=$mode -r "$report" mark.json 2>/dev/null
		echo
	done <reports >said
	is "$(awk '/^---/ { head = 1; next } head && /^ *$/ { n++ } { head = 0 } END { print n + 0 }' said)" 0 \
		"$mode: no report is a table without a row and without a word"
done

inputs=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}/../inputs
if [ -f "$inputs/torch_1_13_no_kineto.json.gz" ]; then
	python3 "$top_srcdir/tests/compat/no-kineto.py" "$analyzer" "$inputs/torch_1_13_no_kineto.json.gz" \
		"$inputs/torch_1_13_no_kineto.key_averages.txt" >said
	is "$(tail -n 1 said)" "30 rows, 0 differ" "torch 1.13's own table of a training loop"
	sed 's/^/# /' said
else
	skip "torch 1.13's own table" "no public traces here"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# The report key_averages has torch.profiler's figures in its mode, and true ones in ours; those of
# TraceLens are ours as well.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

if [ -d "$traces/expected" ]; then
	python3 "$top_srcdir/tests/kineto/compare-torch.py" "$analyzer" "$traces" >"$temp/out"
	ok $? "$(tail -n 1 "$temp/out")"
	diag "$(cat "$temp/out")"
	python3 "$top_srcdir/tests/kineto/compare-tracelens.py" "$analyzer" "$traces" >"$temp/out"
	ok $? "$(tail -n 1 "$temp/out")"
	diag "$(cat "$temp/out")"
else
	skip "the report key_averages of public traces" "no traces at $traces"
fi

# Faults of torch's table that ours lacks.
python3 "$top_srcdir/tests/kineto/faults-torch.py" "$analyzer" "$temp" >"$temp/out"
ok $? "the report is made in three modes"
while read -r verdict sentence; do
	case $verdict in
	ok) pass "$sentence" ;;
	not) fail "$sentence" ;;
	*) diag "$verdict $sentence" ;;
	esac
done <"$temp/out"

# Every report of every mode on odd traces: an exit status that means something, and no crash.
"$analyzer" stats --help | grep -q torch-old
ok $? "there are modes"
kinds=$(sed -n 's/^    if kind == "\([a-z-]*\)":$/\1/p' "$top_srcdir/tests/kineto/odd.py")
mkdir "$temp/json"
for kind in $kinds; do
	case $kind in
	bomb* | too-deep | deep-top) continue ;; # nothing of them is read
	esac
	python3 "$top_srcdir/tests/kineto/odd.py" "$kind" "$temp/odd.json"
	wrong=
	for mode in none tb hta torch; do
		"$analyzer" stats --report all --compat="$mode" --format json \
			"$temp/odd.json" >"$temp/json/$kind.$mode" 2>"$temp/err"
		status=$?
		if [ $status -ne 0 ]; then
			rm "$temp/json/$kind.$mode"
			[ $status -eq 3 ] || wrong="$wrong $mode: exit $status $(tail -n 1 "$temp/err" | cut -c1-200)"
		fi
	done
	is_empty "$wrong" "all reports of all modes read a trace of the kind $kind"
done
is_empty "$(cd "$temp/json" && python3 -c 'import json, sys
for name in sys.argv[1:]:
    try:
        json.load(open(name))
    except ValueError as error:
        print(name, error)' ./* 2>&1)" "all of it is JSON ($(find "$temp/json" -type f | wc -l))"
# The layout of torch accepts every table.
for kind in empty good no-gpu no-cpu long-name; do
	python3 "$top_srcdir/tests/kineto/odd.py" "$kind" "$temp/odd.json"
	"$analyzer" stats --report key_averages --format torch --group-by shape,stack --set flops=1 \
		"$temp/odd.json" >"$temp/out" 2>"$temp/err"
	ok $? "torch's layout of a trace of the kind $kind"
done
done_testing

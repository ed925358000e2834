#!/bin/sh
# SPDX-License-Identifier: MIT
# compare-builds.sh OLD NEW [FILE...]: runs two analyzers on all FILEs, with every command, report and
# format, and names each run whose output, errors or exit status differ. By hand, before and after a
# change that should change nothing. Without FILEs: the public traces, tests/data, tests/fuzz/corpus and
# logs made here; with NSYS=yes also the exports of nsys. Exit: 0 all the same, 1 not. JOBS runs at a time (2).

export LC_ALL=C
if [ $# -lt 2 ]; then
	sed -n '3,6s/^# //p' "$0"
	exit 2
fi
old=$(realpath "$1")
new=$(realpath "$2")
shift 2
sources=$(cd "$(dirname "$0")/../.." && pwd)
traces=${RANGES_TEST_TRACES:-$sources/../shared/traces}
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT

make_logs()
{
	for seed in 1 2 3; do
		python3 "$sources/tests/tools/gpu-log.py" "$seed" $((seed * 3 - 3)) 600 $((seed % 2)) |
			python3 "$sources/tests/tools/text-log.py" "$temp/gpu-$seed.bin" || return 1
	done
	for log in "$sources"/tests/cli/*.log "$sources"/tests/data/*/*.bin "$sources"/tests/fuzz/corpus/*; do
		[ ! -f "$log" ] || cp "$log" "$temp/$(basename "$log").bin"
	done
}

if [ $# -eq 0 ]; then
	make_logs || exit 2
	set -- "$temp"/*.bin "$traces"/*.json.gz "$traces"/unit/*.json.gz "$traces"/advice/*.json.gz
	if [ "${NSYS:-no}" != no ]; then
		for packed in "$traces"/nsys/*.sqlite.gz; do
			gunzip -c "$packed" >"$temp/$(basename "$packed" .gz)" && set -- "$@" "$temp/$(basename "$packed" .gz)"
		done
	fi
fi

# One line per run: the arguments, @ stands for the file, OUT for one to write.
cat >"$temp/runs" <<'END'
@
@ --all --names raw
@ -o - --to perfetto
@ -o - --to pftrace
@ -o - --to page
@ -o - --to speedscope
@ -o - --to folded
@ -o - --to folded-gpu
@ -o - --to events
@ -o - --to events-csv
@ -o OUT --to sqlite
summarize @ -o -
diff @ @ -f json
info @
info @ --format json
verify @
dump @ --all
dump @ --slices
stats @ -r all
stats @ -r all -f csv
stats @ -r all -f tsv
stats @ -r all -f json
stats @ -r all -f md
stats @ -r all -f jsonl
stats @ -r all -f sql
stats @ -f openmetrics
stats @ -r all --by rank -w 160
stats @ -r launch,memory-curve -f csv
stats @ -r all --steps 1-2 -f csv
stats @ -r all --names raw --kernel-name base --attribute sequence,process -f csv
stats @ -r all --python --group-by path -f csv
stats @ -r key_averages -f torch
stats @ --compat=tb -r all -f csv
stats @ --compat=hta -r all -f csv
stats @ --compat=torch -r all -f csv
stats @ --compat=torch-old -r all -f csv
END

cat >"$temp/one" <<'END'
file=$1
name=$(mktemp "$temp/out.XXXXXX")
while read -r run; do
	for side in old new; do
		eval "program=\$$side"
		(
			set --
			for word in $run; do
				[ "$word" != @ ] || word=$file
				[ "$word" != OUT ] || word=$name.out
				set -- "$@" "$word"
			done
			"$program" "$@" >"$name.$side" 2>"$name.$side.err"
			echo "exit $?" >>"$name.$side.err"
		)
		[ ! -f "$name.out" ] || mv "$name.out" "$name.$side"
	done
	cmp -s "$name.old" "$name.new" && cmp -s "$name.old.err" "$name.new.err" && echo "same" ||
		echo "DIFFER $run ($file)"
done <"$temp/runs"
rm -f "$name" "$name".*
END
export old new temp
printf '%s\n' "$@" | while read -r file; do
	[ ! -f "$file" ] || printf '%s\0' "$file"
done | xargs -0 -r -n 1 -P "${JOBS:-2}" sh "$temp/one" >"$temp/result"
grep '^DIFFER' "$temp/result" | sort
printf '%d runs, %d differ\n' "$(wc -l <"$temp/result")" "$(grep -c '^DIFFER' "$temp/result")"
! grep -q '^DIFFER' "$temp/result"

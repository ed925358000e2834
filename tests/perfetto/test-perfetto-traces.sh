#!/bin/sh
# SPDX-License-Identifier: MIT
# Public traces written again, whole and cut to each of their steps, are as sound in Perfetto as they were.
#
# tests/perfetto/check.sh counts what Perfetto's trace processor holds against a trace: of nothing may there
# be more than in the trace itself.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
check=$top_srcdir/tests/perfetto/check.sh
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
[ -f "$traces/INDEX.md" ] || skip_all "no traces: RANGES_TEST_TRACES names their folder"

printf '{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]}' >"$temp/one.json"
status=0
"$check" -c "$temp/one.json" >"$temp/out" || status=$?
[ "$status" = 0 ] || skip_all "$(cat "$temp/out")"

# list_worse FILE: what Perfetto has against new.json and not, or less often, against the trace.
list_worse()
{
	"$check" -c "$temp/new.json" >"$temp/new" || echo "not checked" >"$temp/new"
	awk 'NR == FNR { had[$1] = $2; next } $2 > had[$1] + 0 { print $1 ": " $2 " instead of " had[$1] + 0 }
		/not/ { print }' "$temp/whole" "$temp/new"
}

for file in "$traces"/*.json.gz "$traces"/unit/*.json*; do
	name=${file##*/}
	name=${name%%.json*}
	"$check" -c "$file" >"$temp/whole"
	"$analyzer" "$file" -o "$temp/new.json" 2>/dev/null
	is_empty "$(list_worse)" "$name written again"
	worse=
	count=0
	for step in $("$analyzer" stats "$file" --report overview --format tsv 2>/dev/null | sed 1d | cut -f 1 | grep '^[0-9]*$'); do
		"$analyzer" "$file" -o "$temp/new.json" --steps "$step" 2>/dev/null || continue
		count=$((count + 1))
		worse=$worse$(list_worse | sed "s/^/step $step: /")
	done
	[ "$count" = 0 ] || is_empty "$worse" "$name cut to each of its $count steps"
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Perfetto has nothing against public traces that are written again, whole and cut to each of their steps,
# whatever it has against them as they were; and it holds each of their slices.
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

# faults: what Perfetto has against new.json.
faults()
{
	"$check" -c "$temp/new.json" || echo "not checked"
}

echo "select 'slice', ts, dur, name from slice" >"$temp/slices.sql"
for file in "$traces"/*.json.gz "$traces"/unit/*.json*; do
	name=${file##*/}
	name=${name%%.json*}
	"$analyzer" "$file" -o "$temp/new.json" 2>/dev/null
	is_empty "$(faults)" "$name written again"
	node "$top_srcdir/tests/perfetto/tp.mjs" "$temp/new.json" "$temp/slices.sql" >"$temp/engine" 2>/dev/null
	is_empty "$(python3 "$top_srcdir/tests/perfetto/slices.py" "$file" "$temp/new.json" "$temp/engine" 2>&1 | head -n 5)" \
		"$name: Perfetto holds each slice, $(wc -l <"$temp/engine")"
	wrong=
	count=0
	for step in $("$analyzer" stats "$file" --report overview --format tsv 2>/dev/null | sed 1d | cut -f 1 | grep '^[0-9]*$'); do
		"$analyzer" "$file" -o "$temp/new.json" --steps "$step" 2>/dev/null || continue
		count=$((count + 1))
		wrong=$wrong$(faults | sed "s/^/step $step: /")
	done
	[ "$count" = 0 ] || is_empty "$wrong" "$name cut to each of its $count steps"
done
done_testing

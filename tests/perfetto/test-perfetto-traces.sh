#!/bin/sh
# SPDX-License-Identifier: MIT
# Perfetto accepts public traces that are written again, complete or cut to each of their steps,
# whatever its complaints about the originals. It has each of their slices.
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

# faults FILE: prints Perfetto's complaints about it.
faults()
{
	cat "$1.faults" 2>/dev/null || echo "not checked"
}

# One engine reads all of a trace: whole, then each step.
for file in "$traces"/*.json.gz "$traces"/unit/*.json*; do
	name=${file##*/}
	name=${name%%.json*}
	rm -rf "$temp/room"
	mkdir "$temp/room"
	"$analyzer" "$file" -o "$temp/room/whole.json" 2>/dev/null
	set -- "$temp/room/whole.json"
	for step in $("$analyzer" stats "$file" --report overview --format tsv 2>/dev/null | sed 1d | cut -f 1 | grep '^[0-9]*$'); do
		"$analyzer" "$file" -o "$temp/room/$step.json" --steps "$step" 2>/dev/null || continue
		set -- "$@" "$temp/room/$step.json"
	done
	"$check" -c "$@" || diag "the engine failed"
	is_empty "$(faults "$1")" "$name written again"
	is_empty "$(python3 "$top_srcdir/tests/perfetto/slices.py" "$file" "$1" "$1.slices" 2>&1 | head -n 5)" \
		"$name: Perfetto holds each slice, $(wc -l <"$1.slices")"
	shift
	wrong=
	for new; do
		wrong=$wrong$(faults "$new" | sed "s,^,step ${new##*/}: ,")
	done
	[ $# = 0 ] || is_empty "$wrong" "$name cut to each of its $# steps"
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Logs of every earlier format version are read today as they were then.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "$analyzer is not built"

# Each .bin has its dump beside it, made when its version was current. The dumps are never made
# again: a difference means that old logs are read differently. The same holds for logs of real GPUs
# (tests/gpu/run).
for log in "$top_srcdir"/tests/data/format-*/*.bin "$top_srcdir"/tests/data/gpu/*.bin; do
	[ -f "$log" ] || continue
	version=$(basename "$(dirname "$log")")
	name=$(basename "$log" .bin)
	"$analyzer" dump --all "$log" >"$temp/dump" 2>"$temp/err"
	if cmp -s "$temp/dump" "${log%.bin}.dump"; then
		pass "$version: $name is dumped as when it was written"
	else
		fail "$version: $name is dumped as when it was written"
		diag "$(diff "${log%.bin}.dump" "$temp/dump" | head -n 5)"
	fi
	if "$analyzer" stats --report ranges --format json "$log" >"$temp/json" 2>>"$temp/err"; then
		pass "$version: $name is analysed"
	else
		fail "$version: $name is analysed"
	fi
	"$analyzer" info --format json "$log" >"$temp/json" 2>>"$temp/err"
	"$analyzer" verify "$log" >"$temp/out" 2>&1
	is "$(grep -o '"events": *[0-9]*' "$temp/json" | head -n 1 | tr -dc 0-9)" \
		"$(sed -n 's/.*chunks, \([0-9]*\) events.*/\1/p' "$temp/out")" \
		"$version: info and verify count the same events of $name"
done
done_testing

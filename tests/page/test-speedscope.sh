#!/bin/sh
# SPDX-License-Identifier: MIT
# speedscope's own importer reads -o x.speedscope.json of a log and of all public traces. The test
# is skipped without Chromium, or without speedscope (tests/page/fetch-speedscope.sh fetches it).
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
here=$top_srcdir/tests/page
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
index=${SPEEDSCOPE_DIR:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/ranges-speedscope}/release/index.html

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
# RANGES_TEST_BROWSER names another browser; "none": no browser is started.
chromium=${RANGES_TEST_BROWSER-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ "${chromium:-none}" != none ] || skip_all "no chromium"
[ -f "$index" ] || skip_all "no speedscope: tests/page/fetch-speedscope.sh brings it"

# import FILE...: prints speedscope's result for each.
import()
{
	python3 "$here/speedscope.py" "$chromium" "$index" "$@" 2>&1
}

# A file that is cut, and one with an end without a begin: the check must notice both.
printf '%s' '{"exporter":"x"' >"$temp/cut.speedscope.json"
cat >"$temp/unmatched.speedscope.json" <<'EOF'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},
"profiles":[{"type":"evented","name":"e","unit":"nanoseconds","startValue":0,"endValue":2,
"events":[{"type":"O","frame":0,"at":0},{"type":"C","frame":1,"at":1}]}]}
EOF
python3 "$here/page.py" trace "$temp/trace.json"
"$analyzer" "$temp/trace.json" -o "$temp/trace.speedscope.json"
import "$temp/cut.speedscope.json" "$temp/unmatched.speedscope.json" "$temp/trace.speedscope.json" >"$temp/out"
is "$(grep -c ': refused' "$temp/out")" 2 "speedscope refuses a file that is cut, and one with an unmatched end"
is "$(grep '^trace' "$temp/out")" "trace.speedscope.json: self CPU, 2 profiles" "a trace with hostile names loads"
if [ -x "$top_builddir/tests/tools/gen-log" ]; then
	"$top_builddir/tests/tools/gen-log" "$temp/log.bin" --pairs 1000 \
		--odd unmatched,open,losses,spans,marks,attrs,crossing,names,backwards
	"$analyzer" "$temp/log.bin" -o "$temp/log.speedscope.json"
	is "$(import "$temp/log.speedscope.json")" "log.speedscope.json: self CPU, 1 profiles" "a log with all kinds of faults loads"
else
	skip "a log" "gen-log is not built"
fi
if [ -d "$traces" ]; then
	mkdir "$temp/all"
	for trace in "$traces"/*.json.gz "$traces"/unit/*.json.gz; do
		name=${trace##*/}
		"$analyzer" "$trace" -o "$temp/all/${name%.json.gz}.speedscope.json" || echo "$name" >>"$temp/failed"
	done
	count=$(find "$temp/all" -name '*.json' | wc -l)
	import "$temp/all"/*.json >"$temp/out"
	is "$(grep -v ': self CPU, [12] profiles$' "$temp/out" "$temp/failed" 2>/dev/null)" "" "all $count public traces load"
	is "$(grep -c ': self CPU' "$temp/out")" "$count" "each of them was looked at"
else
	skip "public traces" "no $traces"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer sql: ten queries give the figures of the reports. Statements that do not only read are
# refused, long ones are ended, and no file is left.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
"$analyzer" --version | grep -q 'reads exports of nsys' || skip_all "built without libsqlite3"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the logs, is missing"

cpu=$top_srcdir/tests/data/format-1/plain.bin
gpu=$temp/gpu.bin
TMPDIR=$temp/tmp
export TMPDIR
mkdir "$TMPDIR"
python3 "$top_srcdir/tests/tools/gpu-log.py" 1 0 600 1 | python3 "$top_srcdir/tests/tools/text-log.py" "$gpu"

# ask FILE STATEMENT: prints the rows.
ask()
{
	"$analyzer" sql -f csv "$1" "$2" 2>/dev/null | sed 1d
}

# columns FILE REPORT COLUMN...: prints columns of a report by their names.
columns()
{
	"$analyzer" stats -f csv -r "$2" "$1" 2>/dev/null | python3 -c '
import csv, sys
out = csv.writer(sys.stdout, lineterminator="\n")
for row in csv.DictReader(sys.stdin):
    out.writerow([row[key] for key in sys.argv[1:]])' "$3" "$4"
}

columns "$cpu" ranges name calls | grep -v '^(' | sort >"$temp/was"
is "$(ask "$cpu" 'SELECT name, count(*) FROM slices GROUP BY name ORDER BY name')" "$(cat "$temp/was")" "calls of ranges"
columns "$cpu" ranges name min_ns | grep -v '^(' | sort >"$temp/was"
is "$(ask "$cpu" 'SELECT name, min(dur) FROM slices GROUP BY name ORDER BY name')" "$(cat "$temp/was")" "the shortest"
columns "$cpu" ranges name max_ns | grep -v '^(' | sort >"$temp/was"
is "$(ask "$cpu" 'SELECT name, max(dur) FROM slices GROUP BY name ORDER BY name')" "$(cat "$temp/was")" "the longest"
columns "$gpu" kernels name calls | sort >"$temp/was"
is "$(ask "$gpu" 'SELECT name, count(*) FROM kernels GROUP BY name' | sort)" "$(cat "$temp/was")" "how often kernels ran"
columns "$gpu" kernels name total_ns | sort >"$temp/was"
is "$(ask "$gpu" 'SELECT name, sum(dur) FROM kernels GROUP BY name' | sort)" "$(cat "$temp/was")" "for how long"
columns "$gpu" memcpy name bytes | grep -v Memset | sort >"$temp/was"
# rounded: prints rows, sorted, with six digits after the point.
rounded()
{
	python3 -c '
import re, sys
for line in sorted(re.sub(r"[0-9]+\.[0-9]+", lambda real: "%.6f" % float(real[0]), line) for line in sys.stdin):
    print(line, end="")'
}

for log in "$cpu" "$gpu"; do
	"$analyzer" sql -f csv "$log" 'SELECT * FROM ranges' | rounded >"$temp/was"
	is "$(cat "$temp/was")" "$("$analyzer" stats -f csv -r ranges "$log" 2>/dev/null | rounded)" "ranges is the report: ${log##*/}"
	"$analyzer" sql -f csv "$log" 'SELECT * FROM Steps' | cut -d, -f1,4- >"$temp/was"
	is "$(cat "$temp/was")" "$("$analyzer" stats -f csv -r overview "$log" 2>/dev/null)" "steps is the report overview: ${log##*/}"
	is "$(ask "$log" 'SELECT count(*) FROM steps WHERE end - start <> total_ns')" 0 "... each from its start to its end"
done
is "$(ask "$cpu" 'SELECT sum(calls) FROM ranges WHERE calls > 0')" "$(ask "$cpu" 'SELECT count(*) FROM slices')" "both know all ranges"
is "$(ask "$gpu" 'SELECT count(*) > 0, sum(bytes) > 0 FROM copies')" "1,1" "there are copies"
columns "$cpu" threads tid ranges | sort >"$temp/was"
is "$(ask "$cpu" 'SELECT tid, count(*) FROM slices GROUP BY tid' | sort)" "$(cat "$temp/was")" "ranges of threads"
is "$(ask "$gpu" 'SELECT count(*) FROM kernels')" "$(columns "$gpu" kernels calls calls | awk -F, '{ n += $1 } END { print n }')" \
	"all kernels"
is "$(ask "$cpu" 'SELECT name FROM slices ORDER BY dur DESC LIMIT 1')" \
	"$("$analyzer" stats -f csv -r ranges -s -max "$cpu" 2>/dev/null | sed -n 2p | cut -d, -f1)" "which call took longest"
is "$("$analyzer" sql "$cpu" | sed -n 's/^\(ranges\|steps\) (\(name\|step\), .*/\1/p' | tr '\n' ' ')" "ranges steps " "they are listed"
is "$("$analyzer" sql "$cpu" | sed -n 's/^slices (\(.*\))/\1/p')" "name, domain, start, end, dur, tid, pid" "without a statement: the tables"

is "$("$analyzer" sql -f json "$cpu" 'SELECT 1 AS a, 2.5 AS b, NULL AS c, char(120, 34) AS d')" '[{"a":1,"b":2.5,"c":null,"d":"x\""}]' \
	"numbers, texts and NULL in JSON"
is "$("$analyzer" sql -f json "$cpu" 'SELECT 1 AS "a""b", 2 AS c, 3 AS c' | python3 -c 'import json, sys; print(json.load(sys.stdin))')" \
	"[{'a_b': 1, 'c': 2, 'c_3': 3}]" "names of columns are as every form can have them, and each once"
is "$(ask "$cpu" "SELECT 1 UNION ALL SELECT 'x' UNION ALL SELECT 2.5" | tr '\n' ' ')" "1 x 2.5 " "a column of several types is text"
is "$("$analyzer" sql -f md "$cpu" 'SELECT 1 AS a' | head -n 1) $("$analyzer" sql -f sql "$cpu" 'SELECT 1 AS a' | grep -c '^CREATE TABLE "answer"')" \
	"| a | 1" "as Markdown and as SQL"
is "$("$analyzer" sql -f csv -l 2 "$cpu" 'SELECT start FROM slices' | wc -l)" 3 "--limit"

# refused WHY STATEMENT...
refused()
{
	why=$1
	shift
	for statement in "$@"; do
		"$analyzer" sql --time 1 "$cpu" "$statement" >"$temp/out" 2>"$temp/err"
		is "$? $(wc -l <"$temp/err") $(wc -c <"$temp/out") $(grep -c "$why" "$temp/err")" "2 1 0 1" "refused: $statement"
	done
}
refused 'a statement may only read' "ATTACH '$temp/other' AS other" "PRAGMA journal_mode=WAL" "DELETE FROM StringIds" \
	"CREATE TABLE a(b)" "CREATE TEMP TABLE a(b)" "DROP TABLE StringIds" "INSERT INTO StringIds VALUES (1, 'a')" \
	"UPDATE StringIds SET value = ''" "BEGIN"
refused 'SELECT of 1 to 64 columns' "VACUUM INTO '$temp/other'" "REINDEX"
refused 'fts3_tokenizer' "SELECT fts3_tokenizer('simple')"
refused 'load_extension' "SELECT load_extension('x')"
refused 'took more than 1 s' "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r"
refused 'too big' "SELECT randomblob(2000000000)"
refused 'expected one statement' "SELECT 1; SELECT 2" "" ";"
refused 'no such column' "SELECT other FROM slices"
refused 'syntax error' "SELECT FROM"
"$analyzer" sql "$temp/none.bin" 'SELECT 1' >"$temp/out" 2>&1
is $? 3 "a file that is not there"
mkdir "$temp/broken"
echo "no library" >"$temp/broken/libsqlite3.so.0"
LD_LIBRARY_PATH=$temp/broken "$analyzer" sql "$cpu" 'SELECT 1' >"$temp/out" 2>&1
is "$? $(grep -c "libsqlite3 can't be loaded" "$temp/out")" "3 1" "without libsqlite3"

is_empty "$(ls -A "$TMPDIR"; [ ! -e "$temp/other" ] || echo other)" "nothing is left behind"
done_testing

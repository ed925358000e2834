#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/guide/notebook.md: each of its blocks runs, with the installed modules, and gives the figures
# of `stats`.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer
guide=$(cd "$top_srcdir" && pwd)/doc/guide/notebook.md
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
"$analyzer" --version | grep -q 'reads exports of nsys' || skip_all "analyzer was built without libsqlite3"
cp "$top_srcdir/tests/data/format-1/plain.bin" "$temp/run.bin"
mkdir "$temp/bin"
ln -s "$analyzer" "$temp/bin/analyzer"
cat >"$temp/blocks.py" <<'END2'
import re, sys
for number, (language, text) in enumerate(re.findall(r"```(sh|python)\n(.*?)```", open(sys.argv[1]).read(), re.S)):
    open("%s/%02d.%s" % (sys.argv[2], number, language), "w").write(text)
END2
# The data that a block has read, as one number: the self time of all ranges, or the time of all
# events.
cat >"$temp/sum.py" <<'END2'

def add_up(space):
    if "things" in space:
        return int(space["things"]["dur_ns"].sum())
    rows, key = (space["ranges"], "self_cpu_ns") if "ranges" in space else (space["events"], "dur_ns")
    if isinstance(rows, list):
        return sum(int(row[key]) if isinstance(row, dict) else row[1] for row in rows)
    if hasattr(rows, "aggregate") and hasattr(rows, "fetchone"):
        return int(rows.aggregate("sum(%s)" % key).fetchone()[0])
    return int(rows[key].sum())
print("sum", add_up(globals()))
END2
python3 "$temp/blocks.py" "$guide" "$temp"
cd "$temp" || exit 1
export PATH="$temp/bin:$PATH"
for block in ??.sh; do
	sh -e "$block" >said 2>errors
	is "$? $(cat errors)" "0 " "the commands of block $block"
done
"$analyzer" stats run.bin -r ranges -f csv 2>/dev/null | python3 -c '
import csv, sys
print(sum(int(row["self_cpu_ns"]) for row in csv.DictReader(sys.stdin)))' >self
"$analyzer" search run.bin -f csv 2>/dev/null | python3 -c '
import csv, sys
print(sum(int(row["dur_ns"]) for row in csv.DictReader(sys.stdin)))' >all
for block in ??.python; do
	module=$(sed -n '1s/^import \(.*, \)\{0,1\}\([a-z0-9]*\).*/\2/p' "$block")
	if ! python3 -c "import $module" 2>/dev/null; then
		skip "block $block" "no module $module"
		continue
	fi
	cat "$block" sum.py >run.py
	python3 -W ignore run.py >said 2>errors
	code=$?
	wanted=$(cat self)
	grep -q -e '^things' -e '^events' "$block" && wanted=$(cat all)
	is "$code $(sed -n 's/^sum //p' said)" "0 $wanted" "block $block, of $module, has all of it"
	[ "$code" -eq 0 ] || diag "$(tail -n 3 errors)"
done
is "$(find . -name '*.python' | wc -l)" 11 "the guide has its blocks"
done_testing

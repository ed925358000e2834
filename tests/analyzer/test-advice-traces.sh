#!/bin/sh
# SPDX-License-Identifier: MIT
# The report "advice" finds the known problems in public traces. advice/traces.tsv explains each.
. "${0%/*}/../lib.sh"
need_temp

traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
[ -d "$traces/expected" ] || skip_all "no traces"
grep -v '^#' "$test_dir/advice/traces.tsv" >"$temp/all"
for trace in $(cut -f1 "$temp/all" | uniq); do
	file=$traces/$trace.json.gz
	case $trace in
	nsys/*)
		if ! "$top_builddir/analyzer/analyzer" --version | grep -q 'reads exports of nsys'; then
			skip "$trace" "built without libsqlite3"
			continue
		fi
		file=$temp/${trace##*/}.sqlite
		if [ -e "$traces/$trace.sql" ]; then
			python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[2]).executescript(open(sys.argv[1]).read())' "$traces/$trace.sql" "$file"
		else
			gzip -dc "$traces/$trace.sqlite.gz" >"$file"
		fi
		;;
	esac
	awk -F '\t' -v t="$trace" '$1 == t && $2 != "-" { print $2 " " $3 }' "$temp/all" >"$temp/wanted"
	"$top_builddir/analyzer/analyzer" stats "$file" --report advice --format csv \
		2>"$temp/err" | sed 1d | awk -F, '{ printf "%s %.4f\n", $1, $2 }' >"$temp/got"
	is "$(cat "$temp/got")" "$(cat "$temp/wanted")" "$trace: $(wc -l <"$temp/wanted") findings, worst first"
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces with very many devices, streams, or events of one id, and one with a text of 60 MB. The
# time of no report grows with the square of their number.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ "${SANITIZERS:-no}" = no ] || skip_all "growth is looked at in the other builds"
# A report takes a second of CPU time at most, which does not depend on load, or a minute if it
# looks at all pairs.
limit=10

# grows KIND SENTENCE: runs all reports of each mode on such a trace.
grows()
{
	python3 "$top_srcdir/tests/kineto/large.py" "$1" "$temp/$1.json"
	slow=
	for mode in none torch tb hta; do
		(
			# shellcheck disable=SC3045 # dash and bash have it
			ulimit -t "$limit"
			exec "$analyzer" stats --compat="$mode" --report all --format csv "$temp/$1.json"
		) >/dev/null 2>"$temp/err"
		status=$?
		[ "$status" -eq 0 ] || slow="$slow --compat=$mode: exit $status;"
	done
	is_empty "$slow" "$2"
	rm -f "$temp/$1.json"
}

grows devices "30,000 devices take no quadratic time"
grows streams "nor do 30,000 streams"
grows one-id "nor 270,000 events of one id"

python3 "$top_srcdir/tests/kineto/large.py" long-text "$temp/long.json"
for way in file pipe; do
	(
		# shellcheck disable=SC3045 # dash and bash have it
		ulimit -t "$limit"
		if [ "$way" = file ]; then
			exec "$analyzer" stats --report trace --format csv "$temp/long.json"
		fi
		python3 "$top_srcdir/tests/kineto/large.py" long-text /dev/stdout |
			"$analyzer" stats --report trace --format csv -
	) 2>"$temp/err" | cut -c1-40 >"$temp/out"
	is "$(grep -c '^category,cpu_op,1,' "$temp/out") $(cat "$temp/err")" '1 ' \
		"a text of 60 MB is read from a $way, and looked at a few times only"
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Three places list the values of an option: the message about a wrong value, which uses the table,
# the help and the man page. All list the same values.
. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
[ -x "$ranges" ] || skip_all "ranges is not built"
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
unset RANGES_COUNT RANGES_CUDA RANGES_GPU_METRICS RANGES_SCHEDULE

# words BEFORE AFTER: prints the words of a list on standard input, one on each line.
words()
{
	sed -n "s/.*$1\\(.*\\)$2.*/\\1/p" | sed 's/, /\n/g'
}

# lacking TEXT: prints those words of standard input that the text does not have as words.
lacking()
{
	tr -s ' \n' ' ' <"$1" | sed 's/\\-/-/g' >"$temp/flat"
	while read -r word; do
		grep -qE "(^|[^a-z-])$word([^a-z-]|\$)" "$temp/flat" || echo "$word"
	done
}

# paragraph OPTION FILE: prints the man page's paragraph on an option.
paragraph()
{
	sed -n "/^\\.\\\\\" --$1\$/,/^\\.\\\\\" --/p" "$2"
}

# all OPTION LEAST FILE: the words of the file are in help and man page, and there are LEAST or
# more.
all()
{
	"$ranges" run --help | sed -n "/^ *--$1 /,/^ *--[a-z]/p" >"$temp/help"
	"$ranges" run --help | sed -n "/^  RANGES_$4\\( \\|\$\\)/,/^  RANGES_/p" >>"$temp/help"
	is "$(lacking "$temp/help" <"$3")" "" "ranges run --help lists what --$1 takes"
	paragraph "$1" "$top_srcdir/doc/ranges.1" >"$temp/man"
	sed -n "/^.fBRANGES_$4/,/^\\.TP/p" "$top_srcdir/doc/ranges.1" >>"$temp/man"
	is "$(lacking "$temp/man" <"$3")" "" "ranges(1) does"
	is "$(($(wc -l <"$3") >= $2))" 1 "which are several"
}

"$ranges" run --count nothing -- true 2>&1 | words "a list of " "; see" >"$temp/words"
all count 6 "$temp/words" COUNT
"$ranges" run --gpu-metrics nothing -- true 2>&1 | words "a list of " "; see" >"$temp/words"
all gpu-metrics 7 "$temp/words" GPU_METRICS
"$ranges" run --cuda nothing -- true 2>&1 | words "is not one of " "; see" >"$temp/words"
all cuda 14 "$temp/words" CUDA
"$ranges" run --schedule nothing=1 -- true 2>&1 | words "expected " ", each with" >"$temp/words"
all schedule 7 "$temp/words" SCHEDULE

# The parameters of the analyzer's reports.
"$analyzer" stats --set nothing=1 nothing.bin 2>&1 | words "there are " "; see" >"$temp/words"
paragraph set "$top_srcdir/doc/analyzer.1" >"$temp/man"
is "$(lacking "$temp/man" <"$temp/words")" "" "analyzer(1) has all parameters that --set takes"
is "$(grep -c '^flops$' "$temp/words") $(($(wc -l <"$temp/words") >= 17))" "1 1" "which a wrong one lists"
while read -r word; do
	"$analyzer" stats --set "$word=1" "$top_srcdir/tests/data/format-1/plain.bin" -r ranges >/dev/null 2>"$temp/err"
	is "$? $(cat "$temp/err")" "0 " "--set takes $word"
done <"$temp/words"

done_testing

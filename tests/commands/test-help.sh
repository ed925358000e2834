#!/bin/sh
# SPDX-License-Identifier: MIT
# The analyzer's reports have the same names, sentences and columns in --list, --help REPORT, the
# man page and doc/metrics.md. nsys' names for them work, and a mistyped name gets a guess.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
page=$top_srcdir/doc/analyzer.1
[ -x "$analyzer" ] || skip_all "the analyzer is not built"

# names: prints the names of reports in the output of --list.
names()
{
	sed -n 's/^\([a-z][a-z_-]*\)   *[^ ].*/\1/p'
}

"$analyzer" stats --list >"$temp/list"
names <"$temp/list" >"$temp/names"
ok "$(($(wc -l <"$temp/names") < 40))" "--list names reports"
is "$("$analyzer" stats --list --brief | sed -n -e 's/^  //p' -e 's/^more details of these: //p' | tr -d ' *' | tr , '\n' | sort) $(($("$analyzer" stats --list --brief | wc -c) < 2000))" \
	"$(sort "$temp/names") 1" "--list --brief the same, in 2 kB"
is "$(sort "$temp/names" | uniq -d)" "" "each under one question"
is "$(sed -n 's/^\([a-z][a-z_-]*\)   *\(\*\{0,1\}\) *\([^ ].*\)/\1|\3|\2/p' "$temp/list" | sort)" \
	"$(sed 's/\\-/-/g' "$page" | awk '/^\.\\" reports$/ { on = 1 }
		/^\.\\" \.$/ { on = 0 }
		on && /^\.B [a-z_-]+$/ { name = $2; next }
		on && name != "" && !/^\./ { star = sub(/ \(\*\)$/, ""); sub(/\.\.\.$/, "…"); print name "|" $0 "|" (star ? "*" : "") }
		{ name = "" }' | sort)" "the man page has the reports of --list, their sentences, and which read several files"

# --list shows some forty reports. Reports that add to one of them stand after it, and its help
# names them.
is "$(sed '/^More details of these/,$d' "$temp/list" | names | wc -l) $(sed '1,/^More details of these/d' "$temp/list" | names | wc -l)" "40 23" \
	"40 reports stand under questions, 23 behind"
sed '1,/^More details of these/d' "$temp/list" | names | while read -r name; do
	of=$("$analyzer" stats --help "$name" | sed -n 's/^More details of \(.*\)\.$/\1/p')
	"$analyzer" stats --help "${of:-none}" 2>/dev/null | grep -q "^More details: .*\b$name\b" || echo "$name"
done >"$temp/orphans"
is_empty "$(cat "$temp/orphans")" "each of these says of which, and that names it"

# The questions and their examples equal those in the guide's table.
awk 'last != "" && /^  / { sub(/^  /, ""); printf "| %s | `%s`\n", last, $0 } { last = /\?$/ ? $0 : "" }' "$temp/list" >"$temp/questions"
ok "$(($(wc -l <"$temp/questions") < 10))" "--list has questions, each with an example"
is_empty "$(while read -r row; do grep -qF -- "$row" "$top_srcdir/doc/guide/read.md" || echo "$row"; done <"$temp/questions")" \
	"doc/guide/read.md has each question with the same example"
while IFS='`' read -r _ line _; do
	# shellcheck disable=SC2086 # words of a command
	set -- $line
	shift
	printf '%s' "$line" | grep -qE 'rank\*|BEFORE' || { for word; do [ "$word" = FILE ] && word=$top_srcdir/tests/data/format-1/plain.bin
		printf '%s\n' "$word"; done | xargs "$analyzer" >/dev/null 2>"$temp/said" || grep -q 'no step 7' "$temp/said" || echo "$line"; }
done <"$temp/questions" >"$temp/broken"
is_empty "$(cat "$temp/broken")" "the examples work"

for command in '' analyze batch check diff dump info merge mcp search slice sql stats summarize verify why; do
	# shellcheck disable=SC2086 # none is no word
	"$analyzer" $command --help | python3 -c 'import sys
sys.stdout.writelines(line for line in sys.stdin if len(line) > 81)'
done >"$temp/wide"
is_empty "$(cat "$temp/wide")" "help of commands fits into 80 columns"

: >"$temp/undefined"
: >"$temp/unnamed"
while read -r name; do
	"$analyzer" stats --help "$name" >"$temp/help" || echo "$name" >>"$temp/undefined"
	awk -v report="$name" '
		/^  [a-z]/ { if (key != "") print report, key; key = $1 }
		/^      / { key = "" }
		END { if (key != "") print report, key }' "$temp/help" >>"$temp/undefined"
	grep -q "\`$name\`" "$top_srcdir/doc/metrics.md" || echo "$name" >>"$temp/unnamed"
done <"$temp/names"
is_empty "$(cat "$temp/undefined")" "--help REPORT defines every column of every report"
is_empty "$(cat "$temp/unnamed")" "doc/metrics.md names every report"

: >"$temp/shared"
for name in ranks memory stragglers operators; do
	"$analyzer" stats --help "$name" | awk -v report="$name" '
		/^  [a-z]/ { key = $1 }
		/^      / { text[key] = text[key] $0 }
		END { for (key in text) if (seen[text[key]]++) print report, key }' >>"$temp/shared"
done
is_empty "$(cat "$temp/shared")" "of ranks, memory, stragglers and operators each column has a definition of its own"

# words REPORT COLUMN: prints the column's definition on one line.
words()
{
	"$analyzer" stats --help "$1" | awk -v column="$2" '/^  [a-z]/ { on = $1 == column; next } on { printf "%s ", $0 }'
}
case $(words ranges self_cpu_ns) in *key_averages*) ;; *) false ;; esac
ok $? "ranges say that torch means something else by Self CPU"
case $(words key_averages self_cpu_ns) in *"rows of their own"*ranges*) ;; *) false ;; esac
ok $? "and key_averages what differs from ranges"

is "$("$analyzer" stats --help ranges | sed -n '/^Only for summaries/,$s/^  \([a-z][a-z0-9_]*\) .*/\1/p' | tr '\n' ' ')" \
	"rank projected_total_ns p50_ns p90_ns p99_ns ranks rank_min_ns rank_mean_ns rank_p50_ns rank_p90_ns rank_p99_ns rank_max_ns imbalance slowest since_call since_step since_ratio " \
	"ranges have the columns of several files, too"

for mode in tb hta torch torch-old; do
	"$analyzer" stats --list --compat=$mode | names >"$temp/mode"
	: >"$temp/wrong"
	while read -r name; do
		"$analyzer" stats --help "$name" >/dev/null || echo "$name" >>"$temp/wrong"
	done <"$temp/mode"
	ok "$(($(wc -l <"$temp/mode") < 2 || $(wc -l <"$temp/wrong") > 0))" "--list has the reports of --compat=$mode"
done

# nsys' name, and our report for it.
: >"$temp/wrong"
while read -r theirs ours; do
	"$analyzer" stats --help "$theirs" 2>&1 | head -n 1 | grep -q "^$ours: " || echo "$theirs" >>"$temp/wrong"
done <<'END'
nvtx_sum ranges
nvtx_pushpop_sum ranges
nvtx_gpu_proj_sum range-projection-sum
nvtx_gpu_proj_trace range-projection
nvtx_kern_sum range-kernels
cuda_api_sum api
cuda_gpu_kern_sum kernels
cuda_gpu_mem_time_sum memcpy
cuda_gpu_mem_size_sum copy-sizes
cuda_gpu_trace launch
cuda_kern_exec_sum launch-calls
osrt_sum os-calls
gpukernsum kernels
END
is_empty "$(cat "$temp/wrong")" "nsys' names are those of our reports"
sed -n 's/^	{ "\([a-z_]*\)", "\([a-z-]*\)" },$/\1 \2/p' "$top_srcdir/analyzer/commands/stats/report-alias.c" >"$temp/aliases"
is_empty "$(while read -r theirs ours; do grep -qx "$ours" "$temp/names" || echo "$theirs"; done <"$temp/aliases")" \
	"each of nsys' names is that of a report there is"

# said WORD...: prints the line on standard error.
said()
{
	(cd "$temp" && { "$analyzer" "$@" >/dev/null; } 2>&1)
}

is "$(said stats --report kernls x)" \
	'analyzer: --report: there is no report "kernls" (did you mean "kernels"?); see analyzer stats --help' \
	"a mistyped report gets a guess"
is "$(said stats --help kern)" \
	'analyzer: there is no report "kern" (did you mean "kernels"?); see analyzer stats --help' "so does a part of a name"
is "$(said stast x)" \
	'analyzer: "stast" is neither a command nor a file (did you mean "analyzer stats"?); see analyzer --help' \
	"and a mistyped command"
is "$(said nothing-like-it)" \
	'analyzer: "nothing-like-it" is neither a command nor a file; see analyzer --help' "where nothing is near none is given"
is "$("$analyzer" help)" "$("$analyzer" --help)" "analyzer help is analyzer --help"
is "$("$analyzer" help stats)" "$("$analyzer" stats --help)" "analyzer help COMMAND is its help"
is "$("$analyzer" help kernels)" "$("$analyzer" stats --help kernels)" "analyzer help REPORT is the report's"
for title in "TC %" "tc %" "Self CUDA" "Came last"; do
	"$analyzer" help "$title" 2>&1 | sed -n 1,3p | tr '\n' ' '
done | cut -c1-300 >"$temp/titles"
# shellcheck disable=SC2016 # backquotes as they are printed
is "$(cat "$temp/titles")" 'TC %: a column.    tensor_core_share "TC %" part of 1, in kernels tc %: a column.    tensor_core_share "TC %" part of 1, in kernels Self CUDA: a column of 6 reports; `analyzer help REPORT.self_cuda_ns` explains one.  Came last: a column.    hits "Came last" number, in stragglers ' \
	"analyzer help TITLE explains the column that people see"
# A column of several reports gets a line for each definition. A column of one report is explained
# in full.
"$analyzer" help total_ns >"$temp/column"
# shellcheck disable=SC2016 # likewise
is "$(sed -n '1,2p' "$temp/column" | tr '\n' ' ') $(grep -c '\.\.\.$' "$temp/column")" \
	'total_ns: a column of 20 reports; `analyzer help REPORT.total_ns` explains one.  2' "a column of several reports: which, and a line of each definition"
is "$(sed -n 's/^      //p' "$temp/column" | awk '{ print (length > 74) }' | sort -u)" 0 "which fits"
is "$("$analyzer" help advice.total_ns | sed -n '3,4p' | tr -s ' \n' ' ')" ' total_ns "Time" ns, in advice that time, and the number of its gaps (for input and one-time work: of ' \
	"REPORT.COLUMN is that of one report in full"
is "$("$analyzer" help launch-calls.total_ns | grep -c 'in launch-calls$') $("$analyzer" help kernels.total | grep -c 'in kernels$')" "1 1" "by its key or its title"
is "$(said --help kernels.exposed_ns | cut -c1-73)" 'analyzer: there is no command, report, column, finding or option "kernels' "what the report lacks is refused"
# The words of diff.
"$analyzer" help verdict >"$temp/verdict"
for word in slower,faster equal unsure new,gone '(incomplete)' more,fewer less,same pairs calls totals buckets instructions wide small chance shared uneven opposed; do
	grep -qxF "  $(echo "$word" | sed 's/,/, /')" "$temp/verdict" || echo "$word"
done >"$temp/lacking"
is_empty "$(cat "$temp/lacking")" "analyzer help verdict tells all verdicts, methods and doubts"
is "$("$analyzer" help unsure | head -n 1)" "unsure: a word of diff in the column verdict" "and each by itself"
is "$("$analyzer" help 'Usual call, 95 %' | head -n 1)" "estimate_part: a column of diff" "columns of diff, too"
# The meaning of an option. Names of reports and columns take precedence.
"$analyzer" help graph-capture >"$temp/option"
is "$(sed -n '1p' "$temp/option")" "      --graph-capture FILE|FOLDER" "analyzer help OPTION tells of an option"
is "$(tail -n 1 "$temp/option")" "Option of stats, analyze, why, batch, check, diff, summarize; analyzer(1) has it all." "and which commands take it"
is "$("$analyzer" help --graph-capture)" "$(cat "$temp/option")" "with its dashes, too"
is "$("$analyzer" help strict | sed -n 's/^\(Option of .*\);.*/\1/p' | tr '\n' ' ')" "Option of stats, analyze, search, why, info, dump Option of check " \
	"of an option that means two things both"
is "$("$analyzer" help format | grep -c '^  -f, --format FORM')" "$(for command in stats diff check info search sql why; do echo "$command"; done | wc -l)" \
	"those with a letter as well"
is "$("$analyzer" stats --help | grep -o '^ \{2,6\}\(-., \)\?--[a-z-]*' | grep -o '[^ ]*$' | while read -r option; do "$analyzer" help "$option" >/dev/null 2>&1 || echo "$option"; done)" "" \
	"each option of stats has an answer"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Options that a summary does not support are refused. They work if there is a log beside it.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

# log FILE PID
log()
{
	python3 "$test_dir/tools/text-log.py" "$1" <<END
capture pid=$2 clock="monotonic"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step 1"
event 1 1 2000 pop
event 1 2 3000 push name="step 2"
event 1 3 5000 pop
end status="clean"
END
}

log "$temp/a.bin" 1
log "$temp/b.bin" 2
for name in a b; do
	"$analyzer" summarize "$temp/$name.bin" -o "$temp/$name.sum"
done
echo 'lost == 0' >"$temp/rules"
cd "$temp" || exit 1
# refused OPTION COMMAND...: that option gives one line and a usage error.
refused()
{
	option=$1
	shift
	# shellcheck disable=SC2086 # an option and its value
	"$analyzer" "$@" $option >out 2>err
	is "$? $(wc -l <err) $(wc -c <out) $(grep -c -e "${option%% *} takes logs or traces, not summaries" err)" "2 1 0 1" \
		"$1 of summaries: $option is refused"
}

mkdir OUT
for option in '--names raw' '--rename s/a/b/' '--attribute sequence' '--python' '--step-range step'; do
	refused "$option" stats a.sum b.sum
	refused "$option" a.sum
	refused "$option" diff a.sum b.sum
	refused "$option" summarize a.sum b.sum -o x.sum
	refused "$option" check rules a.sum
	refused "$option" batch a.sum b.sum -o OUT
done
refused '--kernel-name base' stats a.sum
refused '--set flops=1' stats a.sum
for words in 'summarize a.sum -o x.sum' 'diff a.sum b.sum' 'check rules a.sum' 'batch a.sum -o OUT'; do
	# shellcheck disable=SC2086 # the command's words
	refused '--steps 0' $words
done
refused '--timeline all' batch a.sum b.sum -o OUT
refused '--emit html,json.gz' batch a.sum b.sum -o OUT
is "$(find OUT x.sum 2>/dev/null)" OUT "nothing is written"
"$analyzer" diff a.sum b.sum --baseline b.bin --step-range 'step #' >out 2>err
is "$? $(wc -l <err)" "0 0" "one log among summaries is read by it"
"$analyzer" stats a.sum b.bin --step-range 'step #' -f csv >out 2>err
is "$? $(grep -c '^step #,' out)" "0 1" "also by stats"
"$analyzer" batch a.sum b.bin -o mixed --timeline slowest:1 --emit json,csv --step-range 'step #' >out 2>err
is "$? $(find mixed/traces mixed/ranks.json.gz -type f | sort | tr '\n' ' ')$(grep -c '1 input, 0 of 0' out)" \
	"0 mixed/ranks.json.gz mixed/traces/a.csv mixed/traces/b.csv mixed/traces/b.json 1" "of a summary beside a log what it can give"
"$analyzer" batch b.bin -o none --timeline slowest:0 >out 2>err
is "$? $(wc -l <err)" "2 1" "a timeline of no rank is refused"
done_testing

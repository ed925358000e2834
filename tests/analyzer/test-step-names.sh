#!/bin/sh
# SPDX-License-Identifier: MIT
# Ranges that are steps by their name alone. Every command finds the same ones, says which, and
# takes others if they are named.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"

# steps FILE DURATION: a trace of three steps. The second takes DURATION us.
steps()
{
	cat >"$1" <<END
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"epoch","pid":1,"tid":1,"ts":0,"dur":1000},
{"ph":"X","cat":"user_annotation","name":"train step 10","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"user_annotation","name":"train step 11","pid":1,"tid":1,"ts":100,"dur":$2},
{"ph":"X","cat":"user_annotation","name":"train step 12","pid":1,"tid":1,"ts":600,"dur":90},
{"ph":"X","cat":"cpu_op","name":"forward","pid":1,"tid":1,"ts":10,"dur":50},
{"ph":"X","cat":"cpu_op","name":"forward","pid":1,"tid":1,"ts":800,"dur":50}
]}
END
}
steps "$temp/a.json" 150
steps "$temp/b.json" 450
a=$temp/a.json
b=$temp/b.json
said="ranges train step # are taken as steps by their name (--step-range)"

# has TEXT PART MESSAGE
has()
{
	case $1 in
	*"$2"*) ok 0 "$3" ;;
	*)
		diag "wanted: $2"
		diag "got:    $1"
		ok 1 "$3"
		;;
	esac
}

"$analyzer" stats -r overview -f csv "$a" 2>/dev/null | cut -d , -f 1 | tr '\n' ' ' >"$temp/out"
is "$(cat "$temp/out")" "step 10 11 12 " "stats: the steps have the numbers of their names"
has "$("$analyzer" stats -r overview "$a")" "
Ranges taken as steps by their name (--step-range): train step #
" "it says which ranges it took"
has "$("$analyzer" stats -r overview -f json "$a")" '"steps_by_name":"train step #",' "in JSON, too"
has "$("$analyzer" stats -r critical-path "$a")" "(--step-range): train step #" "as the critical path does"
has "$("$analyzer" "$a")" "Steps: 3, 113.333us on average; the slowest, 11, took 150.000us; ranges train step # are taken as steps (--step-range)" \
	"the summary"
has "$("$analyzer" stats --steps 11 -r ranges "$a")" "steps: 11, 1 of 3" "--steps chooses among them"
has "$("$analyzer" check --rule 'step.max < 200us' "$a" "$b")" "FAIL  step.max < 200us: 450.000us
1 of 1 rule broken
$said" "check"
"$analyzer" diff "$a" "$b" >"$temp/out"
has "$(cat "$temp/out")" "before: $a, 3 steps: $said" "diff is per step"
is "$(grep -c '^range  train step [#1]' "$temp/out") $(grep -c '^range  train step #' "$temp/out")" "1 1" "and its rows are of all steps together"
is "$(grep -c '^2 of 3 rows differ, none of them surely; 0 slower beyond noise' "$temp/out")" 1 "rows that differ, none of them surely, are said to"
"$analyzer" stats "$a" "$b" -r ranks >"$temp/out"
is "$(grep -c "[ab].json: $said" "$temp/out")" 2 "ranks side by side"
"$analyzer" summarize "$a" -o "$temp/a.sum"
is "$("$analyzer" check --rule 'step.p50 <= 100us' "$temp/a.sum" | sed -n '$p')" "$said" "a summary keeps it"
has "$("$analyzer" stats --step-range forward -r overview -f csv "$a" 2>/dev/null)" "
1,0,0,0,0,0,0,50000,0,50000" "a range that is named is the step"
case $("$analyzer" stats --step-range forward -r overview "$a") in
*"by their name"*) ok 1 "and then nothing was guessed" ;;
*) ok 0 "and then nothing was guessed" ;;
esac
sed 's/train step 1[12]/other/' "$a" >"$temp/one.json"
is "$("$analyzer" check --rule 'step.calls >= 1' "$temp/one.json" | sed -n 1p)" "FAIL  step.calls >= 1: 0" "one alone is no step"
sed 's/train step 10/ProfilerStep#7/' "$a" >"$temp/torch.json"
is "$("$analyzer" check --rule 'step.calls == 1' "$temp/torch.json" | sed -n '$p')" "0 of 1 rule broken" "what says that it is a step goes first"

# Each command that takes a name reports one that no range has, for one file and for several.
for command in 'stats -r overview' 'stats -r ranges' 'stats -r stragglers' why diff 'check --rule inputs>0' "summarize -o $temp/none.sum" \
	"batch -o $temp/none" "-o $temp/none.html"; do
	# shellcheck disable=SC2086 # command and options
	"$analyzer" $command --step-range none "$a" "$b" 2>&1 >/dev/null |
		sed "s,.*/\([ab].json:\),\1,; s/^analyzer: //" | sort | tr '\n' '|' >"$temp/told"
	case $(cat "$temp/told") in
	"no range of these 2 inputs is named none: each whole recording is step 0|" | \
		"a.json: no range is named none: the whole recording is step 0|b.json: no range is named none: the whole recording is step 0|"*)
		ok 0 "--step-range that matches nothing is told: $command"
		;;
	*)
		diag "got: $(cat "$temp/told")"
		ok 1 "--step-range that matches nothing is told: $command"
		;;
	esac
done
sed 's/forward/none/' "$b" >"$temp/c.json"
is "$("$analyzer" stats --step-range none -r overview "$a" "$temp/c.json" 2>&1 >/dev/null)" "analyzer: a.json: no range is named none: the whole recording is step 0" \
	"... of the one that has none"
is "$("$analyzer" stats --step-range none -r overview "$temp/a.sum" "$temp/c.json" 2>&1 >/dev/null)" "" "... not of a summary, which was read without it"

done_testing

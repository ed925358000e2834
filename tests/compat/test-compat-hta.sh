#!/bin/sh
# SPDX-License-Identifier: MIT
# --compat=hta gives the figures of HolisticTraceAnalysis, on real traces.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

if ! command -v python3 >/dev/null 2>&1 || [ ! -d "$traces/expected" ]; then
	skip_all "no python3 or no traces"
fi
for file in "$traces"/expected/*.hta.json; do
	name=${file##*/}
	result=$(python3 "$top_srcdir/tests/compat/hta.py" "$analyzer" "$traces" "$file" 2>&1)
	# Items without a figure of HTA are listed, not compared.
	printf '%s\n' "$result" | grep '^#'
	result=$(printf '%s\n' "$result" | grep -v '^#')
	compared=${result##*
}
	is "${result% *}|${compared#* }" "${compared% *}|0" \
		"${name%.hta.json}: ${compared% *} figures equal those of HolisticTraceAnalysis"
done

# diff A B STEP WANTED: compares TraceDiff's figures with a count of our own.
trace_diff()
{
	is "$(python3 "$top_srcdir/tests/compat/trace-diff.py" "$analyzer" "$traces/$1.json.gz" "$traces/$2.json.gz" ${3:+"$3"})" \
		"$4" "TraceDiff of $1 and $2${3:+, step $3}: names, counts, durations and changes"
}

trace_diff resnet50_w0 resnet50_w4 '' "5 159 0"
trace_diff resnet50_w0 resnet50_w4 8 "8 159 0"
trace_diff dlrm_rank0 dlrm_rank3 '' "10 256 0"
trace_diff h100_bert_small h100_falconsai '' "6 522 0"
"$analyzer" diff --compat=hta "$traces/resnet50_w0.json.gz" "$traces/resnet50_w0.json.gz" -f md >"$temp/out"
is "$? $(grep -c '| unchanged |$' "$temp/out")" "0 30" "a trace does not differ from itself, as Markdown"
"$analyzer" diff --compat=hta "$traces/resnet50_w0.json.gz" "$traces/resnet50_w4.json.gz" --steps 99 >/dev/null 2>"$temp/err"
is "$? $(grep -c 'there is no step 99' "$temp/err")" "2 1" "a step that is not there is said to be so"
for words in '-f junit' '--fail-on 5%' "$traces/dlrm_rank0.json.gz"; do
	# shellcheck disable=SC2086 # one word or two
	"$analyzer" diff --compat=hta "$traces/resnet50_w0.json.gz" "$traces/resnet50_w4.json.gz" $words >/dev/null 2>&1
	is $? 2 "${words##*/} is refused"
done
done_testing

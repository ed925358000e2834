#!/bin/sh
# SPDX-License-Identifier: MIT
# At 160 columns every report has all its columns. Columns that are the same in all rows, or follow
# from other columns, are the exception: a line below the table names them.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
tools=$top_srcdir/tests/tools
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the traces, is missing"

# This report has sum, mean, median, least, largest and deviation of four times, besides the row's
# names: 31 columns, as in the report of nsys with this name. --format csv has the whole
# distribution.
exceptions='^launch-calls: '

# is_whole WHAT WORD...: the reports of this command have all their columns.
is_whole()
{
	what=$1
	shift
	python3 "$tools/left-out.py" "$analyzer" 160 "$@" >"$temp/left-out"
	is_empty "$(grep -v "$exceptions" "$temp/left-out")" "$what"
}

# are_whole WHAT FILE...: reports of the ranks of a run.
are_whole()
{
	ranks=$1
	shift
	is_whole "$ranks, together" "$@" --limit 20 \
		--report ranges,kernels,memcpy,api,overview,ranks,comm,idle,idle-streams,launch,temporal,overlap,kernel-types,queue,bandwidth,breakdown,annotations,launch-outliers,idle-gaps,stragglers
	is_whole "$ranks, side by side" "$@" --limit 20 --report ranges,kernels,memcpy,api --by rank
	is_whole "$ranks as HTA has them" "$@" --compat=hta --report all --limit 20
}

# is_whole_trace WHAT FILE: all reports of one file.
is_whole_trace()
{
	is_whole "$1" "$2" --report all,launch,memory-curve --limit 20
	is_whole "$1: ranges by shape" "$2" --report ranges,key_averages --group-by shape --limit 20
	is_whole "$1: ranges by path" "$2" --report ranges --group-by path --limit 20
	for tool in tb hta torch torch-old; do
		is_whole "$1 as $tool has it" "$2" --compat="$tool" --report all --limit 20
	done
}

python3 "$tools/screen-inputs.py" "$temp"
is_whole_trace "a step of a training job" "$temp/train-0.json"
is_whole_trace "inference" "$temp/serve.json"
are_whole "ranks of a training job" "$temp/train-0.json" "$temp/train-1.json"
python3 "$tools/left-out.py" "$analyzer" 60 "$temp/train-0.json" --report ranges >"$temp/left-out"
grep -q '^ranges: .*Median' "$temp/left-out"
ok $? "where there is no room a line says what is left out"

traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
for trace in resnet50_w0 nccl_data vllm_decode_graph_mi300; do
	if [ -r "$traces/$trace.json.gz" ]; then
		is_whole_trace "$trace" "$traces/$trace.json.gz"
	else
		skip "$trace" "the public traces are not here"
	fi
done
if [ -r "$traces/dlrm_rank0.json.gz" ]; then
	are_whole "dlrm" "$traces"/dlrm_rank[0-7].json.gz
else
	skip "dlrm" "the public traces are not here"
fi
done_testing

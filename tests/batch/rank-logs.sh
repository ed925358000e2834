# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # the variables of tests/lib.sh
# Shared beginning of tests with several ranks. Source it after tests/lib.sh.

need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
# shellcheck disable=SC2034 # for those that source this
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# log FILE RANK SCALE [NAME [COPY]]: writes a rank's log with a step, a kernel, a copy of COPY ns
# (500) and a gap. Its first range is called NAME (load).
log()
{
	python3 "$test_dir/tools/text-log.py" "$1" <<LOG
capture pid=$((100 + $2)) clock="monotonic" rank=$2 host="node$(($2 / 2))"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 2000 push name="${4:-load}"
event 1 2 $((2000 + 1000 * $3)) pop
event 1 3 $((3000 + 1000 * $3)) push name="train"
event 1 4 $((9000 + 1000 * $3)) pop
event 1 5 $((10000 + 1000 * $3)) pop
event 3 0 $((3100 + 1000 * $3)) api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 $((3300 + 1000 * $3)) api name="cudaMemcpyAsync" dur=100 tid=7 corr=2 kind=1
event 3 2 $((4000 + 1000 * $3)) kernel name="matmul" dur=1000 context=1 queue=7 corr=1
event 3 3 $((6000 + 1000 * $3)) copy dur=${5:-500} context=1 queue=7 corr=2 kind=1 bytes=1000
end status="clean"
LOG
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# On terminals of 80, 120 and 200 columns the summary and every report fit, and no figure is cut.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
tools=$top_srcdir/tests/tools
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the logs, is missing"

long="a name of a range that is much longer than any column of a table on a terminal can be"
python3 "$tools/text-log.py" "$temp/ranges.bin" <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step $long"
event 1 1 123456789 push name="漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"
event 1 2 923456789 pop
event 1 3 1923456789 push name="open, $long"
LOG
python3 "$tools/text-log.py" "$temp/gpu.bin" <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main $long"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step $long"
event 1 1 9000 pop
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1700 kernel name="void ns::a_kernel_$(printf '%s' "$long" | tr ' ' _)<float, 4>(float*, int)" dur=500 context=1 queue=7 corr=1
event 3 2 1300 api name="cudaMemcpyAsync" dur=100 tid=7 corr=2 kind=1
event 3 3 2500 copy dur=500 context=1 queue=7 corr=2 kind=2 bytes=4096
event 3 4 1500 api name="cudaDeviceSynchronize" dur=1600 tid=7 corr=3 kind=1
event 3 5 1500 gpu_sync dur=1600 context=1 queue=4294967295 corr=3 kind=4
end status="clean"
LOG
for log in ranges gpu; do
	is_empty "$(python3 "$tools/check-screens.py" "$analyzer" "$temp/$log.bin")" "a log of $log fits"
done
python3 "$tools/screen-inputs.py" "$temp"
for trace in train-0 serve; do
	is_empty "$(python3 "$tools/check-screens.py" "$analyzer" "$temp/$trace.json")" "a trace as $trace fits"
done

traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
for trace in resnet50_w0 h100_bert_small nccl_data; do
	if [ -r "$traces/$trace.json.gz" ]; then
		is_empty "$(python3 "$tools/check-screens.py" "$analyzer" "$traces/$trace.json.gz")" "$trace fits"
	else
		skip "$trace fits" "the public traces are not here"
	fi
done
done_testing

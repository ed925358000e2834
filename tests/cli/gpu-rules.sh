# SPDX-License-Identifier: MIT
# GPU work without a range on its own thread: handed-on contexts, sequence numbers, the one thread in ranges
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=2 tid=8 name="worker"
def stream id=3 tid=9 name="autograd"
def stream id=4 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 1100 push name="ask"
event 1 2 1200 handoff id=71
event 1 3 1300 pop
event 1 4 1400 push name="aten::linear, seq = 5, op_id = 1"
event 1 5 1410 push name="aten::addmm, seq = 5, op_id = 2"
event 1 6 1450 pop
event 1 7 1460 pop
event 1 8 3500 pop
event 2 0 1900 attach id=71
event 2 1 2100 attach
event 2 2 2200 detach
event 2 3 2250 handoff id=72
event 2 4 2300 detach
event 2 5 2310 detach
event 2 6 2400 attach id=72
event 2 7 2500 attach id=99
event 2 8 2600 push name="own"
event 2 9 2700 pop
event 3 0 3000 push name="AddmmBackward0, seq = 5, op_id = 9"
event 3 1 3010 push name="aten::mm, op_id = 10"
event 3 2 3100 pop
event 3 3 3200 pop
event 3 4 3300 push name="ReluBackward0, seq = 6"
event 3 5 3400 pop
event 4 0 2000 api name="cudaLaunchKernel" dur=10 tid=8 corr=1 kind=1
event 4 1 2150 api name="cudaLaunchKernel" dur=10 tid=8 corr=2 kind=1
event 4 2 2350 api name="cudaLaunchKernel" dur=10 tid=8 corr=3 kind=1
event 4 3 2450 api name="cudaLaunchKernel" dur=10 tid=8 corr=4 kind=1
event 4 4 2550 api name="cudaLaunchKernel" dur=10 tid=8 corr=5 kind=1
event 4 5 2650 api name="cudaLaunchKernel" dur=10 tid=8 corr=6 kind=1
event 4 6 3020 api name="cudaLaunchKernel" dur=10 tid=9 corr=7 kind=1
event 4 7 3350 api name="cudaLaunchKernel" dur=10 tid=9 corr=8 kind=1
event 4 8 3450 api name="cudaLaunchKernel" dur=10 tid=10 corr=9 kind=1
event 4 9 4000 api name="cudaLaunchKernel" dur=10 tid=10 corr=10 kind=1
event 4 10 5000 kernel name="handed" dur=100 context=1 queue=7 corr=1
event 4 11 5100 kernel name="none_attached" dur=200 context=1 queue=7 corr=2
event 4 12 5300 kernel name="detached" dur=400 context=1 queue=7 corr=3
event 4 13 5700 kernel name="handed_on_twice" dur=800 context=1 queue=7 corr=4
event 4 14 6500 kernel name="unknown_context" dur=1600 context=1 queue=7 corr=5
event 4 15 8100 kernel name="own_range" dur=3200 context=1 queue=7 corr=6
event 4 16 11300 kernel name="backward" dur=6400 context=1 queue=7 corr=7
event 4 17 17700 kernel name="backward_of_nothing" dur=12800 context=1 queue=7 corr=8
event 4 18 30500 kernel name="elsewhere" dur=25600 context=1 queue=7 corr=9
event 4 19 56100 kernel name="after_all" dur=51200 context=1 queue=7 corr=10
end status="clean"
LOG
# Columns of each range: name, Self CUDA, CUDA total.
for rules in '' --attribute=sequence --attribute=process --attribute=process,sequence; do
	# shellcheck disable=SC2086 # no rules, no word
	analyzer stats a.bin $rules --format tsv --names raw | awk -F '\t' '{ print $1 "|" $10 "|" $11 }'
	# shellcheck disable=SC2086
	analyzer stats a.bin $rules --report ranges,kernels --format json | sed -n 's/.*\("by_rule_ns":{[^}]*}\).*/\1/p'
done
analyzer a.bin --attribute process --all | grep gpu:
RANGES_WIDTH=0 analyzer a.bin --all | grep gpu:
analyzer dump a.bin | grep -E ' (handoff|attach|detach)'
analyzer stats a.bin --attribute stack

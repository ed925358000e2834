# SPDX-License-Identifier: MIT
# All reports on GPUs at once, in every format: in the given order, each once
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 9000 pop
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1700 kernel name="k" dur=500 context=1 queue=7 corr=1
event 3 2 1300 api name="cudaMemcpyAsync" dur=100 tid=7 corr=2 kind=1
event 3 3 2500 copy dur=500 context=1 queue=7 corr=2 kind=2 bytes=4096
event 3 4 1500 api name="cudaDeviceSynchronize" dur=1600 tid=7 corr=3 kind=1
event 3 5 1500 gpu_sync dur=1600 context=1 queue=4294967295 corr=3 kind=4
end status="clean"
LOG
list=ranges,kernels,api,memcpy,launch,gaps,sync,gpu-sync,devices,projection
for form in table md; do
	analyzer stats a.bin --report $list --format $form | sed -n '/^[A-Z#][A-Za-z# ]*$/p'
done
for form in csv tsv; do
	analyzer stats a.bin --report $list --format $form 2>/dev/null |
		awk -F "[,	]" '/^$/ || NR == 1 { head = 1 } !/^$/ { if (head) print $1, $NF; head = 0 }'
done
analyzer stats a.bin --report $list --format json |
	python3 -c 'import json, sys; print(*((k, len(v)) for k, v in json.load(sys.stdin)["reports"].items()))'

# SPDX-License-Identifier: MIT
# A table without rows says why in a line; without GPU data it gives the log's reason
for line in '' 'capture settings="RANGES_CUDA=on"' 'capture settings="RANGES_CUDA=off"' \
	'def gpu_status id=0 name="CUPTI 24 from libcupti.so, times by CLOCK_MONOTONIC"' \
	'def gpu_status id=0 val=39 name="no GPU data: another profiler uses CUPTI"' \
	'def gpu_status id=0 val=35 name="cuptiActivityEnable: not permitted\x1b"'; do
	text-log a.bin <<LOG
capture pid=7 clock="monotonic"
$line
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step"
event 1 1 4000 pop
end status="clean"
LOG
	analyzer stats a.bin --report kernels | head -n 1
done
analyzer stats a.bin --report kernels,gaps,memory,payload,counters,sync
analyzer stats a.bin --report kernels,sync --format md
analyzer stats a.bin --report kernels,gaps --format csv
# All reports but those with a row per event, each once.
analyzer stats a.bin --report kernels,all --format json >all.json
sed -n 's/^"\(kernels\|ranges\|overhead\|launch\)":\[.*/\1/p' all.json
analyzer stats a.bin --report all | grep -c '^(no GPU data: cuptiActivityEnable' | grep -c '^[1-9]'

# SPDX-License-Identifier: MIT
# memory, op-memory, memory-curve: allocations of CUDA and of PyTorch
text-log log.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 1100 push name="load"
event 1 2 1600 pop
event 1 3 1700 push name="step"
event 1 4 2600 pop
event 1 5 4000 pop
event 3 0 1150 api name="cudaMalloc" dur=50 tid=7 corr=10 kind=1
event 3 1 1250 api name="cudaMalloc" dur=50 tid=7 corr=11 kind=1
event 3 2 1800 api name="cudaFree" dur=50 tid=7 corr=12 kind=1
event 3 3 2000 api name="cudaMalloc" dur=50 tid=7 corr=13 kind=1
event 3 4 5000 api name="cudaMallocHost" dur=50 tid=7 corr=15 kind=1
event 3 5 1200 memory kind=1 bytes=1000 addr=4096 device=0 context=1 corr=10 src=3
event 3 6 1300 memory kind=1 bytes=500 addr=8192 device=0 context=1 corr=11 src=3
event 3 7 1850 memory kind=2 bytes=1000 addr=4096 device=0 context=1 corr=12 src=3
event 3 8 2050 memory kind=1 bytes=800 addr=4096 device=0 context=1 corr=13 src=3
event 3 9 2300 memory kind=2 bytes=7 addr=77 device=0 context=1 corr=14 src=3
event 3 10 5050 memory kind=1 bytes=64 addr=16384 device=1 context=2 corr=15 src=2
end status="clean"
LOG
# Totals: 100 bytes existed before. The CPU's records have no totals, so its frees show how much
# existed before.
cat >trace.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::relu","pid":1,"tid":1,"ts":10,"dur":20},
{"ph":"X","cat":"cpu_op","name":"aten::empty","pid":1,"tid":1,"ts":15,"dur":5},
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":40,"dur":20},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":45,"args":{"Device Type":1,"Device Id":0,"Bytes":256,"Addr":2,"Total Allocated":868,"Total Reserved":2048}},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":16,"args":{"Device Type":1,"Device Id":0,"Bytes":512,"Addr":1,"Total Allocated":612,"Total Reserved":1024}},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":70,"args":{"Device Type":1,"Device Id":0,"Bytes":-512,"Addr":1,"Total Allocated":356,"Total Reserved":2048}},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":71,"args":{"Device Type":1,"Device Id":0,"Bytes":-100,"Addr":9,"Total Allocated":256,"Total Reserved":2048}},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":50,"args":{"Device Type":0,"Device Id":-1,"Bytes":8}},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":51,"args":{"Device Type":0,"Device Id":-1,"Bytes":-24}}
]}
JSON
for input in log.bin trace.json; do
	analyzer stats $input --report memory,memory-holders,op-memory --format csv 2>/dev/null
	analyzer stats $input --report memory-curve,memory-peak --format csv 2>/dev/null
	analyzer stats $input --report memory-curve --set memory-points=2 --format csv 2>/dev/null
done
analyzer stats trace.json --report memory
# For people, steps are one row of the ranges.
cat >steps.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#5","pid":1,"tid":1,"ts":10,"dur":20},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#6","pid":1,"tid":1,"ts":40,"dur":20},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":15,"args":{"Device Type":1,"Device Id":0,"Bytes":256,"Addr":2,"Total Allocated":256,"Total Reserved":2048}},
{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":45,"args":{"Device Type":1,"Device Id":0,"Bytes":512,"Addr":1,"Total Allocated":768,"Total Reserved":2048}}
]}
JSON
for more in "" "--names raw" "-f csv"; do
	# shellcheck disable=SC2086 # two words
	analyzer stats steps.json --report op-memory $more | grep -e ProfilerStep -e names:
done
# As counters, for logs and traces. A trace that is read again does not have them.
for input in log.bin trace.json; do
	analyzer $input -o - >drawn.json
	grep -o '"ph":"C".*"Memory .*' drawn.json | sed 's/,*$//'
done
analyzer stats drawn.json --report counters | head -3
analyzer stats trace.json --report all --format json | grep -c '"memory-peak\|"memory-curve'
echo '{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]}' >none.json
analyzer stats none.json --report memory,op-memory | head -3

# SPDX-License-Identifier: MIT
# --attribute backward-rows: GPU work of a backward pass in rows of its own, for logs and for traces
text-log log.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 tid=9 name="autograd"
def stream id=4 parent=1 name="GPU"
event 1 0 1000 push name="layer"
event 1 1 1100 push name="aten::linear, seq = 5, op_id = 1"
event 1 2 1110 push name="aten::addmm, seq = 5, op_id = 2"
event 1 3 1450 pop
event 1 4 1460 pop
event 1 5 1500 push name="aten::linear, seq = 6, op_id = 3"
event 1 6 1510 push name="aten::addmm, seq = 6, op_id = 4"
event 1 7 1650 pop
event 1 8 1660 pop
event 1 9 2000 pop
event 3 0 3000 push name="AddmmBackward0, seq = 6, op_id = 9"
event 3 1 3010 push name="aten::mm, op_id = 10"
event 3 2 3100 pop
event 3 3 3200 pop
event 3 4 3300 push name="AddmmBackward0, seq = 5"
event 3 5 3400 pop
event 3 6 3500 push name="ReluBackward0, seq = 9"
event 3 7 3600 pop
event 4 0 1120 api name="cudaLaunchKernel" dur=10 tid=7 corr=1 kind=1
event 4 1 1520 api name="cudaLaunchKernel" dur=10 tid=7 corr=2 kind=1
event 4 2 3020 api name="cudaLaunchKernel" dur=10 tid=9 corr=3 kind=1
event 4 3 3320 api name="cudaLaunchKernel" dur=10 tid=9 corr=4 kind=1
event 4 4 3520 api name="cudaLaunchKernel" dur=10 tid=9 corr=5 kind=1
event 4 5 5000 kernel name="forward" dur=100 context=1 queue=7 corr=1
event 4 6 5100 kernel name="forward" dur=200 context=1 queue=7 corr=2
event 4 7 5300 kernel name="backward" dur=400 context=1 queue=7 corr=3
event 4 8 6000 kernel name="backward" dur=800 context=1 queue=7 corr=4
event 4 9 7000 kernel name="backward_of_nothing" dur=1600 context=1 queue=7 corr=5
end status="clean"
LOG
# The same for a trace: the first function is found by its flow, the second by its number.
cat >trace.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"layer","pid":1,"tid":1,"ts":1,"dur":20},
{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":2,"dur":6,"args":{"Sequence number":5,"Fwd thread id":0,"Input Dims":[[2,2]]}},
{"ph":"s","id":1,"cat":"fwdbwd","name":"fwdbwd","pid":1,"tid":1,"ts":2},
{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":10,"dur":6,"args":{"Sequence number":6,"Fwd thread id":0,"Input Dims":[[4,4]]}},
{"ph":"X","cat":"cpu_op","name":"AddmmBackward0","pid":1,"tid":2,"ts":30,"dur":10,"args":{"Fwd thread id":1}},
{"ph":"f","bp":"e","id":1,"cat":"fwdbwd","name":"fwdbwd","pid":1,"tid":2,"ts":30},
{"ph":"X","cat":"cpu_op","name":"AddmmBackward0","pid":1,"tid":2,"ts":50,"dur":10,"args":{"Sequence number":6,"Fwd thread id":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":1,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":31,"dur":1,"args":{"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":51,"dur":1,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":60,"dur":1,"args":{"device":0,"context":1,"stream":7,"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":70,"dur":2,"args":{"device":0,"context":1,"stream":7,"correlation":2}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":80,"dur":4,"args":{"device":0,"context":1,"stream":7,"correlation":3}}
]}
JSON
for input in log.bin trace.json; do
	for rule in sequence backward-rows; do
		echo "$input $rule"
		# Name, Self CUDA, CUDA total, calls.
		analyzer stats $input --attribute $rule --format tsv 2>/dev/null | awk -F '\t' '{ print $1 "|" $10 "|" $11 "|" $13 }'
		analyzer stats $input --attribute $rule --report key_averages --format tsv 2>/dev/null | awk -F '\t' '{ print $1 "|" $2 "|" $9 "|" $11 "|" $13 }'
	done
	analyzer stats $input --attribute backward-rows --report projection,projection-devices --format csv 2>/dev/null
done
analyzer stats log.bin --attribute backward-rows --group-by path
analyzer stats trace.json --attribute backward-rows --report key_averages --group-by shape --format tsv 2>/dev/null | grep 'backward of'
analyzer log.bin --attribute backward-rows | grep 'backward of'

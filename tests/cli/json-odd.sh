# SPDX-License-Identifier: MIT
# Devices with number -1, durations over 73 years, gzip of text that is not JSON, sizes of inputs, steps from one on
cat >odd.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"long","pid":1,"tid":1,"ts":1,"dur":9e15},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":2,"dur":2,"args":{"correlation":5}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":2,"args":{"device":-1,"stream":-1,"correlation":5}}
]}
JSON
analyzer stats -r gpu,devices odd.json
analyzer odd.json -o out.json
grep -c 'GPU utilization' out.json
cat >shapes.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":10},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":10,"dur":10},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":20,"dur":10},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":2,"args":{"Input Dims":[[4,8],[8,2]]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":11,"dur":3,"args":{"Input Dims":[[4,8],[8,2]]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":21,"dur":4,"args":{"Input dims":[[2,2],[2,2]]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":26,"dur":1}
]}
JSON
analyzer stats -g shape -f csv shapes.json 2>/dev/null | grep -e name -e mm
analyzer stats -g shape,path -f csv shapes.json 2>/dev/null | grep -c mm
analyzer stats -r ranges --steps 2- -f csv shapes.json
for steps in -2 2-x 2--; do
	analyzer stats --steps "$steps" shapes.json
	echo "$?"
done
# Traces and logs in gzip are read. For other contents a line names them.
printf 'SQLite format 3\0and more' | gzip >x.sqlite.gz
printf '\301\367\162\154 and more' | gzip >a.bin.gz
printf 'a text' | gzip >text.gz
printf '{"a": 1}' | gzip >other.json.gz
for file in x.sqlite.gz a.bin.gz text.gz other.json.gz; do
	for command in stats info; do
		analyzer "$command" "$file"
		echo "$?"
	done
done

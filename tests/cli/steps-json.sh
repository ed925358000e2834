# SPDX-License-Identifier: MIT
# A trace cut to steps: arrows stay if both ends stay, and threads' ranges end with the last step
cat >a.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":7,"tid":7,"ts":0,"dur":100},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":7,"tid":7,"ts":100,"dur":100},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":7,"tid":7,"ts":200,"dur":100},
{"ph":"X","cat":"cpu_op","name":"forward 1","pid":7,"tid":7,"ts":10,"dur":20},
{"ph":"X","cat":"cpu_op","name":"forward 2","pid":7,"tid":7,"ts":110,"dur":20},
{"ph":"X","cat":"cpu_op","name":"backward","pid":7,"tid":8,"ts":150,"dur":70},
{"ph":"X","cat":"python_function","name":"step","pid":7,"tid":7,"ts":180,"dur":40,"args":{"Python id":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":12,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":112,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"k1","pid":0,"tid":20,"ts":120,"dur":10,"args":{"device":0,"stream":20,"correlation":1}},
{"ph":"X","cat":"kernel","name":"k2","pid":0,"tid":20,"ts":130,"dur":100,"args":{"device":0,"stream":20,"correlation":2}},
{"ph":"s","cat":"ac2g","name":"ac2g","id":1,"pid":7,"tid":7,"ts":12},
{"ph":"f","cat":"ac2g","name":"ac2g","id":1,"pid":0,"tid":20,"ts":120,"bp":"e"},
{"ph":"s","cat":"ac2g","name":"ac2g","id":2,"pid":7,"tid":7,"ts":112},
{"ph":"f","cat":"ac2g","name":"ac2g","id":2,"pid":0,"tid":20,"ts":130,"bp":"e"},
{"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":7,"tid":7,"ts":10},
{"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":7,"tid":8,"ts":150,"bp":"e"},
{"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":2,"pid":7,"tid":7,"ts":110},
{"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":2,"pid":7,"tid":8,"ts":150,"bp":"e"},
{"ph":"f","cat":"fwdbwd","name":"no start","id":2,"pid":7,"tid":8,"ts":150,"bp":"e"},
{"ph":"f","cat":"fwdbwd","name":"on nothing","id":2,"pid":7,"tid":9,"ts":150,"bp":"e"}
]}
JSON
for steps in 2 1-2; do
	analyzer a.json -o cut.json --steps $steps
	grep '"ph":"[Xsf]"' cut.json
done

# SPDX-License-Identifier: MIT
# A trace without deviceProperties: occupancy and SM efficiency come from the kernels' args
cat >a.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":7,"tid":7,"ts":0,"dur":1000},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":10,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":20,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":30,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"half","pid":0,"tid":20,"ts":100,"dur":300,"args":{"device":0,"stream":20,"correlation":1,"grid":[66,1,1],"block":[256,1,1],"registers per thread":32,"shared memory":0,"blocks per SM":0.5,"warps per SM":4,"est. achieved occupancy %":6}},
{"ph":"X","cat":"kernel","name":"full","pid":0,"tid":20,"ts":400,"dur":200,"args":{"device":0,"stream":20,"correlation":2,"grid":[528,1,1],"block":[256,1,1],"registers per thread":32,"shared memory":0,"blocks per SM":4,"warps per SM":32,"est. achieved occupancy %":50}},
{"ph":"X","cat":"kernel","name":"above 48 KiB","pid":0,"tid":20,"ts":600,"dur":100,"args":{"device":0,"stream":20,"correlation":3,"grid":[132,1,1],"block":[256,1,1],"registers per thread":32,"shared memory":65536,"blocks per SM":1,"warps per SM":8,"est. achieved occupancy %":0}}
]}
JSON
analyzer stats a.json -r devices,kernels,gpu --width 0
analyzer stats a.json -r trace | grep occupancy | tr -s ' '
analyzer stats a.json -r devices --steps 1 -f csv 2>/dev/null

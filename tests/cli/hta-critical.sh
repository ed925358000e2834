# SPDX-License-Identifier: MIT
# HTA's critical path: locks, waits between streams, two equally long paths; HTA 0.6.1 gave the same
cat >a.json <<'JSON'
{"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"ts":0,"args":{"name":"python"}},
{"ph":"X","cat":"user_annotation","name":"load","pid":1,"tid":1,"ts":0,"dur":20},
{"ph":"X","cat":"cpu_op","name":"aten::a","pid":1,"tid":1,"ts":0,"dur":20},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":2,"dur":6,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaEventRecord","pid":1,"tid":1,"ts":10,"dur":1,"args":{"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaStreamWaitEvent","pid":1,"tid":1,"ts":12,"dur":1,"args":{"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":14,"dur":5,"args":{"correlation":4}},
{"ph":"X","cat":"cpu_op","name":"forward","pid":1,"tid":1,"ts":24,"dur":4},
{"ph":"X","cat":"cpu_op","name":"autograd","pid":1,"tid":2,"ts":30,"dur":10},
{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":2,"ts":31,"dur":8,"args":{"correlation":5}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":1,"tid":1,"ts":44,"dur":30,"args":{"correlation":6}},
{"ph":"X","cat":"kernel","name":"void gemm<float>(float*)","pid":0,"tid":7,"ts":10,"dur":25,"args":{"stream":7,"correlation":1}},
{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":9,"ts":14,"dur":0,"args":{"stream":9,"correlation":3,"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":2}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce(int)","pid":0,"tid":9,"ts":36,"dur":20,"args":{"stream":9,"correlation":4}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Pinned)","pid":0,"tid":7,"ts":38,"dur":30,"args":{"stream":7,"correlation":5}},
{"ph":"X","cat":"cuda_sync","name":"Context Sync","pid":0,"tid":-1,"ts":45,"dur":28,"args":{"stream":-1,"correlation":6}}]}
JSON
all=critical-path,critical-path-types,critical-path-graph,critical-path-edges
analyzer stats a.json --compat=hta --report $all --format csv --set launch-edges=0
analyzer stats a.json --compat=hta --report $all --format csv --set annotation=load \
	--set data-load=aten
# The reason why there is no path.
sed 's/"load"/"ProfilerStep#1"/' a.json >b.json
analyzer stats b.json --compat=hta --report steps,critical-path,critical-path-graph --set annotation=load
sed 's/"cuda_runtime","name":"cudaLaunch/"other","name":"cudaLaunch/' a.json >c.json
analyzer stats c.json --compat=hta --report critical-path,critical-path-graph
# A call that launched two operations: in HTA one of them waits for itself.
sed 's/"stream":9,"correlation":4/"stream":7,"correlation":1/' a.json >d.json
# An event that was recorded on the stream which waits for it.
sed 's/"stream":9/"stream":7/; s/"tid":9/"tid":7/' a.json >e.json
echo '{"traceEvents":[]}' >f.json
for file in d e f; do
	analyzer stats $file.json --compat=hta --report critical-path-graph,critical-path-edges --format csv
done

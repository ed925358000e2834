#!/bin/sh
# SPDX-License-Identifier: MIT
# Additions of Kineto since 2026: waits for streams in rows of their own, kernels' priority,
# hardware channels, graphs of copies, events of CUDA, hardware counters, and quoted args of
# collectives.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
cd "$temp" || exit 1 # files of its own are written here

# trace ROW: writes a trace whose wait for stream 7 is in that row.
trace()
{
	cat <<END
{"schemaVersion":1,"traceEvents":[
{"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7 "}},
{"ph":"M","name":"thread_name","pid":0,"tid":$1,"args":{"name":"stream 7 (sync)"}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":16,"dur":3,"args":{"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":20,"dur":200,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"urgent","pid":0,"tid":7,"ts":20,"dur":80,"args":{"correlation":1,"stream":7,"device":0,"context":1,"grid":[1,1,1],"block":[32,1,1],"priority":-5,"channel":11,"channel_type":1}},
{"ph":"X","cat":"kernel","name":"plain","pid":0,"tid":7,"ts":110,"dur":30,"args":{"correlation":3,"stream":7,"device":0,"context":1,"grid":[1,1,1],"block":[32,1,1],"priority":0,"channel":11,"channel_type":1}},
{"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":$1,"ts":21,"dur":199,"args":{"correlation":2,"stream":7,"device":0,"context":1,"cuda_sync_kind":"Stream Sync"}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":7,"ts":150,"dur":10,"args":{"stream":7,"device":0,"context":1,"bytes":100,"channel":12,"channel_type":2}}
]}
END
}
trace 1000007 >apart.json
trace 7 >within.json
for report in sync gpu-sync devices streams projection gaps idle kernels launch; do
	"$analyzer" stats apart.json -r $report -f csv >apart.csv 2>/dev/null
	"$analyzer" stats within.json -r $report -f csv >within.csv 2>/dev/null
	cmp -s apart.csv within.csv || echo "$report"
done >differences
is_empty "$(cat differences)" "a wait in a row of its own is that of its stream in each report"
is "$("$analyzer" stats apart.json -r gpu-sync -f csv 2>/dev/null | grep -c '199000')" 1 "and it is there"

# column REPORT KEY: prints this column of a report.
column()
{
	"$analyzer" stats apart.json -r "$1" -f csv 2>/dev/null | awk -F, -v key="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
		!("kind" in at) || $at["kind"] == "kernel" { printf "%s=%s ", $at["name"], at[key] ? $at[key] : "none" }'
}
is "$(column kernels priority) $(column kernels launch_type)" "urgent=-5 plain=  urgent=none plain=none " "the report kernels has priorities, and no column without values"
is "$(column launch priority)" "urgent=-5 plain= " "and so has launch"
"$analyzer" apart.json -o out.json >/dev/null 2>&1
is "$(grep -c '"channel":11,"channel_type":1' out.json):$(grep -c '"channel":12,"channel_type":2' out.json):$(grep -c '"priority":-5' out.json)" 2:1:1 \
	"the timeline has channels and priorities"

# In the form of Kineto's writer (output_json.cpp of August 2026).
cat >more.json <<'END'
{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA H200","totalGlobalMem":150000000000,"computeMajor":9,"computeMinor":0,"numSms":132}],
"distributedInfo":{"backend":"nccl","rank":1,"world_size":8,"pg_count":1,"pg_config":[{"pg_name":"0","pg_desc":"default_pg","backend_config":"cuda:nccl","pg_size":8,"ranks":"[0, 1, 2]"}],"nccl_version":"unknown"},
"displayTimeUnit":"ms","baseTimeNanoseconds":1767189312000000000,"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"say \"hi\"","pid":1,"tid":1,"ts":5,"dur":100,"args":{"External id":3}},
{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":6,"dur":20,"args":{"External id":4,"Collective name":"allreduce","In msg nelems":1024,"Out msg nelems":1024,"Group size":8,"dtype":"BFloat16","Seq":17,"Comms Id":12345678901234567890}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernelExC","pid":1,"tid":1,"ts":10,"dur":5,"args":{"External id":4,"cbid":430,"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":1,"tid":1,"ts":40,"dur":5,"args":{"cbid":311,"correlation":2}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)","pid":0,"tid":7,"ts":20,"dur":30,"args":{"External id":4,"device":0,"context":1,"stream":7,"correlation":1,"grid":[16,1,1],"block":[640,1,1],"graph id":0,"graph node id":0,"Collective name":"allreduce","In msg nelems":1024,"Out msg nelems":1024,"Group size":8,"dtype":"BFloat16","Process Group Ranks":"[0, 1, 2]","Seq":17,"Comms Id":12345678901234567890}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":60,"dur":10,"args":{"device":0,"context":1,"stream":7,"correlation":2,"grid":[16,1,1],"block":[64,1,1],"graph id":9,"graph node id":38654705665}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD (Device -> Device)","pid":0,"tid":7,"ts":70,"dur":4,"args":{"device":0,"context":1,"stream":7,"correlation":2,"bytes":4096,"graph id":9,"graph node id":38654705666}},
{"ph":"X","cat":"gpu_memset","name":"Memset (Device)","pid":0,"tid":7,"ts":75,"dur":2,"args":{"device":0,"context":1,"stream":7,"correlation":2,"bytes":64,"graph id":9,"graph node id":38654705667}},
{"ph":"X","cat":"gpu_user_annotation","name":"say \"hi\"","pid":0,"tid":7,"ts":19.999,"dur":57.002,"args":{"External id":3}},
{"ph":"X","cat":"cuda_event","name":"cudaEvent","pid":0,"tid":7,"ts":78,"dur":0,"args":{"event_id":4,"stream":7,"correlation":5,"device":0,"context":1}},
{"ph":"C","cat":"hardware_counters","name":"sm__throughput.avg.pct","pid":"GPU 0 Counters","tid":0,"ts":20,"args":{"":55.5}},
{"ph":"C","cat":"hardware_counters","name":"sm__throughput.avg.pct","pid":"GPU 0 Counters","tid":0,"ts":40,"args":{"":60.5}}
],"traceName":"x.json"}
END
# report NAME COLUMN...: these columns of each row.
report()
{
	"$analyzer" stats more.json -r "$1" -f csv 2>/dev/null | awk -F, -v keys="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } n = split(keys, key, " "); next }
		{ for (i = 1; i <= n; i++) { printf "%s%s", $at[key[i]], i < n ? ":" : " " } }'
}
is "$("$analyzer" stats more.json -r ranges 2>&1 | grep '^note')" "" "nothing of it is unknown"
is "$(report kernels "name calls" | sed 's/([^)]*)//')" "ncclDevKernel_AllReduce_Sum_bf16_RING_LL:1 gemm:1 " "an event of CUDA is no kernel"
is "$(report graphs "graph launches operations memcpy_ns memset_ns")" "9:1:3:4000:2000 " "copies and memsets of graphs are theirs"
is "$(report comm "rank name calls bytes")" "1:allreduce:1:2048 " "collectives are known by what they say"
is "$(report counters "counter count min max")" "sm__throughput.avg.pct:2:55.5:60.5 " "counters of the hardware are counters"
is "$(report annotations "device_type name sum_ns")" 'CPU:"say ""hi""":100000 GPU:"say ""hi""":57000 ' "annotations on the GPU are so, quotes in names too"
"$analyzer" more.json -o again.json >/dev/null 2>&1
is "$(grep -c '"Comms Id":12345678901234567890' again.json):$(grep -c '"Seq":17' again.json):$(grep -c '"graph node id":38654705667' again.json)" 2:2:1 \
	"the timeline has it all"
done_testing

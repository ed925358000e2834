#!/bin/sh
# SPDX-License-Identifier: MIT
# What Kineto writes since 2026: waits for streams in rows of their own, kernels' priority, channels of the hardware.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer

# trace ROW: a trace whose wait for stream 7 stands in that row.
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

# column REPORT KEY: what each row of a report has in this column.
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
done_testing

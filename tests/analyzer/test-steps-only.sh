#!/bin/sh
# SPDX-License-Identifier: MIT
# --steps: every report covers the chosen steps, and nothing else (doc/metrics.md, section 22).
. "${0%/*}/../lib.sh"
need_temp

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
log=$temp/log.bin

# Steps 0 to 2 on the CPU: 1000-2000, 2500-3500, 3500-4500. A worker's range begins in step 1 and lasts
# beyond step 2; the work of step 1 ends at 3700, while that of step 2 has begun on another stream.
python3 "$top_srcdir/tests/tools/text-log.py" "$log" <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=2 tid=8 name="worker"
def stream id=4 parent=1 name="GPU"
def device id=0 name="H100" detail={"sms":132}
event 1 0 500 push name="all"
event 1 1 600 mark name="before"
event 1 2 1000 push name="step" domain=0
event 1 3 1100 push name="load"
event 1 4 1300 pop
event 1 5 2000 pop
event 1 6 2500 push name="step"
event 1 7 2600 push name="load"
event 1 8 2700 mark name="in"
event 1 9 2900 pop
event 1 10 3500 pop
event 1 11 3500 push name="step"
event 1 12 3600 push name="load"
event 1 13 3800 pop
event 1 14 4500 pop
event 1 15 5000 pop
event 2 0 3000 push name="job"
event 2 1 4000 push name="part"
event 2 2 4100 pop
event 2 3 4600 push name="part"
event 2 4 4900 pop
event 2 5 6000 pop
event 4 0 700 api name="cudaMalloc" dur=50 tid=7 corr=9 kind=1
event 4 1 1200 api name="cudaLaunchKernel" dur=10 tid=7 corr=1 kind=1
event 4 2 1400 kernel name="k" dur=300 device=0 context=1 queue=7 corr=1
event 4 3 2650 api name="cudaLaunchKernel" dur=10 tid=7 corr=2 kind=1
event 4 4 3650 api name="cudaLaunchKernel" dur=10 tid=7 corr=3 kind=1
event 4 5 3100 kernel name="k" dur=600 device=0 context=1 queue=7 corr=2
event 4 6 3660 kernel name="other" dur=400 device=0 context=1 queue=8 corr=3
event 4 7 5100 copy dur=100 device=0 context=1 queue=7 corr=77 bytes=5 kind=1
LOG

# csv REPORT STEPS COLUMN...: columns of a report's rows.
csv()
{
	report=$1
	steps=$2
	shift 2
	"$analyzer" stats --step-range step --report "$report" --format json --steps "$steps" "$log" 2>/dev/null |
		python3 -c 'import json, sys
for row in json.load(sys.stdin)["reports"][sys.argv[1]]:
    print(*(row.get(key, "-") for key in sys.argv[2:]), end=";")' "$report" "$@"
}

is "$(csv ranges 1 name calls cpu_total_ns self_cpu_ns self_cuda_ns | tr ' ' ,)" \
	"step,1,1000,700,0;job,1,500,500,0;load,1,300,300,600;" \
	"ranges are those that begin in the step, cut at its end"
is "$(csv ranges 1-2 name calls cpu_total_ns self_cpu_ns | tr ' ' ,)" \
	"step,2,2000,1500;job,1,1500,1400;load,2,500,500;part,1,100,100;" \
	"what they hold goes with them up to the end of the last step, and self times add up"
is "$(csv ranges 0 name calls | tr ' ' ,)" "step,1;load,1;" "nothing that is around the step"
is "$(csv kernels 1 name calls total_ns | tr ' ' ,)" "k,1,600;" \
	"GPU work belongs to the step that launched it, with its whole duration"
is "$(csv api 0-2 name calls | tr ' ' ,)" "cudaLaunchKernel,3;" "calls of CUDA to the step they begin in"
is "$(csv threads 0 tid ranges marks | tr ' ' ,)" "7,2,0;" "threads that did nothing then are not there"
is "$(csv threads 1 tid ranges marks first_ns last_ns | tr ' ' ,)" "7,2,1,2000,3000;8,1,0,2500,3000;" "others are"
# Step 1 lasts from 2500 to 3700. Work that step 2 launched runs in it, too.
is "$(csv devices 1 span_ns busy_ns idle_ns kernel_ns operations | tr ' ' ,)" "1200,600,600,640,2;" \
	"a device is busy with all that runs while the step lasts, cut at its ends"
is "$(csv gpu 1 gpu_utilization window_ns | tr ' ' ,)" "0.5,1200;" "as the report gpu says"
is "$(csv temporal 1 kernel_time_ns compute_ns idle_ns | tr ' ' ,)" "1200,600,600;" "and temporal"
# There is no step between the end of step 0 (2000) and the begin of step 1 (2500).
is "$(csv devices 0-1 span_ns busy_ns | tr ' ' ,)" "2200,900;" "time between steps is none of theirs"
is "$(csv gaps 0-1 start_ns dur_ns cause | sed 's/ /,/g')" "1200,900,host,wait;500,400,before,first;" \
	"nor of a gap that they interrupt"
is "$(csv idle 0-1 device idle_ns before_ns after_ns | tr ' ' ,)" "0,900,400,0;" "nor of idle time"
is "$(csv idle-streams 0-1 stream idle_ns before_ns after_ns | tr ' ' ,)" "7,900,400,0;8,0,2160,0;" "of streams as well"
is "$("$analyzer" stats --step-range step -r ranges --steps 1-2 "$log" | sed -n 's/^steps: //p')" \
	"1 to 2, 2 of 3, lasting 2.000us; 6 of 10 ranges, 2 of 4 calls of CUDA, 2 of 4 GPU operations" \
	"the footer says what was left out"
is "$("$analyzer" stats --step-range step -r ranges --steps 2 -f csv "$log" 2>&1 >/dev/null)" \
	"analyzer: steps: 2, 1 of 3, lasting 800ns; 3 of 10 ranges, 1 of 4 calls of CUDA, 1 of 4 GPU operations" \
	"csv on standard error"
is "$("$analyzer" stats --step-range step -r ranges --steps 2 -f json "$log" | grep -o '"steps":{[^}]*}')" \
	'"steps":{"first":"2","last":"2","count":1,"all":3,"time_ns":800,"ranges":3,"calls":1,"operations":1}' \
	"JSON in the footer"
is "$("$analyzer" stats --step-range nothing -r ranges,kernels,api,threads -f csv --steps 0 "$log" 2>/dev/null | cksum)" \
	"$("$analyzer" stats -r ranges,kernels,api,threads -f csv "$log" 2>/dev/null | cksum)" \
	"where no range is a step, step 0 is all there is"
"$analyzer" stats --step-range step -r all --steps 1 "$log" >"$temp/all" 2>"$temp/err"
is "$?:$(cat "$temp/err")" "0:" "all reports take steps"
"$analyzer" stats --step-range step -r all --steps 0 "$log" "$log" >"$temp/all" 2>"$temp/err"
is "$?:$(cat "$temp/err"):$(grep -c '^steps: 0, 1 of 3' "$temp/all")" "0::2" "also of several files"

"$analyzer" "$log" -o "$temp/steps.json" --step-range step --steps 1-2 2>"$temp/err"
is "$?:$("$analyzer" stats -r ranges,kernels,api -f csv "$temp/steps.json" 2>/dev/null | sort)" \
	"0:$("$analyzer" stats -r ranges,kernels,api -f csv --step-range step --steps 1-2 "$log" 2>/dev/null | sort)" \
	"JSON of some steps has what belongs to them"
"$analyzer" "$temp/steps.json" -o "$temp/one.json" --step-range step --steps 1 2>"$temp/err"
is "$?:$("$analyzer" stats -r ranges,kernels,api -f csv "$temp/one.json" 2>/dev/null | sort)" \
	"0:$("$analyzer" stats -r ranges,kernels,api -f csv --step-range step --steps 1 "$temp/steps.json" 2>/dev/null | sort)" \
	"and JSON made of JSON"
printf 'capture pid=7 clock="monotonic"\ndef stream id=1 tid=7\nevent 1 0 500 mark name="x"\n' >"$temp/text"
python3 "$top_srcdir/tests/tools/text-log.py" "$temp/mark.bin" "$temp/text"
"$analyzer" stats -r threads --steps 0 "$temp/mark.bin" 2>"$temp/err"
is "$?:$(grep -c 'neither ranges nor GPU work' "$temp/err")" 2:1 "where nothing lasts, there is no step"

# The figures of single steps add up to those of all steps together.
cat >"$temp/sums.py" <<'END'
import json, subprocess, sys
analyzer, trace = sys.argv[1:3]
first, last = int(sys.argv[3]), int(sys.argv[4])
SUMS = {"ranges": ("name", "domain", "calls", "self_cpu_ns", "self_cuda_ns"),
        "kernels": ("name", "", "calls", "total_ns"), "memcpy": ("name", "", "calls", "total_ns", "bytes"),
        "api": ("name", "", "calls", "total_ns"),
        "operators": ("name", "", "calls", "self_device_ns", "self_host_ns"),
        "key_averages": ("name", "device_type", "calls", "self_cpu_ns", "self_cuda_ns", "self_cuda_mem"),
        "op-memory": ("operator", "device", "allocations", "allocated_bytes"),
        "devices": ("device", "", "span_ns", "busy_ns", "kernel_ns"),
        "temporal": ("rank", "", "kernel_time_ns", "compute_ns", "idle_ns"),
        "threads": ("tid", "", "ranges"), "overview": ("step", "", "kernel_ns", "total_ns")}

def read(steps):
    text = subprocess.run([analyzer, "stats", "-f", "json", "-r", ",".join(SUMS), "--steps", steps, trace],
                          stdout=subprocess.PIPE, check=True).stdout
    sums = {}
    for report, rows in json.loads(text)["reports"].items():
        one, two, *keys = SUMS[report]
        for row in rows:
            if not str(row.get(one, "")).startswith("ProfilerStep"):
                for key in keys:
                    at = (report, row.get(one), row.get(two), key)
                    sums[at] = sums.get(at, 0) + (row.get(key) or 0)
    return sums

whole = read(f"{first}-{last}")
parts = {}
for step in range(first, last + 1):
    for at, value in read(str(step)).items():
        parts[at] = parts.get(at, 0) + value
for at in sorted(set(whole) | set(parts), key=str):
    if whole.get(at, 0) != parts.get(at, 0):
        print(at, whole.get(at), parts.get(at))
print(len(whole) > 300)
END
if [ -f "$traces/resnet50_w0.json.gz" ]; then
	is "$(python3 "$temp/sums.py" "$analyzer" "$traces/resnet50_w0.json.gz" 9 10)" True \
		"figures of single steps add up to those of all of them"
	"$analyzer" stats --compat=tb -r overview -f csv --steps 5-6 "$traces/resnet50_w0.json.gz" >"$temp/tb"
	is "$?:$(cut -d, -f1 "$temp/tb" | tr '\n' ' ')" "0:step 5 6 " "with --compat=tb rows of other steps are left out"
	"$analyzer" stats --compat=hta -r temporal --steps 5 "$traces/resnet50_w0.json.gz" 2>"$temp/err"
	is "$?:$(wc -l <"$temp/err" | tr -d ' '):$(grep -c 'covers all steps' "$temp/err")" 2:1:1 \
		"what another tool does not give of some steps is refused in a line"
	"$analyzer" stats -r overview --steps 7 "$traces/resnet50_w0.json.gz" >"$temp/step" 2>&1
	grep -q '^step 7 takes 179.733ms, the median of the other 4 (without the first) 174.859ms: DataLoader +4.196ms' "$temp/step"
	ok $? "a step is compared with others, not with the first, which holds the host's lead"
else
	skip "figures of single steps add up to those of all of them" "no traces"
fi
done_testing

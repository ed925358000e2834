#!/bin/sh
# SPDX-License-Identifier: MIT
# --gpu-metrics: the log has NVML's values as counters. The report "energy" gives the energy of the
# work. Both are compared with a stand-in whose power is known at each instant.

# shellcheck disable=SC2016 # texts for eval

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 130400
unset RANGES_GPU_METRICS RANGES_GPU_EVERY
RANGES_CUDA_SHARED=off # a shared CUPTI has a clock of its own, but energy.py reads times unchanged
export RANGES_CUDA_SHARED
nvml_source=$top_srcdir/tests/nvml
build()
{
	make_once nvml/libnvidia-ml.so.1 -shared -fPIC -Wl,-soname,libnvidia-ml.so.1 "$nvml_source/fake-nvml.c" &&
		make_once layers -I"$top_srcdir/libranges/include" "$nvml_source/layers.c" "$temp/libcuda.so.1" \
			'-Wl,-rpath,$ORIGIN:$ORIGIN/../..' -lpthread -ldl
}
build 2>"$temp/errors" || skip_all "the stand-ins can't be built: $(cat "$temp/errors")"

now= # or "now": do not wait until kernels are recorded

# record OPTION…: records the program with these options of "ranges run", and dumps the log.
# shellcheck disable=SC2086 # $now may be nothing
record()
{
	rm -f log*.bin
	LD_LIBRARY_PATH=$temp/nvml RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 "$ranges" run -f -o log.bin "$@" \
		"$temp/layers" 20 $now >"$temp/out" 2>"$temp/errors"
	status=$?
	"$analyzer" dump log.bin >"$temp/dump" 2>>"$temp/errors"
}

# energy: prints the report as CSV.
energy()
{
	"$analyzer" stats log.bin -r energy -f csv 2>>"$temp/errors"
}

# check_rows: compares the report with a slow computation and the true curve.
check_rows()
{
	"$analyzer" log.bin -o log.events.jsonl >/dev/null 2>"$temp/errors"
	energy >rows.csv
	python3 "$nvml_source/energy.py" log.events.jsonl rows.csv "$temp/dump" 2>&1
}

export RANGES_CLOCK=monotonic
record --gpu-metrics power,clocks,util,memory,temp
is_empty "$(grep -v '^ranges: ' "$temp/errors")" "a run says nothing"
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | cut -d, -f1,4 | sort | tr '\n' ' ')" \
	"$(for gpu in 0 1; do
		printf 'GPU %d SM clock,MHz\nGPU %d energy,J\nGPU %d memory clock,MHz\nGPU %d memory used,bytes\nGPU %d memory utilization,%%\n' $gpu $gpu $gpu $gpu $gpu
		printf 'GPU %d power,W\nGPU %d temperature,°C\nGPU %d utilization,%%\n' $gpu $gpu $gpu
	done | { cat; echo counter,unit; } | sort | tr '\n' ' ')" "the log has every counter of both GPUs, with its unit"
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 1 SM clock" { print $6, $7, $8 }')" "1979 1979 1979" \
	"with the values that NVML gave"
# 20 steps take 600 ms, or more on a busy machine. The driver's own samples have no gaps.
counts=$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" |
	awk -F, '$1 == "GPU 0 power" { power = $5 } $1 == "GPU 0 energy" { meter = $5 } $1 == "GPU 0 utilization" { util = $5 }
		END { print (power >= 28) (util < power / 4), meter }')
is "$counts" "11 2" "power has every sample of 20 ms, utilization one in 200 ms, the meter is read twice"
is "$("$analyzer" stats log.bin -r counters 2>>"$temp/errors" | grep -c 'went back in time')" 0 "all samples are in the order of time"
if command -v python3 >/dev/null; then
	is "$(check_rows)" "GPU0:1 GPU1:1 kernel0:3 kernel1:1 range0:22 range1:20" \
		"each row is what a slow computation gives, and holds the true energy"
else
	skip "no python3"
fi
is "$(energy | awk -F, '$1 == "step"' | wc -l)" 40 "each step has a row of each GPU"

# The energy of steps is all of the GPU's energy, except that outside of all steps.
is "$(energy | awk -F, '$5 == 0 && $1 == "GPU" { whole = $8 } $5 == 0 && $1 == "step" { sum += $8 }
	END { print (sum <= whole * 1.000001 && sum > whole / 2) }')" 1 "steps take no more than the GPU does"

# Budgets on the report's figures for both GPUs together hold just above them, and are broken just
# below. verdicts RULE…: prints each rule's verdict.
verdicts()
{
	for rule; do
		"$analyzer" check --rule "$rule" log.bin 2>&1 | head -n 1 | cut -d ' ' -f 1
	done | tr '\n' ' '
}
whole=$(energy | awk -F, '$1 == "GPU" { n += $8 } END { print n }')
attention=$(energy | awk -F, '$1 == "range" && $2 == "attention" { n += $8 } END { print n }')
step=$(energy | awk -F, '$1 == "step" && $2 != "0" { n += $8 } $1 == "step" && $2 == "0" { n += $8 } END { print n / 20 }')
for factor in 1.001 0.999; do
	verdicts "$(awk "BEGIN { print \"gpu.energy < \" $whole * $factor \"J\" }")" "$(awk "BEGIN { print \"step.energy < \" $step * $factor \"J\" }")" \
		"$(awk "BEGIN { print \"range[attention].energy < \" $attention * $factor \"J\" }")"
done >got
is "$(cat got)" "ok ok ok FAIL FAIL FAIL " "rules hold the energy of the whole, of a step and of a range"
is "$(verdicts 'gpu.power.max <= 600W' 'gpu.power.max < 600W' 'gpu.power.p99 < 0.65kW' 'gpu.temp.max <= 51' 'gpu.util.min < 90%' 'gpu.memory.max <= 2147483648')" \
	"ok FAIL ok ok FAIL ok " "and power, temperature, utilization and memory"
is "$("$analyzer" check --rule 'gpu.power.p99 < 650' log.bin 2>&1 | grep -o 'the limit must be[^;]*')" "the limit must be a power: 650W" "a limit of power has its unit"
"$analyzer" summarize log.bin -o log.sum >/dev/null 2>>"$temp/errors"
is "$("$analyzer" check --rule 'gpu.energy < 1mJ' log.sum 2>&1 | head -n 1)" "$("$analyzer" check --rule 'gpu.energy < 1mJ' log.bin 2>&1 | head -n 1)" "a summary has them, too"
is "$("$analyzer" stats log.bin -r devices -f csv 2>>"$temp/errors" | awk -F, 'NR > 1 { print $1, ($16 > 99 && $16 < $17), $17, $18, $21, $22, $23, $25 }' | tr '\n' ';')" \
	"0 1 600 91 1979 2147483648 2147483648 51;1 1 300 90 1980 1073741824 1073741824 50;" "the report devices has means and peaks"

# Two runs, the second at a hundred times the power. The duration of steps depends on the machine.
# Differences larger than both errors are called, the rest is unsure. changes BEFORE AFTER: prints
# the rows of each verdict, for GPUs and steps with the change in per cent.
changes()
{
	"$analyzer" diff "$1" "$2" -f json 2>>"$temp/errors" | grep '"error_j"' |
		sed -n 's/.*"what":"\([a-zA-Z]*\)".*"change_part":\([-0-9.e]*\).*"verdict":"\([a-z]*\)".*/\1 \2 \3/p'
}
cp log.bin one.bin
FAKE_NVML_TIMES=100 record --gpu-metrics power
is "$(changes one.bin log.bin | awk '$1 == "GPUs" || $1 == "steps" { print $1, ($2 > 10), $3 }' | tr '\n' ';')" "GPUs 1 more;steps 1 more;" \
	"diff tells that GPUs and steps took more energy"
is "$(changes one.bin one.bin | awk '$3 == "more" || $3 == "less"')$(changes one.bin one.bin | awk '$1 == "GPUs" { print $3 }')" "unsure" "of equal runs nothing, within their error"
is "$("$analyzer" diff one.bin log.bin 2>>"$temp/errors" | grep -c '^Energy of GPUs, J per step$')" 1 "for people, too"
FAKE_NVML_FAIL=nvmlInit_v2 record --gpu-metrics power
is "$("$analyzer" diff one.bin log.bin 2>>"$temp/errors" | grep -c '^Energy')" 0 "and nothing where a side has none"
record --gpu-metrics power

# Timelines and the page have them with their units.
for form in json html pftrace; do
	"$analyzer" log.bin -o log.$form >/dev/null 2>>"$temp/errors"
done
is "$(grep -c '"name":"GPU 1 power".*"args":{"W":' log.json | awk '{ print ($1 > 20) }')$(grep -c 'GPU 1 power</td><td class=t>W<' log.html)" 11 \
	"the timeline and the page have power in W"
if command -v python3 >/dev/null; then
	# Packed packets are field 50 of a packet; CounterDescriptor.unit_name is field 6 inside.
	python3 -c '
import re, sys, zlib
data, plain = open(sys.argv[1], "rb").read(), b""
for at in (one.end() for one in re.finditer(rb"\x92\x03", data)):
    while data[at] & 128:
        at += 1
    try:
        plain += zlib.decompressobj().decompress(data[at + 1:])
    except zlib.error:
        pass
print(int(b"GPU 1 power" in plain), int(b"2\x01W" in plain))' log.pftrace >got
	is "$(cat got)" "1 1" "and Perfetto's protobuf"
else
	skip "and Perfetto's protobuf" "no python3"
fi

# NVML keeps a file for the whole process. The launcher's file does not affect the program's own.
now=nvml
record --gpu-metrics power
is "$(cat "$temp/out") $("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 0 energy" { print $5 }')" "20 answers 2" \
	"a program that asks NVML itself is answered, and so are we"

# A fork child has the samples of its own time.
now=fork
record --gpu-metrics power
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 0 energy" { print $5 }')" 4 "a program that forks has its samples (the meter is read for the child, too)"
child=$(find . -name 'log*.bin' ! -name log.bin)
is "$("$analyzer" stats "${child:-none}" -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 0 energy" { print $5 } $1 == "GPU 0 power" { print ($5 > 5) }' | sort | tr '\n' ' ')" "1 2 " \
	"and its child as well"
now=leave
record --gpu-metrics power
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 0 energy" { print $5 }')$(grep -c clean "$temp/dump")" 21 \
	"main may end by pthread_exit()"
now=
for hangs in nvmlDeviceGetTotalEnergyConsumption nvmlDeviceGetSamples; do
	RANGES_EXIT_MS=300 FAKE_NVML_HANG=$hangs record --gpu-metrics power
	is "$(statuses | grep -c 'the launcher did not answer within 200 ms')$(count ' kernel ')" "1$((20 * 4))" "where $hangs hangs the program does not, and has all else"
done
# The launcher ends when its thread has left NVML. A query may take long.
FAKE_NVML_SLOW=80 FAKE_NVML_FAIL=nvmlDeviceGetSamples record --gpu-metrics power --every 5ms
is "$status" 0 "the launcher does not take NVML down while its thread asks"

record --gpu-metrics power

# The program's own meter counts the same energy. Its readings differ in time by a sample or two.
is "$(energy | awk -F, '$1 == "GPU" { n += $13 > $10 * 0.8 && $13 < $10 * 1.25 } END { print n }')" 2 "the GPU's own meter stands beside it"
FAKE_NVML_FAIL=nvmlDeviceGetTotalEnergyConsumption record --gpu-metrics power --every 5ms
is "$(energy | awk -F, '$1 == "GPU" { n++; m += $12 != "" } END { print n, m + 0 }')" "2 0" "a GPU without a meter has none there"

# If the driver keeps no samples, power is queried every 100 ms, by one of two values.
for without in nvmlDeviceGetSamples nvmlDeviceGetSamples,nvmlDeviceGetFieldValues; do
	FAKE_NVML_FAIL=$without record --gpu-metrics power --every 5ms
	is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 1 power" { print ($5 >= 3 && $5 < 20), ($6 >= 200 && $7 <= 600) }')" \
		"1 1" "without $without power is asked for"
done

# Clocks are also the driver's own samples, if it keeps them. Memory is queried every 100 ms at
# most.
record --gpu-metrics clocks,memory --every 20ms
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" |
	awk -F, '$1 == "GPU 0 SM clock" { clock = $5 } $1 == "GPU 0 memory clock" { memory = $5 } $1 == "GPU 0 memory used" { used = $5 }
		END { print (clock >= 28), (memory >= 28), (used > 0 && used < clock / 3) }')" "1 1 1" "clocks have every sample of 20 ms, memory one in 100 ms"
FAKE_NVML_FAIL='clock samples' record --gpu-metrics clocks --every 100ms
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 1 SM clock" { print ($5 >= 3 && $5 < 20), $6, $7 }')" "1 1979 1979" \
	"where the driver keeps none they are asked for"

# Activity of the chip's parts, and PCIe, are off unless named. In the stand-in a metric's value is
# its number, but FP64 is NaN.
record --gpu-metrics pcie,gpm --every 1ms
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '/^GPU 1/ { print $1 "=" $4 "=" $6 "=" $7 }' | sort | tr '\n' ';')" \
	"GPU 1 DRAM bandwidth=%=10.25=10.25;GPU 1 FP16 active=%=13.25=13.25;GPU 1 FP32 active=%=12.25=12.25;$(
	)GPU 1 NVLink received=bytes/s=63176704=63176704;GPU 1 NVLink sent=bytes/s=64225280=64225280;$(
	)GPU 1 PCIe received=bytes/s=22282240=22282240;GPU 1 PCIe sent=bytes/s=21233664=21233664;$(
	)GPU 1 SM active=%=2.25=2.25;GPU 1 SM occupancy=%=3.25=3.25;GPU 1 tensor active=%=5.25=5.25;" "GPM has what the chip says; what is no number is left out"
rounds=$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '$1 == "GPU 0 SM active" { print $5 }')
spans=$(awk '$1 == "event" && / sample id=1048586 / { if (last && $4 - last < 99000000) n++; last = $4 } END { print n + 0 }' "$temp/dump")
ok "$((rounds < 2 || spans > 0))" "its samples are 100 ms apart or more: $rounds, $spans are not"
FAKE_NVML_FAIL=nvmlGpmQueryDeviceSupport record --gpu-metrics pcie,gpm
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | awk -F, '/^GPU 1/ { print $1 "=" $4 "=" $6 "=" $7 }' | sort | tr '\n' ';')" \
	"GPU 1 PCIe received=bytes/s=7169024=7169024;GPU 1 PCIe sent=bytes/s=5121024=5121024;" "a GPU without it tells of PCIe"
is "$(statuses | grep -c 'no GPM metrics of GPU [01]: it has none')" 2 "and a line says so"

# If NVML refuses a GPU, its number is left out, and the other GPU keeps its own number.
FAKE_NVML_FAIL=nvmlDeviceGetHandleByIndex_v2 record --gpu-metrics power
is "$("$analyzer" stats log.bin -r counters -f csv 2>>"$temp/errors" | cut -d, -f1 | sort | tr '\n' ' ')" "GPU 1 energy GPU 1 power counter " \
	"of two GPUs, one refused, the other keeps its number"
is "$(energy | awk -F, '$1 == "GPU" { print $5 }')" 0 "and is the one that its UUID tells"

# The program does not load NVML, and the ring leaves no file.
mkdir -p "$temp/spools"
now=maps
RANGES_SPOOL_DIR=$temp/spools record --gpu-metrics power
now=
is "$(cat "$temp/out")" "nvml 0" "NVML is not loaded into the program"
is "$(ls -A "$temp/spools")" "" "and nothing is left behind"
# A program without a launcher, or whose launcher is killed.
RANGES_GPU_METRICS=power RANGES_OUTPUT=$PWD/alone.bin NVTX_INJECTION64_PATH=$library LD_LIBRARY_PATH=$temp/nvml \
	RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 "$temp/layers" 2 >"$temp/out" 2>"$temp/errors"
is "$("$analyzer" info alone.bin 2>&1 | grep -c 'no GPU metrics: .*ranges run.* takes them')" 1 "a program without a launcher has none, and its log says so"
RANGES_SPOOL_DIR=$temp/spools LD_LIBRARY_PATH=$temp/nvml RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 \
	"$ranges" run -q -f -o orphan.bin --gpu-metrics power "$temp/layers" 40 >"$temp/out" 2>"$temp/errors" &
launcher=$!
# wait_for COMMAND: repeats it until it succeeds, a minute at most.
wait_for()
{
	for _ in $(seq 600); do
		! eval "$1" || return 0
		sleep 0.1
	done
	return 1
}
wait_for '[ -s orphan.bin ]'
kill -KILL "$launcher"
wait "$launcher" 2>/dev/null
wait_for '[ -z "$(ls -A "$temp/spools")" ]'
is "$?:$("$analyzer" verify -q orphan.bin 2>&1)" "0:" "where the launcher is killed the log is whole, and nothing is left"

# Unavailable metrics are reported once, and all others are recorded.
FAKE_NVML_FAIL=nvmlInit_v2 record --gpu-metrics power
is "$(statuses | grep 'no GPU metrics')" " no GPU metrics: NVML does not start: Driver Not Loaded (9)" "NVML that does not start is told"
is "$(count ' kernel ')" "$((20 * 4))" "and the kernels are there"
FAKE_NVML_FAIL=nvmlDeviceGetCount_v2 record --gpu-metrics power
is "$(statuses | grep 'no GPU metrics')" " no GPU metrics: NVML knows no GPU" "no GPU is told"
mv "$temp/nvml/libnvidia-ml.so.1" "$temp/nvml/away"
record --gpu-metrics power
if ! ldconfig -p 2>/dev/null | grep -q libnvidia-ml; then
	is "$(statuses | grep -c 'no GPU metrics: libnvidia-ml.so.1: cannot open')" 1 "no library is told"
	is "$("$analyzer" stats log.bin -r energy 2>/dev/null | grep -c "no GPU metrics: libnvidia-ml.so.1: cannot open")" 1 "the report says why there are none"
else
	skip "no library is told" "this machine has NVML"
fi
mv "$temp/nvml/away" "$temp/nvml/libnvidia-ml.so.1"
record
is "$("$analyzer" stats log.bin -r energy 2>/dev/null | head -n 1 | tr -d '()')" "no samples of power or energy ranges run --gpu-metrics power" \
	"and what to do where they were not asked for"

# While the capture is off, nothing is queried.
now=now
rm -f calls
FAKE_NVML_CALLS=$PWD/calls record --gpu-metrics power --standby
is "$([ ! -e calls ] || wc -c <calls)" "" "nothing is asked while the capture is off"
FAKE_NVML_CALLS=$PWD/calls record --gpu-metrics power --schedule wait=8,active=4,repeat=1
"$analyzer" dump log.bin >"$temp/dump"
samples=$(count ' sample id=10[0-9]{5} ')
ok "$((samples == 0))" "a schedule has samples of its active steps"
# Queries for each of the two GPUs: the metrics that exist, the meter at the begin and the end, and
# the kept samples.
asked=$(wc -c <calls)
ok "$((asked < 6 || asked > 10))" "and for that a few questions are asked: $asked"

# Bad use.
"$ranges" run --gpu-metrics volts true >"$temp/out" 2>&1
is "$?:$(cat "$temp/out")" \
	'2:ranges: run: --gpu-metrics: RANGES_GPU_METRICS=volts is not valid: expected a list of power, clocks, util, memory, temp, pcie, gpm; see "ranges run --help"' \
	 "an unknown word is refused"
"$ranges" run --no-thread --gpu-metrics power true >"$temp/out" 2>&1
is "$?:$(grep -c 'no GPU metrics: they need a libranges thread' "$temp/out")" 0:1 "without a thread in the program there are none, and a line says so"
"$ranges" run --gpu-metrics power --every 0ms true >"$temp/out" 2>&1
is "$?" 2 "no time between samples is refused"
# Figures of a real GPU (NVIDIA H200). Its meter gives the true energy, and the range took its part
# of that.
"$analyzer" stats -r energy -f tsv "$top_srcdir/tests/data/gpu/product-power.bin" 2>/dev/null | awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["of"] == "GPU" { off = $at["energy_j"] - $at["meter_j"]; ok = off < $at["error_j"] && -off < $at["error_j"]; all = $at["meter_j"] }
	$at["of"] == "range" && $at["name"] == "mm" { part = $at["energy_j"] }
	END { exit !(ok && all > 833 && part > 0.8 * all && part < 0.9 * all) }'
ok $? "of a real GPU the energy by samples of power is that of its meter, within the stated error"
done_testing

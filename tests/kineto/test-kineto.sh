#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces in JSON: a log that is written as JSON and read again gives the same reports, and backward
# passes are attributed.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

# same LOG REPORT...: both inputs give the same rows, though the log is not within the JSON.
same()
{
	log=$1
	shift
	"$analyzer" "$log" -o "$temp/again.json" --without-log 2>/dev/null
	gzip -c "$temp/again.json" >"$temp/again.json.gz"
	for report in "$@"; do
		"$analyzer" stats "$log" --report "$report" --format csv >"$temp/wanted" 2>/dev/null
		"$analyzer" stats "$temp/again.json" --report "$report" --format csv >"$temp/got" 2>/dev/null
		is "$(cat "$temp/got")" "$(cat "$temp/wanted")" \
			"${log##*/}: JSON made of it has the same ${report}, $(wc -l <"$temp/wanted") lines"
	done
	"$analyzer" stats "$temp/again.json" --report ranges --format csv >"$temp/wanted" 2>/dev/null
	"$analyzer" stats "$temp/again.json.gz" --report ranges --format csv >"$temp/got" 2>/dev/null
	is "$(cat "$temp/got")" "$(cat "$temp/wanted")" "${log##*/}: so has JSON packed by gzip"
}

"$top_builddir/libranges/ranges" run -f -o "$temp/steps.bin" -- "$top_builddir/examples/steps" >/dev/null 2>&1
ok $? "a program is recorded"
same "$temp/steps.bin" ranges domains counters key_averages
sed -n "/LOG'\$/,/^LOG\$/p" "$top_srcdir/tests/cli/gpu.sh" | sed '1d;$d' >"$temp/gpu.txt"
python3 "$top_srcdir/tests/tools/text-log.py" "$temp/gpu.bin" "$temp/gpu.txt"
ok $? "a log with GPU work is made"
same "$temp/gpu.bin" ranges domains kernels memcpy api devices launch launches gaps idle idle-streams key_averages projection projection-devices gpu-sync

# A forward and a backward pass: by flows, and by numbers alone.
cat >"$temp/pass.json" <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":20,"args":{"Sequence number":5}},
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":40,"dur":20,"args":{"Sequence number":6}},
{"ph":"X","cat":"cpu_op","name":"MmBackward0","pid":1,"tid":2,"ts":200,"dur":20,"args":{"Sequence number":5,"Fwd thread id":1}},
{"ph":"X","cat":"cpu_op","name":"aten::t","pid":1,"tid":2,"ts":205,"dur":10},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":208,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":220,"dur":9,"args":{"correlation":1,"device":0,"stream":7}},
FLOWS
]}
JSON
sed '/^FLOWS/d; /"stream":7}},$/s/,$//' "$temp/pass.json" >"$temp/numbers.json"
sed 's/^FLOWS$/{"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":1,"tid":1,"ts":40},{"ph":"f","bp":"e","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":1,"tid":2,"ts":200}/' \
	"$temp/pass.json" >"$temp/flows.json"
# total NAME FILE [OPTION...]: CUDA total of a range.
total()
{
	name=$1
	shift
	"$analyzer" stats --report ranges --format tsv "$@" 2>/dev/null | awk -F '\t' -v name="$name" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cuda_total_ns") column = i }
		$1 == name { print $column }'
}
is "$(total forward "$temp/numbers.json")" 0 "a backward pass belongs to no range of the forward pass"
is "$(total aten::mm "$temp/numbers.json" --attribute sequence)" 9000 \
	"with --attribute sequence it belongs to the operator that has its number"
is "$(total forward "$temp/numbers.json" --attribute sequence)" 9000 "and to the ranges around that"
is "$(total aten::add "$temp/flows.json" --attribute sequence)" 9000 "flows tell before numbers do"

# A trace that is written again is complete.
for kind in good array negative string-ids long-name deep-ten phases big-numbers crossing; do
	python3 "$top_srcdir/tests/kineto/odd.py" "$kind" "$temp/$kind.json"
	"$analyzer" "$temp/$kind.json" -o "$temp/new.json" &&
		python3 "$top_srcdir/tests/kineto/same.py" "$temp/$kind.json" "$temp/new.json" >"$temp/said"
	ok $? "$kind: all of it is in what is written again"
	[ ! -s "$temp/said" ] || diag "$(cat "$temp/said")"
	"$analyzer" "$temp/new.json" -o "$temp/newer.json"
	is "$(cksum <"$temp/newer.json")" "$(cksum <"$temp/new.json")" "$kind: a second time nothing is added"
done
for kind in nan words trailing-comma truncated null-ids; do
	python3 "$top_srcdir/tests/kineto/odd.py" "$kind" "$temp/$kind.json"
	"$analyzer" "$temp/$kind.json" -o "$temp/new.json" 2>/dev/null &&
		python3 -c 'import json, sys; json.load(open(sys.argv[1]), parse_constant=sys.exit)' "$temp/new.json"
	ok $? "$kind: what is written again is JSON"
	"$analyzer" "$temp/new.json" -o "$temp/newer.json"
	is "$(cksum <"$temp/newer.json")" "$(cksum <"$temp/new.json")" "$kind: a second time it is the same"
done
# Things that Perfetto can't show unchanged: overlaps, rows that are no numbers, arrows without
# their ends, times since 1970.
cat >"$temp/faults.json" <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":0,"ts":1700000000000000.125,"dur":10},
{"ph":"X","cat":"cpu_op","name":"crosses a","pid":1,"tid":0,"ts":1700000000000005.125,"dur":10},
{"ph":"X","cat":"cpu_op","name":"in it","pid":1,"tid":0,"ts":1700000000000012,"dur":1},
{"ph":"X","cat":"cpu_op","name":"a word","pid":1,"tid":"loop","ts":1700000000000006,"dur":1},
{"ph":"X","cat":"cpu_op","name":"ends as the next begins","pid":1,"tid":"loop","ts":1700000000000020.2,"dur":10.1},
{"ph":"X","cat":"cpu_op","name":"the next","pid":1,"tid":"loop","ts":1700000000000030.3,"dur":5},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":-3,"ts":1700000000000001,"dur":2,"args":{"correlation":7}},
{"ph":"X","cat":"kernel","name":"k","pid":1,"tid":7,"ts":1700000000000008,"dur":9,"args":{"device":1,"stream":7,"correlation":7}},
{"ph":"X","cat":"kernel","name":"k in k","pid":1,"tid":7,"ts":1700000000000009,"dur":3,"args":{"device":1,"stream":7,"correlation":8}},
{"ph":"s","cat":"ac2g","name":"ac2g","id":7,"pid":1,"tid":-3,"ts":1700000000000001},
{"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":7,"pid":1,"tid":7,"ts":1700000000000008},
{"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":8,"pid":1,"tid":7,"ts":1700000000000009},
{"ph":"s","cat":"x","name":"back","id":1,"pid":1,"tid":7,"ts":1700000000000009},
{"ph":"f","bp":"e","cat":"x","name":"back","id":1,"pid":1,"tid":-3,"ts":1700000000000002},
{"ph":"s","cat":"x","name":"nowhere","id":2,"pid":1,"tid":9,"ts":1700000000000009},
{"ph":"f","bp":"e","cat":"x","name":"nowhere","id":2,"pid":1,"tid":7,"ts":1700000000000009}
]}
JSON
mkdir -p "$temp/was" "$temp/is"
cp "$temp/faults.json" "$temp/was/trace.json"
"$analyzer" "$temp/faults.json" -o "$temp/is/trace.json" &&
	python3 "$top_srcdir/tests/kineto/same.py" "$temp/faults.json" "$temp/is/trace.json" >"$temp/said"
ok $? "what Perfetto can't show is all in what is written again"
is "$(PYTHONPATH=$top_srcdir/tests/kineto PYTHONDONTWRITEBYTECODE=1 python3 -c 'import json, sys
trace = json.load(open(sys.argv[1]))
events = [event for event in trace["traceEvents"] if "added" not in event]
rows = {event["name"]: (event["pid"], event["tid"]) for event in events if event["ph"] == "X"}
print(len(set(rows.values())), rows["crosses a"] == rows["in it"] != rows["a"], rows["k"], trace["baseTimeNanoseconds"] % (30 * 86400 * 10**9),
      *("%s%s" % (event["ph"], event["id"]) for event in events if event["ph"] in "stfNOD"),
      max(event["ts"] for event in events) < 2**42)' "$temp/is/trace.json")" \
	"6 True (1, 7) 0 s7 f7 D8 N1 D1 N2 D2 True" "rows nest, devices keep their numbers, arrows have two ends, times are exact"
for mode in '' --compat=tb --compat=torch; do
	for folder in was is; do
		# shellcheck disable=SC2086 # no option at all
		(cd "$temp/$folder" && "$analyzer" stats $mode --report all --format json trace.json >"../$folder.json" 2>&1)
	done
	[ "$(wc -c <"$temp/is.json")" -gt 500 ] && cmp -s "$temp/was.json" "$temp/is.json"
	ok $? "every report ${mode:+of $mode }says the same of what is written again"
done
# The words beside traceEvents, and a phase of a zero byte.
"$analyzer" "$temp/words.json" -o "$temp/new.json"
is "$(PYTHONPATH=$top_srcdir/tests/kineto PYTHONDONTWRITEBYTECODE=1 python3 -c 'import json, same, sys
trace = json.load(open(sys.argv[1]))
event, *_, last = same.undo(trace)[0]
print(trace["a"], trace["b"], trace["c"], event["pid"], event["tid"], repr(last["ph"]))' "$temp/new.json")" \
	'NaN N/A Infinity N/A none '"'\\x00'" "words become texts, and no field is lost"

# Numbers written as -0, keys that occur twice, halves of surrogate pairs.
cat >"$temp/odd.json" <<'JSON'
{"traceEvents":5,"libranges":{"a":1},"n":-0,"libranges":{"b":2},"traceEvents":[
{"ph":"X","name":"a\ud800x","cat":"\udc00y","pid":-0,"tid":-0,"ts":-0,"dur":-0.0,"id":-0,"args":{"a":-0,"b":-0.0,"correlation":-0}},
{"ph":"X","name":"\ud83d\ude00","pid":1,"tid":1,"ts":-0.000,"dur":1,"args":{"\ud800\u0041":[-0,"\uD800\ud800\udc00"],"e":"\\ud800"}}
],"traceEvents":{}}
JSON
"$analyzer" "$temp/odd.json" -o "$temp/new.json"
is "$(sed 's/"version":"[^"]*",//' "$temp/new.json")" '{"libranges_timeline":{"rows":[
"5000000","10000000","-0","-0"],"arrows":[],"marks":[]},
"libranges":{"a":1},
"n":-0,
"traceEvents":[
{"ph":"X","cat":"�y","name":"a�x","pid":5000000,"tid":10000000,"ts":-0,"dur":-0.0,"id":-0,"args":{"a":-0,"b":-0.0,"correlation":-0}},
{"ph":"X","name":"😀","pid":1,"tid":1,"dur":1,"ts":-0.000,"args":{"�A":[-0,"�𐀀"],"e":"\\ud800"}},
{"added":1,"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"process 1"}},
{"added":1,"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"thread 1"}},
{"added":1,"ph":"M","name":"process_name","pid":5000000,"tid":0,"args":{"name":"-0"}},
{"added":1,"ph":"M","name":"thread_name","pid":5000000,"tid":10000000,"args":{"name":"-0"}}
],
"libranges":{"b":2}}' "-0 stays -0, both keys of a name stay but for traceEvents, half a pair is U+FFFD and takes nothing along"
is "$("$analyzer" stats "$temp/odd.json" --report footer --format tsv 2>/dev/null | cut -f1,2 | tr '\t\n' ' ;')" \
	'cause count;not_objects 2;repeated_events 2;repaired_surrogates 4;no_steps ;no_gpu_work ;' "all that is counted, and what there is not"
# absent EVENT...: prints the causes in the footer of a trace with these events and an operator of
# PyTorch on a GPU.
absent()
{
	{
		printf '{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":3,"dur":1,"args":{"device":0,"stream":7}},'
		for event in "$@"; do
			printf '%s,' "$event"
		done
		printf '{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":1%s}]%s}' "${args:-}" "${members:-}"
	} >"$temp/absent.json"
	"$analyzer" stats "$temp/absent.json" -r footer -f tsv 2>/dev/null | sed 1d | cut -f 1 | tr '\n' ' '
}
is "$(absent)" "no_devices no_call no_steps no_gpu_name no_memory no_shapes no_python " "the footer has what a trace may have and this one does not"
is "$(args=',"args":{"Input Dims":[[2,2],[2,2]]}'
members=',"deviceProperties":[{"id":0,"name":"NVIDIA H100"}]'
absent '{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":1,"args":{"Bytes":8,"Addr":1,"Device Type":1,"Device Id":0}}' \
	'{"ph":"X","cat":"python_function","name":"f.py(1): g","pid":1,"tid":1,"ts":0,"dur":9}' \
	'{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":9}')" "no_call python_unused " \
	"and of one that has it all what --python makes of it"
members=',"profile_memory":1,"with_stack":1,"record_shapes":0' absent >/dev/null
is "$("$analyzer" stats "$temp/absent.json" -r footer -f tsv 2>/dev/null | grep -o -e 'no_[a-z]*.*though [a-z_]* was on' -e '[a-z_]*=True' | sed 's/\t.*though//' | tr '\n' ';')" \
	"no_memory profile_memory was on;record_shapes=True;no_python with_stack was on;" "an option that was on is not recommended"
cat >"$temp/pairs.py" <<'PY'
import json, subprocess, sys
for phase in range(13):
    with open(sys.argv[2], "w") as file:
        file.write('{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"%s%s"}]}' % (
            "x" * phase, r"\ud83d\ude00\ud800\\u" * 4000))
    text = subprocess.run([sys.argv[1], sys.argv[2], "-o", "-"], stdout=subprocess.PIPE, check=True).stdout
    if json.loads(text)["traceEvents"][0]["name"] != "x" * phase + "\U0001F600\uFFFD\\u" * 4000:
        print("not so behind", phase, "characters")
PY
is_empty "$(python3 "$temp/pairs.py" "$analyzer" "$temp/pairs.json")" "so it is across blocks"
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
if [ -f "$traces/INDEX.md" ]; then
	for name in dlrm_rank0 event_sync_multi_stream gpu_user_annotation h100_falconsai nccl_data \
		triton_compile_mi300 vllm_decode_graph_mi300; do
		file=$traces/$name.json.gz
		"$analyzer" "$file" -o "$temp/new.json" &&
			python3 "$top_srcdir/tests/kineto/same.py" "$file" "$temp/new.json" >"$temp/said"
		ok $? "$name: all of it is in what is written again"
		diag "$(cat "$temp/said")"
	done
else
	skip "real traces are written again" "no traces: RANGES_TEST_TRACES names their folder"
fi
done_testing

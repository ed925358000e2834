#!/bin/sh
# SPDX-License-Identifier: MIT
# diff --compat=tb gives the same as the TensorBoard plugin's diff view of two traces. The expected
# rows of made traces are also from the plugin.

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/kineto/trace.sh"
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# autograd NAME START DUR: an operator of thread 2, which runs the backward pass.
autograd()
{
	printf ',{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":2,"ts":%s,"dur":%s,"args":{}}\n' "$@"
}

# made FILE DUR LOADER: a step with a module of a layer, its backward pass, and an optimizer.
# shellcheck disable=SC2119 # write has arguments of its own, of which none is needed
made()
{
	{
		event user_annotation 'ProfilerStep#1' 0 1000
		[ -z "$3" ] || event user_annotation "$3" 1 8
		event python_function 'nn.Module: Net_0' 10 200 '"Python module id":1'
		event python_function 'nn.Module: Linear_0' 15 100 '"Python module id":2'
		event cpu_op aten::mm 20 "$2" '"External id":5'
		event cuda_runtime cudaLaunchKernel 22 3 '"correlation":1,"External id":5'
		printf ',{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":40,"dur":%s,' "$2"
		printf '"args":{"device":0,"stream":7,"correlation":1,"External id":5}}\n'
		event cpu_op aten::relu 125 30
		event cpu_op aten::add 230 5
		event cpu_op Optimizer.step#SGD.step 700 90
		event cpu_op aten::add_ 710 "$2"
		autograd 'autograd::engine::evaluate_function: MmBackward0' 300 50
		autograd MmBackward0 310 30
		autograd aten::mm 315 20
		autograd 'autograd::engine::evaluate_function: torch::autograd::AccumulateGrad' 360 10
		printf ',{"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":1,"tid":1,"ts":20}\n'
		printf ',{"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":1,"tid":2,"ts":310,"bp":"e"}\n'
	} | write
	mv "$trace" "$temp/$1"
}

# compat [OPTION...]: the comparison of both.
compat()
{
	"$analyzer" diff --compat=tb "$temp/a.json" "$temp/b.json" "$@" 2>"$temp/err"
}

made a.json 25 'enumerate(DataLoader)#_Iter.__next__'
made b.json 40 ''
compat -f json >"$temp/out"
is "$(python3 - "$temp/out" <<'PY'
import json, sys
out = json.load(open(sys.argv[1]))
for row in out["nodes"]:
    print(*(row[key] for key in ("path", "baseline", "exp", "baseline_total_duration_us", "exp_total_duration_us", "accumulated_diff_us")))
for row in out["operators"]:
    if row["path"] == "0-1":
        print(row["operator"], row["exp_calls"], row["delta_host_duration_us"], row["delta_device_duration_us"],
              row["delta_device_duration_percent"])
PY
)" "0 CompositeNodes CompositeNodes 198 205 None
0-0 enumerate(DataLoader)#_Iter.__next__ Blank 8 0 -8
0-1 nn.Module: Net_0 nn.Module: Net_0 25 40 7
0-1-0 nn.Module: Linear_0 nn.Module: Linear_0 25 40 15
0-1-1 aten::relu aten::relu 30 30 None
0-2 aten::add aten::add 5 5 None
0-3 nn.Module: Net_0.backward nn.Module: Net_0.backward 70 70 7
0-3-0 nn.Module: Linear_0.backward nn.Module: Linear_0.backward 70 70 0
0-4 Optimizer.step#SGD.step Optimizer.step#SGD.step 90 90 7
aten::mm 1 15 15 60
aten::relu 1 0 0 None" "modules, backward passes, loaders and optimizers are matched, what lies between is a node"
compat -w 0 -l 2 >"$temp/out"
is "$? $(grep -c '^0-' "$temp/out") $(grep -c '^aten::\|^MmB' "$temp/out")" "0 1 2" "people get the first rows of each table"
is "$(compat -f md | grep -c '^| aten::mm | 45 | 60 | 15 | 33.3333 | 2 | 2 |')" 1 "Markdown has the operators of all nodes"
for words in '--steps 1' '--fail-on 5%' '-f junit' '-o x.html' '--names raw' '--step-range x' '--python'; do
	# shellcheck disable=SC2086 # one word or two
	compat $words >/dev/null
	is "$? $(grep -c . "$temp/err")" "2 1" "${words} is refused"
done
echo '{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{}}]}' >"$temp/b.json"
compat >/dev/null
is "$? $(grep -c 'no operators' "$temp/err")" "2 1" "a trace without operators is refused"

# Deep nesting takes no stack, and no time for rows that people see.
deep()
{
	python3 -c '
import json, sys
events = [{"ph": "X", "cat": "python_function", "name": "nn.Module: M_%d" % i, "pid": 1, "tid": 1, "ts": i, "dur": 40000 - 2 * i,
           "args": {"Python module id": i}} for i in range(15000)]
json.dump({"traceEvents": events}, open(sys.argv[1], "w"))' "$temp/$1.json"
}
deep a
cp "$temp/a.json" "$temp/b.json"
compat -l 3 >"$temp/out"
is "$? $(grep -c '^0 *nn.Module: M_0 \|^0-0 *nn.Module: M_1 \|^0-0-0 *nn.Module: M_2 ' "$temp/out")" "0 3" "15,000 nested modules are compared"

if [ -f "$traces/resnet50_w4.json.gz" ]; then
	PYTHONDONTWRITEBYTECODE=1 python3 "$top_srcdir/tests/compat/tb-diff.py" "$analyzer" "$traces" \
		"$top_srcdir/tests/compat/tb-diff.txt" >"$temp/out" 2>"$temp/err"
	diag "$(head -n 20 "$temp/err")"
	is "$(cat "$temp/out")" "resnet50_w0 resnet50_w4 1218 0
dlrm_rank0 dlrm_rank1 1616 0
h100_falconsai h100_bert_small 9 0
h100_bert_small h100_bert_small 865 0" "public traces: the plugin's figures"
else
	skip "public traces" "there are none"
fi
done_testing

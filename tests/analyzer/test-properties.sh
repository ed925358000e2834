#!/bin/sh
# SPDX-License-Identifier: MIT
# Properties of every figure of every report, mode and input: no NaN, no negative time, no share
# above 1, the same in JSON and CSV. Parts add up to their whole where doc/metrics.md says so.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"

# hold SENTENCE INPUT...
hold()
{
	sentence=$1
	shift
	python3 "$top_srcdir/tests/kineto/properties.py" "$analyzer" "$@" >"$temp/out" 2>&1
	status=$?
	diag "$(cat "$temp/out")"
	ok $status "$sentence: $(tail -n 1 "$temp/out" | awk '{ print $1 " figures, " $2 " sums, " $3 " wrong" }')"
}

# Work of the GPU that is shorter than 1 us, ranges that cross, steps and copies; as a log and as JSON.
cat >"$temp/text" <<'END'
capture pid=7 clock="monotonic"
def stream id=1 tid=7
def stream id=2 tid=8
def stream id=3 parent=1 name="GPU"
def device id=0 name="one" detail=[9,0,100,32,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]
def launch_shape id=1 detail=[12,1,1,128,1,1,0,0,0,32,0,1024,0,0,0,0]
def domain id=1 name="D"
event 1 0 1000 push name="ProfilerStep#1"
event 1 0 1100 push name="work"
event 2 0 1150 start name="request" id=1
event 3 0 1200 api name="cudaLaunchKernel" dur=90 tid=7 corr=1 kind=1
event 3 0 1650 kernel name="tiny" dur=320 device=0 context=1 queue=7 corr=1 shape=1
event 3 0 1700 api name="cudaMemcpyAsync" dur=150 tid=7 corr=2 kind=1
event 3 0 2950 copy dur=999 device=0 context=1 queue=9 corr=2 kind=1 bytes=4096
event 1 0 2000 push name="other" domain="D"
event 1 0 2050 pop
event 1 0 2100 pop domain="D"
event 1 0 2200 pop
event 1 0 2300 push name="ProfilerStep#2"
event 3 0 2400 api name="cudaLaunchKernel" dur=80 tid=7 corr=3 kind=1
event 3 0 3100 kernel name="ncclKernel_AllReduce" dur=40 device=0 context=1 queue=7 corr=3 shape=1
event 3 0 3300 kernel name="of nobody" dur=1 device=0 context=1 queue=7 corr=99
event 3 0 3401 set dur=2 device=0 context=1 queue=7 corr=4 kind=3 bytes=16
event 2 0 3350 end id=1
event 1 0 3600 pop
end status="clean"
END
python3 "$top_srcdir/tests/tools/text-log.py" "$temp/short.bin" "$temp/text" &&
	"$analyzer" "$temp/short.bin" -o "$temp/short.json" 2>"$temp/err" &&
	"$analyzer" "$temp/short.bin" -o "$temp/only.json" --without-log 2>>"$temp/err"
ok $? "a log with short work is there, and as JSON"
hold "logs" "$temp/short.bin" "$temp/short.json" "$temp/only.json" "$top_srcdir"/tests/data/*/*.bin

# The input has only GPU work, so there is no Self CPU as the base of a share.
cat >"$temp/gpu.json" <<'END'
{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":40,"dur":50,
"args":{"correlation":7,"device":0,"stream":7,"grid":[1,1,1],"block":[32,1,1]}}]}
END
hold "a trace with GPU work alone" "$temp/gpu.json"
"$analyzer" stats "$temp/gpu.json" --report key_averages --format torch >"$temp/ours" 2>&1
"$analyzer" stats "$temp/gpu.json" --report key_averages --format torch --compat=torch >"$temp/theirs" 2>&1
is "$(grep -c NaN "$temp/ours") $(grep -c "NaN.*NaN" "$temp/theirs")" "0 1" \
	"shares of no time are NaN in torch's own table, and 0 in ours"

if "$analyzer" --version | grep -q 'reads exports of nsys'; then
	python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' "$temp/small.sqlite" \
		"$top_srcdir/tests/nsys/small.sql"
	for file in "$traces"/nsys/*.sqlite.gz; do
		name=${file##*/}
		[ ! -f "$file" ] || gzip -dc "$file" >"$temp/${name%.gz}"
	done
	[ ! -f "$traces/nsys/unit_edge.sql" ] || python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' "$temp/edge.sqlite" "$traces/nsys/unit_edge.sql"
	"$analyzer" "$temp/short.bin" -o "$temp/written.sqlite"
	hold "exports of nsys" "$temp"/*.sqlite
fi

if [ -d "$traces/expected" ]; then
	hold "public traces" "$traces"/*.json.gz
	hold "small public traces" "$traces"/unit/*.json.gz
	hold "eight ranks" "$(printf '%s\n' "$traces"/dlrm_rank*.json.gz | paste -sd , -)"
	hold "single steps" "$traces/resnet50_w0.json.gz,--steps=6-7" "$traces/negative_queue.json.gz,--steps=551" \
		"$traces/ns_resolution.json.gz,--steps=0-100000"
else
	skip "public traces" "no traces at $traces"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# The timeline as protobuf holds what the timeline as JSON holds, in Perfetto's own importer: the same
# slices at the same depth with the same arguments, rows, arrows and counters; in 15 % of the size.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
tools=$top_srcdir/tests/tools
maker=$top_builddir/tests/tools/gen-log
tp=$(cd "$top_srcdir/tests/perfetto" && pwd)

# A file can be packed and cut. Every reader recognizes it as a trace by its first packet.
cat >"$temp/spans.txt" <<'E_LOG'
capture pid=100 exe="/bin/odd \"name\"" clock="monotonic"
clock ticks=0 mono=0 real=1700000000000000000 boot=0 err=0
def stream id=1 tid=100 name="main é"
def stream id=2 tid=101
event 1 0 0 push name="parent"
event 1 0 0 push name="zero at the parent's start"
event 1 0 0 pop
event 1 0 5 mark name="mark" payload=u64:18446744073709551615
event 1 0 5 push name="zero"
event 1 0 5 push name="zero in zero"
event 1 0 5 pop
event 1 0 5 pop
event 1 0 10 pop
event 1 0 10 mark name="mark at an end"
event 1 0 10 push name="next" payload=double:0.1 color=#FF00FF00
event 1 0 11 pop
event 1 0 12 start name="span" id=1
event 1 0 12 start name="span" id=2
event 1 0 13 start name="span" id=3
event 2 0 14 end id=2
event 1 0 15 end id=3
event 1 0 16 start name="span" id=4
event 1 0 17 end id=4
event 2 0 18 end id=1
event 2 0 20 push name=""
event 2 0 21 pop
event 2 0 22 push name="never ends"
E_LOG
python3 - >"$temp/many.txt" <<'PY'
print('capture pid=100 exe="/bin/many" clock="monotonic"\nclock ticks=0 mono=0 real=0 boot=0 err=0')
print('def stream id=1 tid=100')
for i in range(4000):
    print(f'event 1 0 {i * 70} push name="range {i % 7}"\nevent 1 0 {i * 70 + 13 + i % 50} pop')
PY
python3 "$tools/gpu-log.py" 1 20 600 1 >"$temp/gpu.txt"
python3 "$tools/gpu-log.py" 4 5 2500 0 >"$temp/ties.txt"

# A trace whose calls begin when something in them does, whose times Perfetto would read 1 ns wrongly, and that names
# processes and threads of numbers that Perfetto takes for 0.
python3 - >"$temp/odd.json" <<'PY'
import json
events = []
def add(phase, tid, time_ns, dur_ns=None, pid=100, **more):
    ts = f"{4458676441783 + time_ns // 1000}.{time_ns % 1000:03}"
    rest = "" if dur_ns is None else f', "dur": {dur_ns // 1000}.{dur_ns % 1000:03}'
    events.append(f'{{"ph": "{phase}", "pid": {pid}, "tid": {tid}, "ts": {ts}{rest}, {json.dumps(more)[1:]}')
def call(name, time_ns, dur_ns, number):
    add("X", 100, time_ns, dur_ns, cat="cuda_runtime", name=name, args={"correlation": number})
def arrow(phase, pid, tid, time_ns, number):
    add(phase, tid, time_ns, pid=pid, cat="ac2g", name="ac2g", id=number, bp="e")
for i in range(60):
    start, launch = i * 100003, i * 10
    if i % 6 == 0: # a call of 0 ns, as are those whose halves find no other
        call("cudaPeekAtLastError", start, 0, launch + 1)
        arrow("f", 100, 100, start, launch + 1)
    if i % 6 == 1:
        add("i", 100, start, s="t", name="mark", args={"whole": -i, "part": -i - 0.5, "above": i + 0.25, "small": -1e-9})
    call("cudaLaunchKernel", start, 0 if i % 6 == 2 else 7001, launch)
    if i % 6 == 2:
        call("cudaPeekAtLastError", start, 0, launch + 1)
    if i % 6 == 3: # something in it that lasts
        call("cuLaunchKernel", start, 2001, launch + 1)
    if i % 6 == 4: # as long as it
        call("cuLaunchKernel", start, 7001, launch + 1)
    arrow("s", 100, 100, start, launch)
    add("X", 7, start + 9007, 2003, pid=0, cat="kernel", name="k", args={"correlation": launch, "device": 0, "stream": 7})
    arrow("f", 0, 7, start + 9007, launch)
for pid, tid, what, name in ((0, 0, "process_name", "GPU"), (100, 0, "process_name", "odd"), (-1, 0, "process_name", "of no row"),
                             (100, 100, "thread_name", "main"), (100, -1, "thread_name", "of no thread"),
                             (5000000000, 3, "thread_name", "of no process")):
    events.append(json.dumps({"ph": "M", "name": what, "pid": pid, "tid": tid, "ts": 0, "args": {"name": name}}))
print('{"schemaVersion": 1, "baseTimeNanoseconds": 1600000000000000000, "traceEvents": [\n' + ",\n".join(events) + "\n]}")
PY

cat >"$temp/decode.py" <<'PY'
# Reads the packets that a cut file still has, by the rules of protobuf alone.
import sys, zlib
def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = data[at:at + 8], at + 8
        else:
            assert key & 7 == 2, key
            length, at = varint(data, at)
            if at + length > len(data):
                return # cut
            value, at = data[at:at + length], at + length
        yield key >> 3, value
raw, begun, ended, first = open(sys.argv[1], "rb").read(), 0, 0, None
for number, packet in fields(raw):
    assert number == 1
    for field, value in fields(packet):
        assert field == 50
        for inner, part in fields(zlib.decompress(value)):
            assert inner == 1
            content = dict(fields(part))
            first = first or content
            if 11 in content:
                kind = dict(fields(content[11]))[9]
                begun += kind == 1
                ended += kind == 2
assert first is None or first[13] == 3 and first[10] == 1
print(begun, ended)
PY

# write NAME INPUT: writes both forms of an input.
write()
{
	"$analyzer" "$2" --without-log -o "$temp/json/$1" --to perfetto 2>"$temp/said" &&
		"$analyzer" "$2" -o "$temp/proto/$1" --to pftrace 2>>"$temp/said"
	ok $? "$1: both forms are written"
	large=$(wc -c <"$temp/json/$1")
	small=$(wc -c <"$temp/proto/$1")
	diag "$1: $small of $large bytes"
	if [ "$large" -gt 20000 ]; then
		is $((small * 100 <= large * 15)) 1 "$1: protobuf has at most 15 % of JSON's size"
	fi
	names="$names $1"
}

# hold FORM: prints the engine's contents for all files in this form. The engine starts once.
hold()
{
	# shellcheck disable=SC2086 # names without blanks
	(cd "$temp/$1" && node "$tp/tp.mjs" --each "$tp/contents.sql" $names 2>"$temp/$1.said")
}

# same: both forms have the same contents.
same()
{
	sentence="Perfetto holds the same of both, each arrow from the call that launched"
	status=0
	hold proto &
	hold json || status=$?
	wait $! || status=$?
	for name in $names; do
		if [ $status -eq 77 ]; then
			skip "$name: $sentence" "there is no engine"
			continue
		fi
		differ=0
		python3 "$tp/differences.py" "$temp/json/$name.tsv" "$temp/proto/$name.tsv" >"$temp/differences" || differ=1
		grep -aE '^(error|untrue).' "$temp/proto/$name.tsv" >>"$temp/differences" && differ=1
		grep -qa '^slice.' "$temp/proto/$name.tsv" || differ=1
		ok $differ "$name: $sentence"
		[ $differ -eq 0 ] || diag "$(cat "$temp"/*.said; cut -c 1-300 "$temp/differences" | head -n 20)"
	done
}

for log in spans many gpu ties; do
	python3 "$tools/text-log.py" "$temp/$log.bin" "$temp/$log.txt"
done
names=
mkdir "$temp/json" "$temp/proto"
for log in spans many gpu ties; do
	write $log "$temp/$log.bin"
done
write odd "$temp/odd.json"
python3 "$top_srcdir/tests/kineto/same.py" "$temp/odd.json" "$temp/json/odd" >"$temp/said"
ok $? "what was moved to be drawn is moved back when the file is read: $(cat "$temp/said")"
is "$("$analyzer" stats -r launch,api -f csv "$temp/json/odd" 2>&1)" "$("$analyzer" stats -r launch,api -f csv "$temp/odd.json" 2>&1)" \
	"its launches are those of the trace"
is "$(python3 "$temp/decode.py" "$temp/proto/many" 2>&1)" "4000 4000" "each range begins and ends once"
size=$(wc -c <"$temp/proto/gpu")
head -c $((size / 2)) "$temp/proto/gpu" >"$temp/cut.pftrace"
python3 "$temp/decode.py" "$temp/cut.pftrace" >"$temp/said" 2>&1
ok $? "a file that was cut has whole packets up to there"
"$analyzer" "$temp/gpu.bin" -o "$temp/gpu.pftrace.gz" && gzip -dc "$temp/gpu.pftrace.gz" | cmp -s - "$temp/proto/gpu"
ok $? ".gz packs the same bytes"
"$analyzer" "$temp/gpu.bin" --to pftrace -o - | cmp -s - "$temp/proto/gpu"
ok $? "--to pftrace writes the same, and each time"

# Blocks with arguments or names are packed harder. zlib's second byte tells.
python3 - >"$temp/plain.txt" <<'END'
print('capture pid=1\ndef stream id=1 tid=1')
for i in range(3000):
    print(f'event 1 0 {10 * i} push name="{"ab"[i % 2]}"\nevent 1 0 {10 * i + 7 + i % 3} pop')
print('end status="clean"')
END
python3 "$tools/text-log.py" "$temp/plain.bin" "$temp/plain.txt"
"$analyzer" "$temp/plain.bin" -o "$temp/plain.pftrace"
python3 - "$temp/plain.pftrace" "$temp/proto/gpu" >"$temp/said" <<'END'
import sys
for path in sys.argv[1:]:
    content, at, levels = open(path, 'rb').read(), 0, []
    while at < len(content):  # each packet has only packed packets
        end, length, shift = at + 1, 0, 0
        while True:
            length |= (content[end] & 127) << shift
            end, shift = end + 1, shift + 7
            if content[end - 1] < 128:
                break
        levels.append(content[content.index(0x78, end) + 1])
        at = end + length
    print(*('%02x' % level for level in sorted(set(levels))))
END
is "$(cat "$temp/said")" "01 5e
5e" "plain ranges are packed at a lower level"
"$analyzer" "$temp/plain.bin" --to pftrace -o - | cmp -s - "$temp/plain.pftrace"
ok $? "a file to which names are added last has the bytes of a pipe"

# Ranges that cross others come in another order than they are written. This is noticed late.
"$maker" "$temp/crossing.bin" --pairs 20000 --threads 3 --depth 9 --domains 4 \
	--odd crossing,marks,losses,attrs,unclosed,backwards
"$analyzer" "$temp/crossing.bin" -o "$temp/crossing.pftrace" &&
	"$analyzer" "$temp/crossing.bin" --to pftrace -o - | cmp -s - "$temp/crossing.pftrace"
ok $? "nor does a file that was begun twice differ from a pipe"

traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
found=
for trace in "$traces"/*.json.gz "$traces"/unit/*.json.gz; do
	[ -f "$trace" ] || continue
	found=yes
	name=${trace##*/}
	name=${name%.json.gz}
	write "$name" "$trace"
done
[ -n "$found" ] || skip "public traces: Perfetto holds the same of both" "RANGES_TEST_TRACES names no folder with them"
if command -v node >/dev/null 2>&1; then
	same
else
	skip "Perfetto holds the same of both" "there is no node"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# The Perfetto output of odd logs is strict JSON, equals `analyzer dump --slices`, and is exactly what
# Perfetto's own importer holds afterwards, without one import error.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
tools=$top_srcdir/tests/tools

# Without events the file must still load: an empty log has a process and nothing else.
cat >"$temp/empty.txt" <<'E_LOG'
capture pid=100 exe="/bin/nothing" clock="monotonic"
E_LOG

# Ranges of 0 ns: at their parent's start and end, between neighbours, on top of each other.
cat >"$temp/zero.txt" <<'E_LOG'
capture pid=100 exe="/bin/zero" clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def stream id=1 tid=100
event 1 0 0 push name="parent"
event 1 0 0 push name="zero at the parent's start"
event 1 0 0 pop
event 1 0 0 push name="first"
event 1 0 5 pop
event 1 0 5 push name="zero between neighbours"
event 1 0 5 push name="zero in zero"
event 1 0 5 pop
event 1 0 5 mark name="mark between neighbours"
event 1 0 5 pop
event 1 0 5 push name="second"
event 1 0 9 pop
event 1 0 9 push name="zero 1"
event 1 0 9 pop
event 1 0 9 push name="zero 2"
event 1 0 9 pop
event 1 0 10 push name="zero at the parent's end"
event 1 0 10 pop
event 1 0 10 pop
event 1 0 10 mark name="mark"
event 1 0 10 push name="next"
event 1 0 11 pop
event 1 0 11 start name="zero span" id=1
event 1 0 11 end id=1
event 1 0 12 start name="span" id=2
event 1 0 12 start name="span" id=3
event 1 0 14 end id=2
event 1 0 15 end id=3
E_LOG

# Deeper than Perfetto shows, with marks at the bottom; and more ranges at one time than it nests.
python3 - >"$temp/deep.txt" <<'PY'
print('capture pid=100 clock="monotonic"\nclock ticks=0 mono=0 real=0 boot=0 err=0')
print('def stream id=1 tid=100\ndef stream id=2 tid=101')
for i in range(600):
    print(f'event 1 0 {i * 3} push name="level {i}"')
    print(f'event 1 0 {i * 3 + 1} mark name="mark {i}"')
for i in range(600):
    print(f"event 1 0 {3000 + i} pop")
for i in range(600):
    print(f'event 2 0 7 push name="same time {i}"\nevent 2 0 7 pop')
print('event 2 0 8 push name="after"\nevent 2 0 9 pop')
PY

# Names that break writers and parsers.
python3 - >"$temp/names.txt" <<'PY'
print('capture pid=100 exe="/bin/\\"q\\xff" host="\\x01" clock="monotonic"')
print('clock ticks=0 mono=0 real=0 boot=0 err=0\ndef stream id=1 tid=100 name="a\\"\\\\\\n\\xff"')
names = [b"", b'"', b"\\", b"\\u0041", b"\n\t\r\b\f\x01\x1f\x7f", "é€😀".encode(), b"\xff", b"\xc3", b"\xe2\x82",
         b"\xf0\x9f\x98", b"\xed\xa0\xbd\xed\xb8\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"a\xffb\xc3(c",
         "\u2028\u202e\ufeff\ufffd".encode(), b"</script>", b"NaN",
         b"aten::mm, seq = 1, op_id = 2, sizes = [[2, 3], []]", b"M:#a=1,a=2,b=\xff\"#", b"{'Module': 'm'}", b"x" * 5000, "é".encode() * 30000]
for i, name in enumerate(names):
    text = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in name)
    print(f'event 1 0 {i * 10} push name="{text}"\nevent 1 0 {i * 10 + 5} pop')
PY

# Few different times for many events of several threads and domains: crossings, ties, repairs. They
# are the same in each run.
python3 - >"$temp/random.txt" <<'PY'
import random
random.seed(7)
print('capture pid=9 exe="/bin/random" clock="monotonic"\nclock ticks=0 mono=0 real=1 boot=0 err=0')
for domain in (1, 2):
    print(f'def domain id={domain} name="domain {domain}"')
for stream in range(1, 5):
    print(f"def stream id={stream} tid={stream + 8}")
open_ids, next_id = [], 1
for stream in range(1, 5):
    ticks = 1000
    for i in range(3000):
        ticks += random.choice((0, 0, 0, 1, 1, 2, 1000))
        domain = random.randrange(3)
        op = random.choice("push push pop pop mark start end".split())
        line = f"event {stream} {i} {ticks} {op}"
        line += f' name="{op} {random.randrange(30)}"' if op in ("push", "mark", "start") else ""
        line += f" domain={domain}" if domain else ""
        if op == "start":
            line += f" id={next_id}"
            open_ids.append(next_id)
            next_id += 1
        elif op == "end":
            line += f" id={open_ids.pop(random.randrange(len(open_ids)))}" if open_ids else " id=99999"
        if op != "pop" and op != "end" and random.random() < 0.3:
            line += f" color=#{random.randrange(1 << 32):08X} category={random.randrange(4)}"
            line += " payload=" + random.choice(("u64:18446744073709551615", "i64:-9223372036854775808", "double:1e300",
                                                 "double:nan", "double:-inf", "float:0.1", "u32:7", "i32:-7"))
        print(line)
        if random.random() < 0.001:
            print(f"event {stream} {i} {ticks} loss lost=9 cause=ring_full span=2")
PY

# Strict: no NaN, no key twice, no surrogates; each row named; the same ranges, marks and losses as the dump.
cat >"$temp/compare.py" <<'PY'
import json, re, sys
def refuse(text):
    raise ValueError("not JSON: " + text)
def unique(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key twice: " + str(pairs))
    return dict(pairs)
raw = open(sys.argv[1], encoding="utf-8").read()
trace = json.loads(raw, parse_constant=refuse, object_pairs_hook=unique)
assert list(trace)[0] == "schemaVersion" and list(trace)[-1] == "libranges", list(trace)
events = raw.split("\n\"libranges\":")[0]
assert "\\ud" not in raw and events.count("\n") == len(trace["traceEvents"]) + 1
assert not re.search(r'"(?:ts|dur)":(?!\d+\.\d{3}[,}])', raw)
def ns(us):
    return round(us * 1000)
drawn, named, processes, spans = [], set(), set(), {}
for event in trace["traceEvents"]:
    key = (event["pid"], event.get("tid"))
    if event["name"] == "thread_name":
        named.add(key)
    elif event["name"] == "process_name":
        processes.add(event["pid"])
    elif event["ph"] in "Xi":
        drawn.append((*key, ns(event["ts"]), ns(event.get("dur", 0)), event["name"]))
    elif event["ph"] in "be":
        spans.setdefault(event["id2"]["local"], []).append((event["ph"], event["ts"], event["name"]))
    for value in event.get("args", {}).values():
        assert not isinstance(value, int) or -2**63 <= value < 2**63
def name_of(text):
    return re.sub(r"\\(x..|u\{[0-9a-f]+\}|.)", lambda m: {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}.get(
        m[1]) or chr(int(m[1][1:].strip("{}"), 16)), text)
lines = open(sys.argv[2], encoding="utf-8", newline="\n").read().split("\n")[1:-1]
dump = []
for line in lines:
    pid, tid, depth, start, dur, name = line.split("\t")
    dump.append((int(pid), int(tid), int(start), int(dur), name_of(name)))
assert dump == drawn, next(pair for pair in zip(dump + [None], drawn + [None]) if pair[0] != pair[1])
assert {(event[0], event[1]) for event in drawn} <= named and {pid for pid, _ in named} <= processes
assert all(pid > 15 and tid > 0 for pid, tid in named)
assert all([h[0] for h in halves] == ["b", "e"] and halves[0][1] <= halves[1][1] and halves[0][2] == halves[1][2]
           for halves in spans.values())
PY

# checked STATUS SENTENCE: a test point. If it fails, the output is shown.
checked()
{
	ok "$@"
	[ "$1" -eq 0 ] || diag "$(head -n 40 "$temp/said")"
}

# holds FILE LOG: checks the file with Perfetto.
holds()
{
	sentence="$2: Perfetto holds exactly the ranges of the dump after loading ${1##*/}"
	status=0
	"$top_srcdir/tests/perfetto/check.sh" "$1" "$temp/$2.tsv" >"$temp/said" 2>&1 || status=$?
	if [ "$status" -eq 77 ]; then
		skip "$sentence" "$(sed 's/^SKIP: //' "$temp/said")"
	else
		checked "$status" "$sentence"
	fi
}

for log in empty zero deep names random; do
	python3 "$tools/text-log.py" "$temp/$log.bin" "$temp/$log.txt" &&
		"$analyzer" "$temp/$log.bin" --names raw -o "$temp/$log.json" 2>"$temp/said"
	checked $? "$log: the log becomes JSON"
	"$analyzer" dump --slices "$temp/$log.bin" >"$temp/$log.tsv" 2>"$temp/said"
	checked $? "$log: its ranges can be dumped"
	python3 "$temp/compare.py" "$temp/$log.json" "$temp/$log.tsv" 2>"$temp/said"
	checked $? "$log: the JSON is strict and holds what the dump has"
	holds "$temp/$log.json" "$log"
done
# More than one block of the packer: 1 MiB and more of text.
for i in 1 2 3 4; do
	sed -e 1d -e "s/\"level/\"level $i/" -e "s/event 1/event $i$i/" "$temp/deep.txt" | grep '^event'
done >"$temp/events"
cat "$temp/random.txt" "$temp/events" | python3 "$tools/text-log.py" "$temp/packed.bin"
"$analyzer" dump --slices "$temp/packed.bin" >"$temp/packed.tsv" 2>"$temp/said"
"$analyzer" "$temp/packed.bin" -o "$temp/packed.json.gz" 2>"$temp/said"
checked $? "a packed output can be written"
gzip -t "$temp/packed.json.gz"
ok $? "gzip finds it whole"
is "$(gzip -dc "$temp/packed.json.gz" | wc -c | awk '{ print ($1 > 1048576) }')" 1 "it is larger than one block"
holds "$temp/packed.json.gz" packed
done_testing

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

# A file can be packed and cut, and is a trace by its first packet, whatever reads it.
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

cat >"$temp/decode.py" <<'PY'
# Reads the packets, by the rules of protobuf alone: what a file that is cut still holds.
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

# The two forms write some things in ways that the engine cannot tell apart or must change: a point in an
# argument's name becomes a line there, JSON's numbers are read with an error in the 17th digit, and empty lists
# in lists are passed over, where protobuf has a text in their place.
cat >"$temp/plain.py" <<'PY'
import re, sys
def number(match):
    return "%.12g" % float(match[0])
for line in sys.stdin:
    line = line.rstrip("\n").replace("est. achieved", "est_ achieved")
    line = re.sub(r"(; )?[^;\t]*\]=(\[\]|\{\}|null)(?=;|$)", "", line).replace("\t; ", "\t")
    print(re.sub(r"(?<=[=\t-])\d+\.\d+(e[+-]?\d+)?(?=[;\t]|$)", number, line))
PY

# holds FILE: prints what the engine holds of it.
holds()
{
	node "$top_srcdir/tests/perfetto/tp.mjs" "$1" "$top_srcdir/tests/perfetto/contents.sql" 2>"$temp/said" >"$temp/raw" || return
	LC_ALL=C.UTF-8 python3 "$temp/plain.py" <"$temp/raw" | LC_ALL=C sort
}

# same NAME INPUT [LEFT-OUT]: both forms of an input; lines of some kind can be left out.
same()
{
	"$analyzer" "$2" --without-log -o "$temp/$1.json" 2>"$temp/said" &&
		"$analyzer" "$2" -o "$temp/$1.pftrace" 2>>"$temp/said"
	ok $? "$1: both forms are written"
	large=$(wc -c <"$temp/$1.json")
	small=$(wc -c <"$temp/$1.pftrace")
	diag "$1: $small of $large bytes"
	if [ "$large" -gt 20000 ]; then
		is $((small * 100 <= large * 15)) 1 "$1: protobuf has at most 15 % of JSON's size"
	fi
	sentence="$1: Perfetto holds the same of both"
	status=0
	holds "$temp/$1.json" >"$temp/wanted" || status=$?
	if [ "$status" -eq 77 ] || ! command -v node >/dev/null 2>&1; then
		skip "$sentence" "there is no node or no engine"
		return
	fi
	holds "$temp/$1.pftrace" >"$temp/got" || status=$?
	for file in wanted got; do
		grep -av "^${3:-none}" "$temp/$file" >"$temp/$file.part"
		mv "$temp/$file.part" "$temp/$file"
	done
	cmp -s "$temp/wanted" "$temp/got" || status=1
	grep -qa '^error' "$temp/got" && status=1
	grep -qa '^slice' "$temp/got" || status=1
	ok $status "$sentence"
	[ $status -eq 0 ] || diag "$(cat "$temp/said"; diff "$temp/wanted" "$temp/got" | cut -c 1-300 | head -n 20)"
}

for log in spans many gpu ties; do
	python3 "$tools/text-log.py" "$temp/$log.bin" "$temp/$log.txt"
done
same spans "$temp/spans.bin"
same many "$temp/many.bin"
same gpu "$temp/gpu.bin"
# Where a call and what is in it begin together, arrows of JSON begin at the wrong one of them.
same ties "$temp/ties.bin" flow
is "$(python3 "$temp/decode.py" "$temp/many.pftrace" 2>&1)" "4000 4000" "each range begins and ends once"
size=$(wc -c <"$temp/gpu.pftrace")
head -c $((size / 2)) "$temp/gpu.pftrace" >"$temp/cut.pftrace"
python3 "$temp/decode.py" "$temp/cut.pftrace" >"$temp/said" 2>&1
ok $? "a file that was cut has whole packets up to there"
"$analyzer" "$temp/gpu.bin" -o "$temp/gpu.pftrace.gz" && gzip -dc "$temp/gpu.pftrace.gz" | cmp -s - "$temp/gpu.pftrace"
ok $? ".gz packs the same bytes"
"$analyzer" "$temp/gpu.bin" --to pftrace -o - | cmp -s - "$temp/gpu.pftrace"
ok $? "--to pftrace writes the same, and each time"

traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
found=
for trace in "$traces"/*.json.gz "$traces"/unit/*.json.gz; do
	[ -f "$trace" ] || continue
	found=yes
	name=${trace##*/}
	name=${name%.json.gz}
	left_out=
	case $name in
	dlrm_rank[37] | negative_queue) left_out=flow ;; # ties as above
	gpu_user_annotation)
		skip "$name" "in JSON its process -1, which has a name only, gives that to process 0, the GPU"
		continue
		;;
	nccl_data)
		skip "$name" "in JSON its times, since 1970 and with fractions of a us, are 1 ns off for Perfetto"
		continue
		;;
	esac
	same "$name" "$trace" "$left_out"
	rm -f "$temp/$name".*
done
[ -n "$found" ] || skip "public traces: Perfetto holds the same of both" "RANGES_TEST_TRACES names no folder with them"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer slice: a part of a log has the same events as the whole there, whatever is odd, lost or
# damaged in it. It says what the whole lacks, and that it is a part.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
gen=$top_builddir/tests/tools/gen-log
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
[ -x "$gen" ] || skip_all "gen-log is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which counts again, is missing"
whole=$temp/whole.bin
part=$temp/part.bin

# what FILE [FROM TO]: prints each item in it with its time, one on each line.
what()
{
	what_file=$1
	shift
	"$analyzer" search "$what_file" ${1:+--from "${1}us" --to "${2}us"} --limit 0 -f csv 2>/dev/null
}

cat >"$temp/same.py" <<'END'
import collections, csv, sys
def read(path, shift, low, high):
    found = collections.Counter()
    for row in csv.reader(open(path, encoding="utf-8", errors="surrogateescape")):
        if row[0].isdigit():
            start, end = int(row[0]), int(row[0]) + int(row[1])
            if shift and end < low:
                continue
            if shift:
                start, end = max(start, low) - low, min(end, high) - low
            found[(start, end, *row[2:])] += 1
    return found
some = []
for place in range(2, len(sys.argv), 2):
    low, high = int(sys.argv[place]) * 1000, int(sys.argv[place + 1]) * 1000
    name = f"{sys.argv[1]}/same-{sys.argv[place]}-{sys.argv[place + 1]}."
    whole, part = read(name + "1", True, low, high), read(name + "2", False, low, high)
    for sign, more in ("-", whole - part), ("+", part - whole):
        for thing in list(more)[:3]:
            print(sign, thing)
    some.append(sum(whole.values()) > 0)
print(*some)
END

# same FROM TO [FROM TO]...: each part has the same items as the whole there, and is sound. Prints
# whether a part has any items. $part is the last part.
same()
{
	same_times=$*
	rm -f "$temp"/same-*
	while [ $# -gt 0 ]; do
		same_name=$temp/same-$1-$2
		"$analyzer" slice "$whole" --from "${1}us" --to "${2}us" -o "$same_name.bin" 2>/dev/null || echo "status $?"
		# A part also has items that end exactly at its begin, which search does not count.
		what "$whole" $(($1 > 0 ? $1 - 1 : 0)) "$2" >"$same_name.1"
		what "$same_name.bin" >"$same_name.2"
		cp "$same_name.bin" "$part"
		shift 2
	done
	"$analyzer" verify -q "$temp"/same-*.bin || echo "a part is not sound"
	# shellcheck disable=SC2086 # numbers
	python3 "$temp/same.py" "$temp" $same_times
}

# ---- What is odd ----

for odd in unmatched losses marks attrs crossing names backwards open unclosed losses,marks,attrs,crossing,names,backwards,unclosed; do
	for open in "" --open; do
		"$gen" "$whole" --pairs 6000 --rows 1500 --threads 3 --domains 3 --depth 6 --odd "$odd" $open
		is "$(same 1500 1800 0 450 3450 3470 3000 13500)" "True True True True" \
			"parts of a log with $odd${open:+, whose chunks tell what is open}, have what the whole has"
	done
done
"$gen" "$whole" --pairs 6000 --rows 1500 --threads 1 --domains 3 --depth 6 --odd spans,crossing
is "$(same 1500 1800 3000 3200)" "True True" "of start/end ranges, too"
python3 "$top_srcdir/tests/tools/text-log.py" "$whole" <<'END'
capture clock="monotonic" start_mono_ns=1000000
clock ticks=1000000 mono=1000000 real=5000000 boot=1000000 err=1
def stream id=1 name="main" tid=7
event 1 0 5000000 push name="late"
event 1 1 6000000 pop
event 1 2 6500000 acquire_start id=1
event 1 3 6800000 acquire_success id=1
event 1 4 7000000 step name="step" payload=u64:1
event 1 5 7100000 call id=268 name="later"
event 1 6 8000000 step_end
clock ticks=9000000 mono=9000000 real=13000000 boot=9000000 err=1
end status="clean"
END
is "$(same 1000 2000 1000 5000 4100 4200 5450 7500)" "False True True True" \
	"a part may begin before the first event; waits and steps are there as in the whole"
"$gen" "$whole" --pairs 6000 --rows 1500 --threads 3 --depth 40
is "$(same 1500 1800 3000 3200)" "True True" "of deep ones as well"
"$gen" "$whole" --pairs 6000 --rows 1500 --threads 3 --depth 200 --open
is "$(same 1500 1800 3000 3200)" "True True" "and of deeper ones than a chunk can tell"

for log in plain odd; do
	cp "$top_srcdir/tests/data/format-1/$log.bin" "$whole"
	"$analyzer" slice "$whole" --from 200us --to 2ms -o "$part" 2>/dev/null
	is "$("$analyzer" verify "$part" 2>&1 | sed 's/.*: \(sound\).*/\1/')" sound "of the log $log.bin of an older version"
done

# ---- What is not read ----

"$gen" "$whole" --pairs 25000 --rows 2000 --threads 2 --depth 6 --open
"$gen" "$temp/older.bin" --pairs 25000 --rows 2000 --threads 2 --depth 6
same 12500 12600 >/dev/null
"$analyzer" slice "$temp/older.bin" --from 12500us --to 12600us -o "$temp/older-part.bin" 2>/dev/null
"$analyzer" dump "$part" | grep -v '^capture' >"$temp/1"
"$analyzer" dump "$temp/older-part.bin" | grep -v '^capture' >"$temp/2"
ok "$(cmp -s "$temp/1" "$temp/2"; echo $?)" "a log that tells what is open and one that does not give the same part"
garbled=$(python3 - "$whole" "$temp/garbled.bin" <<'END'
# Chunks of events far from the requested time get payloads of noise, with a correct CRC. A reader
# of these chunks would notice.
import struct, sys, zlib
data, pos, number = bytearray(open(sys.argv[1], "rb").read()), 0, 0
while data[pos:pos + 4] == b"\xc1\xf7rl":
    kind, stored = data[pos + 9], struct.unpack_from("<I", data, pos + 24)[0]
    first, last = struct.unpack_from("<QQ", data, pos + 40)
    if kind == 4 and (last < 1000000000000 + 25000000 or first > 1000000000000 + 37500000):
        data[pos + 64:pos + 64 + stored] = bytes(stored)
        struct.pack_into("<I", data, pos + 56, zlib.crc32(data[pos + 64:pos + 64 + stored]))
        struct.pack_into("<I", data, pos + 60, zlib.crc32(data[pos:pos + 60]))
        number += 1
    pos += 64 + stored
open(sys.argv[2], "wb").write(data)
print(number > 10)
END
)
"$analyzer" slice "$temp/garbled.bin" --from 12500us --to 12600us -o "$temp/2.bin" 2>/dev/null
is "$garbled $(cmp "$part" "$temp/2.bin")" "True " "chunks of other times are not looked at: noise in them changes nothing"
"$analyzer" slice "$whole" --from 12500us --to 12600us -o "$temp/2.bin" 2>/dev/null
ok "$(cmp -s "$part" "$temp/2.bin"; echo $?)" "the same part twice is the same bytes"

# ---- What is lost, missing, damaged ----

# lacks FILE: prints the lines of its footer that say what it lacks.
lacks()
{
	"$analyzer" stats "$1" -r ranges 2>/dev/null | grep -e 'lost' -e 'missing' -e 'no end' -e 'could not be read' | grep -v -e 'during a loss' -e '^complete' |
		sed 's/, the first at .*//'
}

"$gen" "$temp/sound.bin" --pairs 40000 --threads 3 --depth 6 --odd losses --open
for where in 10000 60000 130000; do
	python3 - "$temp/sound.bin" "$whole" $where <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[3])] ^= 0xFF
open(sys.argv[2], "wb").write(data[:-20000])
END
	is "$(same 10000 12000 20000 25000 30000 36000)" "True True True" \
		"with damage at $where and a torn end parts have what the whole has"
	for from in 5 20 30; do
		"$analyzer" slice "$whole" --from ${from}ms --to $((from + 5))ms -o "$part" 2>/dev/null
		is "$(lacks "$part")" "$(lacks "$whole")" "and from $from ms on say of losses and damage what the whole says"
	done
done
"$analyzer" stats --strict "$part" >/dev/null 2>&1
is "$? $("$analyzer" info --strict "$part" >/dev/null 2>&1; echo $?) $("$analyzer" stats --strict "$temp/2.bin" >/dev/null 2>&1; echo $?)" "4 4 0" \
	"--strict knows it of the part"
"$analyzer" slice "$part" --from 1ms --to 2ms -o "$temp/2.bin" 2>/dev/null
is "$(lacks "$temp/2.bin")" "$(lacks "$whole")" "and of a part of the part"

# The program was killed, and the launcher recovered its log.
ranges=$top_builddir/libranges/ranges
pusher=$top_builddir/tests/capture/pusher
if [ -x "$ranges" ] && [ -x "$pusher" ]; then
	mkdir "$temp/spool"
	head -c 8192 /dev/zero >"$temp/calls"
	# shellcheck disable=SC2016 # for the inner shell
	RANGES_SPOOL_DIR=$temp/spool "$ranges" run -q -f -o "$whole" -- \
		sh -c '"$0" "$1" 3 100000000 100 & sleep 0.5; kill -9 $!; wait' "$pusher" "$temp/calls" >/dev/null 2>&1
	end=$(($("$analyzer" stats "$whole" -r threads -f csv 2>/dev/null | cut -d, -f9 | sort -n | tail -n 1) / 1000))
	is "$(same $((end / 3)) $((end / 3 + 20000)) $((end - 50000)) $((end - 1000)))" "True True" \
		"parts of a log of a program that was killed have what the whole has"
	is "$(lacks "$part") $("$analyzer" info "$part" | sed -n 's/^status  *//p')" "$(lacks "$whole") recovered" "and say so"
else
	skip "parts of a log of a program that was killed have what the whole has" "the capture is not built"
	skip "and say so" "the capture is not built"
fi

# ---- GPU work ----

# Computes from the whole which GPU rows a part should have: those whose first call with their id
# began in the part, whenever they ran, and rows without a call that began there. Also computes how
# much work of earlier calls ran there. ZERO is the whole's time 0.
cat >"$temp/gpu.py" <<'END'
import collections, subprocess, sys
analyzer, whole, zero, shift = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
def read(path):
    lines = subprocess.run([analyzer, "dump", path], capture_output=True, text=True).stdout.splitlines()
    gpu = {line.split()[2] for line in lines if line.startswith("def stream") and "parent=" in line}
    rows = []
    for line in lines:
        word = line.split(" ", 4)
        if word[0] == "event" and "id=" + word[1] in gpu:
            value = dict(pair.split("=", 1) for pair in word[4].split() if "=" in pair)
            rows.append((int(word[3]) + shift, word[4].split()[0], int(value.get("dur", 0)), int(value.get("corr", 0)), line.split(" ", 3)[3]))
    end = {line[4:].split("=")[0]: line.split("=")[1] for line in lines if line.startswith("end ")}
    return rows, int(end.get("part_gpu_before", 0)), int(end.get("part_gpu_before_ns", 0))
rows = read(whole)[0]
calls = {}
for begin, op, dur, corr, text in rows:
    if op == "api" and corr:
        calls[corr] = min(calls.get(corr, begin), begin)
taken, wrong = collections.Counter(), 0
for place in range(5, len(sys.argv), 3):
    low, high = (zero + int(float(us) * 1000) if float(us) else 0 for us in sys.argv[place:place + 2])
    found, before, before_ns = read(sys.argv[place + 2])
    expected, number, ns = collections.Counter(), 0, 0
    for begin, op, dur, corr, text in rows:
        at = calls.get(corr, begin) if corr else begin
        if low <= at < high:
            expected[text] += 1
        elif corr in calls and at < low and op in ("kernel", "copy", "set", "graph_launch") and max(begin, low) < min(begin + dur, high):
            number, ns = number + 1, ns + min(begin + dur, high) - max(begin, low)
    found = collections.Counter(row[4] for row in found)
    wrong += found != expected or (before, before_ns) != (number, ns)
    taken += found
print(wrong, "wrong;", "each row once" if taken == collections.Counter(row[4] for row in rows) else "not each row once", sum(taken.values()) > 0)
END

# gpu_parts ZERO SHIFT TIME...: cuts $whole there into adjacent parts, and prints whether their GPU
# rows are right.
gpu_parts()
{
	gpu_zero=$1 gpu_shift=$2 gpu_from=0 gpu_words=
	shift 2
	rm -f "$temp"/gpu-part-*
	for gpu_to in "$@"; do
		"$analyzer" slice "$whole" --from "${gpu_from}us" --to "${gpu_to}us" -o "$temp/gpu-part-$gpu_from.bin" 2>/dev/null || echo "status $?"
		gpu_words="$gpu_words $gpu_from $gpu_to $temp/gpu-part-$gpu_from.bin"
		gpu_from=$gpu_to
	done
	"$analyzer" verify -q "$temp"/gpu-part-*.bin || echo "a part is not sound"
	# shellcheck disable=SC2086 # words
	python3 "$temp/gpu.py" "$analyzer" "$whole" "$gpu_zero" "$gpu_shift" $gpu_words
}

# sum_gpu FILE...: prints the total of kernels, their time, and calls.
sum_gpu()
{
	for sum_file in "$@"; do
		"$analyzer" sql "$sum_file" "SELECT count(*), coalesce(sum(dur), 0), (SELECT count(*) FROM calls) FROM kernels" -f csv 2>/dev/null | tail -n 1
	done | awk -F, '{ a += $1; b += $2; c += $3 } END { print a, b, c }'
}

for gpu_seed in 1 2 3; do
	for gpu_late in 0 25 -30; do
		python3 "$top_srcdir/tests/tools/gpu-log.py" $gpu_seed $gpu_late 3000 1 >"$temp/gpu.txt"
		python3 "$top_srcdir/tests/tools/text-log.py" "$whole" <"$temp/gpu.txt"
		is "$(gpu_parts 5000 0 2.5 4.001 7 7.02 9 100)" "0 wrong; each row once True" \
			"GPU work of log $gpu_seed, $gpu_late ns late, is in the part that has its call, and is counted where it runs later"
	done
done
is "$(sum_gpu "$temp"/gpu-part-*.bin)" "$(sum_gpu "$whole")" "kernels, their time and calls of parts add up to those of the whole"
python3 "$top_srcdir/tests/tools/gpu-log.py" 1 25 3000 1 | python3 "$top_srcdir/tests/tools/text-log.py" "$whole"
gpu_parts 5000 0 2.5 4.001 7 100 >/dev/null
is "$("$analyzer" stats "$temp/gpu-part-2.5.bin" -r kernels | grep -c 'GPU operations\{0,1\} launched before the part ran in it, for')$(
	"$analyzer" stats "$temp/gpu-part-2.5.bin" -r kernels -f json | grep -c '"part_gpu_before":[0-9]*,"part_gpu_before_ns":')" "11" \
	"the footer and JSON tell of earlier calls' work"
"$analyzer" slice "$temp/gpu-part-2.5.bin" --to 1us -o "$part" 2>/dev/null
"$analyzer" slice "$whole" --from 2.5us --to 3.5us -o "$temp/2.bin" 2>/dev/null
"$analyzer" dump "$part" | grep '^event 9' >"$temp/1"
"$analyzer" dump "$temp/2.bin" | grep '^event 9' >"$temp/2"
is "$(cmp "$temp/1" "$temp/2"; [ ! -s "$temp/1" ] || echo some)" some "a part of a part has the GPU work that the part of the whole has"
"$analyzer" slice "$whole" --thread 22 -o "$part" 2>/dev/null
is "$("$analyzer" sql "$part" "SELECT DISTINCT tid FROM calls" -f csv | tail -n +2) $("$analyzer" sql "$part" \
	"SELECT count(*) > 0, count(DISTINCT correlation) <= (SELECT count(*) FROM calls) FROM kernels" -f csv | tail -n 1)" "22 1,1" \
	"--thread: GPU work of that thread's calls"
sed 's/parent=1/parent=2/' "$temp/gpu.txt" | python3 "$top_srcdir/tests/tools/text-log.py" "$whole"
is "$(gpu_parts 5000 4993 5.5 7 9 100)" "0 wrong; each row once True" "and of a GPU whose times are of another clock"
for log in "$top_srcdir"/tests/data/gpu/*.bin; do
	cp "$log" "$whole"
	is "$(gpu_parts 0 0 20000 100000 6000000 6400000 7000000 900000000000 | sed 's/.*; //')" "each row once True" \
		"of ${log##*/} each row is in one part"
	is "$(sum_gpu "$temp"/gpu-part-*.bin)" "$(sum_gpu "$whole")" "which add up to the whole"
done
for gpu_where in 3 2; do
	python3 - "$top_srcdir/tests/data/gpu/emit.bin" "$whole" $gpu_where <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) // int(sys.argv[3])] ^= 0xFF
open(sys.argv[2], "wb").write(data[:-2000])
END
	"$analyzer" slice "$whole" --from 1ms --to 5200ms -o "$part" 2>/dev/null
	is "$(lacks "$part" | grep -v "^(string")" "$(lacks "$whole" | grep -v "^(string")" "a part of a damaged log of GPU work says what the whole lacks"
done

python3 "$top_srcdir/tests/tools/text-log.py" "$whole" <<'END'
capture pid=7 clock="monotonic" start_mono_ns=1000000
clock ticks=1000000 mono=1000000 real=5000000 boot=1000000 err=1
def stream id=1 name="main" tid=7
def stream id=9 tid=7 parent=1
event 1 0 1100000 push name="step"
event 1 0 1200000 pop
event 9 0 1150000 api name="cudaLaunchKernel" tid=7 dur=1000 corr=1 kind=1
event 9 0 3150000 api name="cudaLaunchKernel" tid=7 dur=1000 corr=2 kind=1
event 9 0 5150000 api name="cudaLaunchKernel" tid=7 dur=1000 corr=3 kind=1
open
END
"$analyzer" slice "$whole" --from 2ms --to 3ms -o "$part" 2>"$temp/err"
is "$(grep -c 'ends at' "$temp/err") $(what "$part" | tail -n 1) $("$analyzer" info "$part" | sed -n 's/^part_[a-z]*_ns  *//p' | paste -sd' ')" \
	"0 150000,1000,call,cudaLaunchKernel,main 7 2000000 3000000" "a log without an end goes on until its last call"

# ---- A part of a part ----

"$gen" "$whole" --pairs 40000 --threads 3 --domains 2 --depth 6 --open --odd marks,attrs
"$analyzer" slice "$whole" --from 10ms --to 20ms -o "$temp/1.bin" 2>/dev/null
"$analyzer" slice "$temp/1.bin" --from 5ms --to 6ms -o "$temp/2.bin" 2>/dev/null
"$analyzer" slice "$whole" --from 15ms --to 16ms -o "$part" 2>/dev/null
what "$part" >"$temp/1"
what "$temp/2.bin" >"$temp/2"
ok "$(cmp -s "$temp/1" "$temp/2"; echo $?)" "a part of a part has what the part of the whole has"
is "$("$analyzer" stats "$temp/2.bin" -r ranges | tail -n 1)" "note: a part of a recording, from 15.000ms to 16.000ms of it" \
	"and tells where in the whole it lies"
sum()
{
	"$analyzer" info "$1" | sed -n 's/^outside  *//p; s/^events  *\([0-9]*\) of.*/\1/p' | awk '{ n += $1 } END { print n }'
}
is "$(sum "$part") $(sum "$temp/2.bin")" "$("$analyzer" info "$whole" | sed -n 's/^events  *\([0-9]*\) of.*/\1/p' | sed 's/.*/& &/')" \
	"events of a part and events outside are those of the whole"

# ---- Threads, edges ----

"$gen" "$whole" --pairs 6000 --threads 2 --depth 6
"$analyzer" slice "$whole" --thread 4243 -o "$part" 2>/dev/null
what "$whole" | grep "4243$" >"$temp/1"
what "$part" | grep -v start_ns >"$temp/2"
ok "$(cmp -s "$temp/1" "$temp/2"; echo $?)" "--thread: all of one thread, and nothing else"
is "$("$analyzer" slice "$whole" --thread nobody -o "$part" 2>&1)" "analyzer: $part: 0 events; no thread has \"nobody\" in its name" \
	"a name that no thread has is told"
is "$("$analyzer" slice "$whole" --from 100s -o "$part" 2>&1 | sed 's/ends at .*/ends at/'; "$analyzer" verify "$part" | sed 's/.*: //')" \
	"analyzer: $part: 0 events; the recording ends at
sound, 7 chunks, 0 events" "behind the end there is nothing, as is told"
"$analyzer" slice "$whole" --from 0 --to 100s -o "$part" 2>/dev/null
what "$whole" >"$temp/1"
what "$part" >"$temp/2"
ok "$(cmp -s "$temp/1" "$temp/2"; echo $?)" "from before the begin to behind the end: all"
is "$("$analyzer" slice "$whole" --from 1ms --to 1.000001ms -o "$part" 2>&1 | sed 's/^[^:]*: [^:]*: //; s/, .*//'; "$analyzer" verify -q "$part"; echo $?)" \
	"0 events
0" "one ns has no event, and is a log"
"$analyzer" slice "$whole" --from 1ms --to 2ms -o - 2>/dev/null >"$temp/2.bin"
"$analyzer" slice "$whole" --from 1ms --to 2ms -o "$part" 2>/dev/null
"$analyzer" slice "$whole" --from 1ms --to 2ms -o "$part.gz" 2>/dev/null
gzip -dc "$part.gz" >"$temp/3.bin"
is "$(cmp "$part" "$temp/2.bin"; cmp "$part" "$temp/3.bin")" "" "standard output and a packed file get the same bytes"
"$analyzer" slice - --from 1ms --to 2ms -o "$temp/2.bin" 2>/dev/null <"$whole"
ok "$(cmp -s "$part" "$temp/2.bin"; echo $?)" "FILE may be standard input"

# status WORDS…: prints the exit status and the message of a slice with these words.
status()
{
	"$analyzer" slice "$@" >"$temp/out" 2>"$temp/err"
	echo "$? $(sed 's,[^ ]*/\([a-z]*\.bin\),\1,g' "$temp/err")"
}
for time in nan inf 1e30 -1e30 "" x 1h "1 ms"; do
	is "$(status "$whole" --from "$time" -o "$part")" "2 analyzer: --from: expected a time such as 121ms or 0.5s, found \"$time\"; see analyzer slice --help" \
		"\"$time\" is no time"
done
is "$(status "$whole" --from 9e18 -o "$part" | cut -c1-2)$(status "$whole" --to=-8e18 -o "$part" | cut -c1-2)$(status "$whole" --from=-8e18 --to 8e18 -o "$part" | cut -c1-2)" \
	"2 0 0 " "times that are hardly any are taken"
is "$(status "$whole" -o "$part")" "2 analyzer: --from, --to or --thread is missing: it says which part to write; see analyzer slice --help" "which part must be said"
is "$(status "$whole" --from 2ms --to 2ms -o "$part")" "2 analyzer: --to must be later than --from; see analyzer slice --help" "a part has a duration"
is "$(status "$whole" --from 2ms)" "2 analyzer: -o is missing: it names the new log; see analyzer slice --help" "where it goes, too"
cp "$whole" "$temp/copy.bin"
is "$(status "$whole" --from 2ms -o "$whole" | cut -c1-1)$(cmp "$whole" "$temp/copy.bin")" "2" "FILE is not replaced by its part"
is "$(status "$whole" --from 2ms -o "$temp/no/part.bin" | cut -c1-1)$(status "$whole" --from 2ms -o /dev/full | cut -c1-1)" "66" \
	"what cannot be written is exit status 6"
is "$(status "$temp/none.bin" --from 2ms -o "$part" | cut -c1-1)" "3" "what cannot be read 3"
echo '{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":2,"dur":3}]}' >"$temp/trace.json"
is "$(status "$temp/trace.json" --from 0 --to 1ms -o "$part" | cut -c1-1)" 3 "a trace in JSON is no log"
done_testing

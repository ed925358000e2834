#!/bin/sh
# SPDX-License-Identifier: MIT
# Timelines, and tables that need no single ranges, are made while a log is read. They have the same
# bytes as from a model that holds all ranges, whatever is wrong with the log. Their memory does not
# grow with the log.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
maker=$top_builddir/tests/tools/gen-log
walk=$top_builddir/tests/analyzer/walk
for program in "$analyzer" "$maker" "$walk"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
cd "$temp" || exit 1
mkdir logs held read

# The report "kernels" needs single operations. With it the model holds the ranges for all reports.
reports=ranges,threads,domains,sync,counters,footer

# differ LOG FORM [OPTION...]: prints the differences between the two ways.
differ()
{
	log=$1
	form=$2
	shift 2
	rm -f held/* read/*
	"$analyzer" stats "$log" -r "$reports,kernels" -f "$form" -o held/a "$@" >held/out 2>held/err
	held=$?
	"$analyzer" stats "$log" -r "$reports" -f "$form" -o read/a "$@" >read/out 2>read/err
	[ "$held" = "$?" ] || echo "$log $form $*: exit status $held and another"
	rm -f held/a_kernels.*
	sed -i '/_kernels\./d; s/held/read/g' held/err
	diff -r held read || echo "in $log $form $*"
}

# ---- existing logs ----
for log in "$test_dir"/data/*/*.bin "$test_dir"/fuzz/corpus/*; do
	differ "$log" csv
	differ "$log" json
done >found 2>&1
is_empty "$(head -n 20 found)" "logs of the tests"

# ---- random logs: threads, domains, depth, and every oddity, alone and together ----
# Chunks are short, so that a short log has several. Logs of one name, and the last log, have more
# ranges than medians keep (1024), and than one batch of a walk holds (16384).
seed=0
for odd in unmatched open losses spans marks attrs crossing names backwards unclosed \
	crossing,losses crossing,open crossing,losses,open,backwards,unmatched all all all all attrs unclosed,open; do
	seed=$((seed + 1))
	names=$((seed % 7 * 30 + 1))
	size="--pairs $((1500 + seed * 200)) --rows 400"
	case $seed in
	7 | 14 | 17) size="--pairs $((20000 + seed * 200)) --rows 4000" ;;
	18 | 19) size="--pairs 70000 --rows 9000" ;; # nearly all ranges come in runs (slice-sink.h)
	esac
	if [ "$seed" = 18 ]; then
		names=700 # more names than are watched
	fi
	# shellcheck disable=SC2086 # words
	"$maker" logs/$seed.bin --seed $seed $size --threads $((seed % 4 + 1)) --names $names \
		--domains $((seed % 5 + 1)) --depth $((1 + seed * seed % 40)) --odd "$odd" || echo "gen-log failed"
	differ logs/$seed.bin csv
	differ logs/$seed.bin json --names raw
done >found 2>&1
is_empty "$(head -n 20 found)" "random logs with all that is odd"
for log in logs/*.bin; do
	grep -aoF "$(printf '\301\367rl')" "$log" | wc -l
done >counts
is "$(awk '$1 > 20' counts | wc -l)" "$seed" "they are $seed, of several chunks each"

# ---- the same logs, cut and with changed bytes ----
python3 - logs/*.bin <<'END'
import random
import sys
for number, path in enumerate(sys.argv[1:]):
    source = open(path, "rb").read()
    dice = random.Random(number)
    for kind in range(3):
        data = bytearray(source)
        if kind == 0:
            del data[dice.randrange(200, len(data)):]
        else:
            for _ in range(kind * kind * 2):
                data[dice.randrange(64, len(data))] ^= 1 << dice.randrange(8)
        open(f"{path[:-4]}-{kind}.bin", "wb").write(data)
END
for log in logs/*-?.bin; do
	differ "$log" csv
done >found 2>&1
is_empty "$(head -n 20 found)" "damaged logs"

# ---- ranges that one thread leaves open for long; deep and recursive ones; names with one label
# ----
python3 - >text <<'END'
import random
dice = random.Random(7)
print('capture pid=7 clock="monotonic"\ndef domain id=1 name="D"\ndef stream id=1 tid=7\ndef stream id=2 tid=8')
for stream in (1, 2):
    time, open_ranges = 1000, []
    print(f'event {stream} 0 {time} push name="whole"')
    for i in range(24000):
        time += dice.choice((0, 0, 1, 3, 90, 5000, 1 << 21, 1 << 33 if i % 200 == 0 else 4))
        if open_ranges and (len(open_ranges) > 300 or dice.random() < 0.499):
            domain = open_ranges.pop(dice.choice((-1, -1, -1, -1, max(-2, -len(open_ranges)))))
            print(f'event {stream} 0 {time} pop{domain}')
        else:
            domain = dice.choice(("", "", "", ' domain="D"'))
            name = dice.choice(("fib", "fib", "work", "load", f"step {i % 70}", f"fib({i % 9})"))
            open_ranges.append(domain)
            print(f'event {stream} 0 {time} push name="{name}"{domain}')
        if i % 2400 == 2399:
            print("chunk")
    if stream == 2:
        print(f'event 2 0 {time + 5} pop')
print('end status="clean"')
END
python3 "$test_dir/tools/text-log.py" deep.bin text
for options in "" "--names raw" "--rename s/[0-9]+/N/" "-l 3" "-g domain" "-g path" "--sort calls"; do
	# shellcheck disable=SC2086 # words
	differ deep.bin csv $options
done >found 2>&1
is_empty "$(head -n 20 found)" "long, deep and recursive ranges, with labels"
is "$(grep -c fib read/a_ranges.csv)" 20 "they are there"

# ---- a chunk that ends between losses and their effect on the stack: ranges end at the first loss
# ----
python3 - >text <<'END'
print('capture pid=7 clock="monotonic"\ndef stream id=1 tid=7\nevent 1 0 1000 push name="whole"')
print('event 1 0 1001 push name="inner"')
for i in range(5000):
    print(f'event 1 0 {1010 + 4 * i} push name="work"\nevent 1 0 {1012 + 4 * i} pop')
print('event 1 0 50000 loss lost=3 cause=ring_full span=10\nevent 1 0 60000 loss lost=2 cause=ring_full span=10\nchunk')
print('event 1 0 70000 depth depth=1 min_depth=0\nevent 1 0 80000 push name="work"\nevent 1 0 80001 pop')
print('event 1 0 90000 pop\nend status="clean"')
END
python3 "$test_dir/tools/text-log.py" lost.bin text
differ lost.bin csv >found 2>&1
is_empty "$(cat found)" "losses on the edge of a chunk"
is "$(grep ^inner read/a_ranges.csv | cut -d , -f 7)" 48999 "and ranges end where they began"

# ---- locks: waits that cross ranges, fail, stay open, and occur in several threads; none is held
# ----
python3 - >text <<'END'
import random
dice = random.Random(11)
print('capture pid=7 clock="monotonic"\ndef domain id=1 name="D"\ndef stream id=1 tid=7\ndef stream id=2 tid=8')
print('def sync_object id=5 domain="D" name="lock"')
for stream in (1, 2):
    time, depth = 1000, 0
    for i in range(40000):
        time += dice.choice((1, 3, 90, 5000)) * (1 if i < 15000 else 1000 + i) # medians take a second pass
        what = dice.choice(("push", "push", "pop", "pop", "acquire_start", "acquire_success", "acquire_failed",
                            "releasing", "loss" if i % 900 == 0 else "push", "mark"))
        lock = f'id={dice.choice((5, 5, 6, 7))} domain="D"'
        if what == "push":
            print(f'event {stream} 0 {time} push name="{dice.choice("abc")}"')
        elif what == "pop":
            print(f'event {stream} 0 {time} pop')
        elif what == "mark":
            print(f'event {stream} 0 {time} mark name="m" domain="D"')
        elif what == "loss":
            print(f'event {stream} 0 {time} loss lost=3 cause=ring_full span=2')
        else:
            print(f'event {stream} 0 {time} {what} {lock}')
        if i % 5000 == 4999:
            print("chunk")
print('end status="clean"')
END
python3 "$test_dir/tools/text-log.py" locks.bin text
differ locks.bin csv -g domain >found 2>&1
differ locks.bin csv >>found 2>&1
differ locks.bin json >>found 2>&1
is_empty "$(head -n 20 found)" "waits for locks"
is "$(grep -c ',wait,' held/a_ranges.csv 2>/dev/null || grep -c '"wait"' read/a_ranges.json)" 3 "of three locks"

# ---- samples of counters: numbers stay in the model; with structures the model holds all ranges
# ----
python3 - >text <<'END'
import random
dice = random.Random(13)
print('capture pid=7 clock="monotonic"\ndef domain id=1 name="D"\ndef stream id=1 tid=7\ndef stream id=2 tid=8')
print('def counter id=16777216 name="used"\ndef counter id=16777217 domain="D" name="free"')
for stream in (1, 2):
    time = 1000
    for i in range(20000):
        time += dice.choice((1, 3, 90, 5000)) * (1 if i < 9000 else 1000 + i)
        counter = dice.choice(('id=16777216', 'id=16777217 domain="D"'))
        what = dice.choice(('push name="a"', 'push name="b"', "pop", "pop", f"sample {counter} payload=i64:{i}",
                            f"sample {counter} payload=double:{dice.random()}", f"no_sample {counter} payload=u64:1"))
        print(f'event {stream} 0 {time} {what}')
        if i % 5000 == 4999:
            print("chunk")
print('end status="clean"')
END
python3 "$test_dir/tools/text-log.py" samples.bin text
differ samples.bin csv >found 2>&1
differ samples.bin json >>found 2>&1
sed '$d' text >events
cat >>events <<'END'
event 2 0 999000000 sample id=16777216 data=[6,4,0,b"\x09\0\0\0"]
end status="clean"
END
python3 "$test_dir/tools/text-log.py" structures.bin events
differ structures.bin csv >>found 2>&1
is_empty "$(head -n 20 found)" "samples of counters"
is "$(cut -d , -f 1 read/a_counters.csv | sort | uniq -c | tr -s '\n ' ' ')" " 1 counter 1 free 1 used " "of two counters"

# ---- outputs of the same logs, made from parts of threads ----
"$walk" "$test_dir"/data/*/*.bin "$test_dir"/fuzz/corpus/* >found 2>&1
is "$(grep -v ^held found)" "" "outputs of the tests' logs"
for log in logs/*.bin; do
	case $log in
	logs/7-?.bin | logs/1[4789]-?.bin) continue ;; # large: the others are damaged in the same ways
	esac
	"$walk" "$log" || echo "exit $?: $log"
done >found 2>&1
is "$(grep -v ^held found)" "" "outputs of random logs, and of damaged ones"
is_empty "$(grep held found)" "none of which is held"
"$walk" deep.bin lost.bin >found 2>&1
is_empty "$(cat found)" "outputs of long, deep and recursive ranges, and of losses"
"$walk" locks.bin >found 2>&1
is_empty "$(cat found)" "outputs of waits for locks"

# ---- pages: only large logs are not held ----
"$walk" --page "$test_dir"/data/*/*.bin logs/*.bin >found 2>&1
is "$(grep -v ^streamed found)" "" "pages of the tests' logs, of random logs, and of damaged ones"
is "$(grep -c '^streamed logs/[0-9]*.bin' found)" "$seed" "of which the random ones are streamed"
"$walk" --page deep.bin lost.bin locks.bin samples.bin structures.bin >found 2>&1
is "$(cat found)" "$(printf 'streamed %s.bin\n' deep lost locks samples)" \
	"pages of long, deep and recursive ranges, of losses, waits for locks, and samples of counters"
python3 - >text <<'END'
import random
import struct
dice = random.Random(17)
def text(data):
    return "".join(f"\\x{byte:02x}" for byte in data)
print('capture pid=7 clock="monotonic"\ndef domain id=1 name="D"\ndef stream id=1 tid=7\ndef stream id=2 tid=8')
for stream in (1, 2):
    time = 1000
    for i in range(60000):
        time += dice.choice((1, 3, 90, 5000))
        name = dice.choice(("reduce", "gather", "send")) if i > 20000 else "send"
        data = (f'[[18,8,0,b"{text(struct.pack("<d", dice.random() * 1e9))}"]]' if name == "send" else
                f'[[76,3,0,b"{dice.choice(("yes", "not", "may"))}"]]')
        what = ("push", "pop", "mark", "pop")[i % 4 if i % 8 != 5 else 0]
        print(f'event {stream} 0 {time} {what} domain="D"' + (f' name="{name}"' if what != "pop" else "") +
              (f" data={data}" if what != "pop" and dice.random() < 0.3 else ""))
        if i % 5000 == 4999:
            print("chunk")
print('end status="clean"')
END
python3 "$test_dir/tools/text-log.py" payloads.bin text
"$walk" --page payloads.bin >found 2>&1
is "$(cat found)" "streamed payloads.bin" "and of payloads of ranges and marks"
is "$("$analyzer" stats payloads.bin -r payload -f csv | grep -c '^send,D,payload,[0-9]*,[0-9]\|^[rg][a-z]*,D,payload,[0-9]*,,,')" 3 \
	"whose sums and texts are there"

# ---- the summary of logs with steps: these logs are held unless they are large ----
summaries=${RANGES_TEST_STREAM_SUMMARIES:-4}
i=0
for odd in "" "--odd spans,open" "--odd losses,crossing,unmatched" "--odd names"; do
	i=$((i + 1))
	[ "$i" -gt $((4 - summaries)) ] || continue
	# shellcheck disable=SC2086 # words
	"$maker" steps.bin --pairs 530000 --threads $((2 * i - 1)) --domains $((5 - i)) --steps $((i * i * 500)) --seed $i \
		--depth $((i * 3)) $odd || echo "gen-log failed"
	"$walk" --summary steps.bin || echo "exit $?: $odd"
	"$walk" --page steps.bin || echo "exit $?: $odd"
done >found 2>&1
is "$(cat found)" "$(yes "streamed steps.bin" | head -n $((2 * summaries)))" "summaries and pages of large logs with steps"
python3 - >text <<'END'
print('capture pid=7 clock="monotonic"\ndef stream id=1 tid=6\ndef stream id=2 tid=7\ndef stream id=3 tid=8')
print('event 1 0 1000 mark name="no range in the first thread"')
for stream in (2, 3):
    time = 1000
    for i in range(140000):
        time += 1 + i * 7919 % 13
        if stream == 2 and i % 20000 == 0:
            print(f'event 2 0 {time} step id={i // 20000}')
        name = ("load_batch", "work", f"step {i}", "nccl:all_reduce")[i % 4 if i % 500 < 4 else 1]
        print(f'event {stream} 0 {time} push name="{name}"\nevent {stream} 0 {time + 1} push name="x"')
        time += 2
        print(f'event {stream} 0 {time} pop\nevent {stream} 0 {time + 1} pop')
        if i % 5000 == 4999:
            print("chunk")
print('end status="clean"')
END
python3 "$test_dir/tools/text-log.py" reported.bin text
"$walk" --summary reported.bin >found 2>&1
"$walk" --page reported.bin >>found 2>&1
is "$(cat found)" "$(printf 'streamed reported.bin\n%.0s' 1 2)" "and of one whose program reports its steps, reads input and communicates"
is "$("$analyzer" reported.bin | grep -c '^Steps: 7, ')" 1 "which are seven"

# ---- outputs of plain logs, which are written during the first reading ----
# Those with everything are larger, of 400 chunks.
i=0
for odd in open marks attrs names unclosed open,marks,attrs,unclosed; do
	pairs=${RANGES_TEST_STREAM_PAIRS:-25000}
	[ -n "${odd##*,*}" ] || pairs=$((pairs * 4))
	for shape in "--depth 9" "--steps 10000" "--steps 2000 --depth 60" "--domains 4"; do
		i=$((i + 1))
		# shellcheck disable=SC2086 # words
		"$maker" once-$i.bin --pairs "$pairs" --threads 8 --rows 500 --seed $i --open --odd $odd $shape || echo "gen-log failed"
	done
done >found 2>&1
"$walk" --once once-*.bin >>found 2>&1
is "$(grep -v '^once' found)" "" "outputs of plain logs, with ranges that are open for long"
is "$(grep -c '^once' found)" "$i" "which the first reading writes"

# The headers of another log wrongly claim that it is plain: the written output is dropped.
"$maker" not.bin --pairs 100000 --threads 8 --rows 500 --steps 10000
python3 - not.bin said.bin <<'END'
import struct
import sys
import zlib
data = bytearray(open(sys.argv[1], "rb").read())
at = 0
while data[at:at + 4] == b"\xc1\xf7rl":
    flags, stored = struct.unpack_from("<H", data, at + 10)[0], struct.unpack_from("<I", data, at + 24)[0]
    if data[at + 9] == 4:
        struct.pack_into("<H", data, at + 10, flags | 512 | 2048)
        struct.pack_into("<I", data, at + 60, zlib.crc32(data[at:at + 60]))
    at += 64 + stored
open(sys.argv[2], "wb").write(data)
END
"$walk" --once said.bin >found 2>&1
is_empty "$(cat found)" "a plain log that does not keep what its headers say is read again"
mkdir made piped
for kind in perfetto pftrace; do
	"$analyzer" said.bin -o made/- --to $kind || echo "exit $?"
	"$analyzer" said.bin -o - --to $kind >piped/-
	diff -r made piped
done >found 2>&1
is_empty "$(cat found)" "to the same file, with no other left behind"

# ---- memory ----
sqlite=
if [ "${SANITIZERS:-no}" = no ] && ! echo "${LOG_COMPILER:-}" | grep -q valgrind; then
	"$analyzer" lost.bin -o lost.sqlite 2>err && sqlite=yes
	# What grows by a few bytes a range exceeds the limits.
	"$maker" large.bin --pairs 1500000 --threads 3 --depth 5 --names 3 --odd attrs,marks
	peak()
	{
		python3 - "$@" <<'END'
import os
import subprocess
import sys
# Each thread takes memory of its own (test-jobs). So there are two, on any machine.
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss if status == 0 else f"exit {status}")
END
	}
	diag "a log of $(stat -c %s large.bin) bytes, 3 million events"
	"$maker" steps.bin --pairs 1500000 --threads 3 --depth 9 --steps 5000
	kilobytes=$(peak "$analyzer" steps.bin)
	diag "the summary, with steps: $kilobytes KiB"
	[ "$kilobytes" -le 32768 ]
	ok $? "the summary of a log with steps: at most 32 MiB of memory"
	rm steps.bin
	for command in "" "stats -r ranges" "stats -r threads,domains,footer" "stats -r counters" info verify "dump --slices" \
		"stats -r ranges,threads -g path" "-o large.folded" "-o large.speedscope.json" \
		"-o large.json" "-o large.pftrace" "-o large.events.jsonl" ${sqlite:+"-o large.sqlite"}; do
		# shellcheck disable=SC2086 # words
		kilobytes=$(peak "$analyzer" $command large.bin)
		diag "${command:-the summary}: $kilobytes KiB"
		[ "$kilobytes" -le 24576 ]
		ok $? "${command:-the summary}: at most 24 MiB of memory"
	done
	rm -f large.folded large.speedscope.json large.json large.pftrace large.events.jsonl large.sqlite
	kilobytes=$(peak "$analyzer" -o large.html large.bin)
	diag "a page: $kilobytes KiB"
	[ "$kilobytes" -le 36864 ]
	ok $? "a page: at most 36 MiB of memory"
	rm -f large.html
	kilobytes=$(peak "$analyzer" stats large.bin -r ranges,kernels -f csv)
	diag "held: $kilobytes KiB"
	[ "$kilobytes" -gt 65536 ]
	ok $? "which a model that holds the ranges exceeds"
	rm large.bin
else
	skip "memory of tables, info and verify" "a sanitizer takes it"
	skip "a model exceeds it" "a sanitizer takes it"
fi
done_testing

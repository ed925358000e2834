#!/bin/sh
# SPDX-License-Identifier: MIT
# stats says since which call and step the slowest rank is slow.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

# log RANK SLOW: writes a log of 40 steps of compute, wait and load. A SLOW rank takes twice as long
# in compute from step 25 on, and ten times as long once, in step 5. Its load gets shorter.
log()
{
	python3 - "$1" "$2" <<'PY' | python3 "$test_dir/tools/text-log.py" "$temp/in/$1.bin"
import random, sys
rank, slow = (int(word) for word in sys.argv[1:])
random.seed(rank)
print('capture pid=%d clock="monotonic" rank=%d\ndef stream id=1 tid=7 name="main"' % (100 + rank, rank))
row, time = 0, 1000
def event(what):
    global row
    print("event 1 %d %d %s" % (row, time, what))
    row += 1
for step in range(40):
    event('push name="step"')
    compute = 10000 * (10 if slow and step == 5 else 2 if slow and step >= 25 else 1)
    for name, ns in ("compute", compute), ("wait", 30000), ("load", 500 if slow and step >= 25 else 5000):
        event('push name="%s"' % name)
        time += int(ns * random.uniform(0.95, 1.05))
        event("pop")
    event("pop")
    time += 100
print('end status="clean"')
PY
}

mkdir "$temp/in"
for rank in 0 1 2 3; do
	log $rank $((rank == 2))
done
# since OPTION...: prints name, slowest rank, and since which call and step
since()
{
	"$analyzer" stats "$@" -f csv 2>/dev/null | cut -d, -f1,23-25 | sort
}

expected="compute,rank 2,25,25
load,rank 0,,
name,slowest,since_call,since_step
step,rank 2,,
wait,rank 0,,"
is "$(since "$temp/in" -r ranges --step-range step)" "$expected" "the slowest rank, and since when"
is "$("$analyzer" stats "$temp/in" -r ranges --step-range none -f csv 2>/dev/null | awk -F, '$1 == "compute" { print $24 "," $25 "," ($26 > 1.9 && $26 < 2.1) }')" \
	"25,,1" "without steps the call is told, and the medians' ratio"
"$analyzer" batch "$temp/in" -o "$temp/out" --step-range step >/dev/null
is "$(since "$temp/out/summary.sum" -r ranges)" "$expected" "a summary says so, too"
for shard in 1 2; do
	"$analyzer" batch "$temp/in" -o "$temp/s$shard" --step-range step --shard $shard/2 >/dev/null
done
"$analyzer" merge "$temp/s2" "$temp/s1" -o "$temp/all.sum"
cmp -s "$temp/all.sum" "$temp/out/summary.sum"
ok $? "shards give the same bytes"
is "$("$analyzer" stats "$temp/in" -r ranges --by rank -f csv 2>/dev/null |
	awk -F, 'NR > 1 && $NF != "" { print $1, $4, $(NF - 2) }' | sort)" "compute rank 2 25" "--by rank says it of each"
is "$("$analyzer" stats "$temp/in" -r ranges --step-range none -w 0 2>/dev/null | sed -n '1p' | grep -c 'Since call  Then/before$')" 1 \
	"people see what is there"

# Calls of two threads, in the order of time; fewer than 18 calls.
python3 - <<'PY' | python3 "$test_dir/tools/text-log.py" "$temp/threads.bin"
print('capture pid=1 clock="monotonic" rank=0\ndef stream id=1 tid=7\ndef stream id=2 tid=8')
rows = {1: 0, 2: 0}
for call in range(50):
    for name, calls in ("both", 50), ("few", 17):
        stream = 1 + call % 2
        if call < calls:
            at = 1000 + 5000 * call + (2500 if name == "few" else 0)
            print('event %d %d %d push name="%s"' % (stream, rows[stream], at, name))
            print('event %d %d %d pop' % (stream, rows[stream] + 1, at + (900 if call >= (31 if calls == 50 else 8) else 300)))
            rows[stream] += 2
print('end status="clean"')
PY
cp "$temp/in/0.bin" "$temp/other.bin"
is "$(since "$temp/threads.bin" "$temp/other.bin" -r ranges | grep '^[bf]')" "both,rank 0,31,
few,rank 0,," "calls of several threads count in the order of time; few calls show nothing"

# For any durations the cut is where the definition puts it. Noise has no cut.
python3 - "$temp/expected" <<'PY' | python3 "$test_dir/tools/text-log.py" "$temp/many.bin"
import random, statistics, sys
random.seed(11)
print('capture pid=1 clock="monotonic" rank=0\ndef stream id=1 tid=7')
time = row = 0
with open(sys.argv[1], "w") as expected:
    for name in range(200):
        word = "".join(chr(97 + int(digit)) for digit in "%03d" % name)  # numbers would share a row
        n = random.randrange(10, 90)
        cut, more = random.randrange(1, n), random.choice([1, 1, 1.3, 1.6, 2, 3])
        # below 128 ns a duration has a bucket of its own
        series = [int(random.randrange(15, 40) * (more if call >= cut else 1)) for call in range(n)]
        for dur in series:
            print('event 1 %d %d push name="%s"' % (row, time, word))
            print("event 1 %d %d pop" % (row + 1, time + dur))
            row, time = row + 2, time + dur + 10
        ordered = sorted(series)
        twice = {dur: 2 * ordered.index(dur) + ordered.count(dur) + 1 for dur in series}
        best, at, u = 0, 0, 0
        for t in range(1, n):
            u += twice[series[t - 1]] - (n + 1)
            if u < 0 and u * u / (t * (n - t)) > best * (1 + 1e-12):
                best, at = u * u / (t * (n - t)), t
        before, after = (sorted(part)[(len(part) - 1) // 2] for part in (series[:at], series[at:])) if at else (1, 0)
        if n < 18 or 3 * best / (n + 1) < 3.5 ** 2 or 4 * after < 5 * before:
            at = ""
        print("%s,%s" % (word, at), file=expected)
print('end status="clean"')
PY
"$analyzer" stats "$temp/many.bin" "$temp/other.bin" -r ranges -f csv 2>/dev/null | cut -d, -f1,24 |
	grep '^[a-j][a-j][a-j],' | sort >"$temp/cuts"
is "$(diff "$temp/cuts" "$temp/expected")" "" "200 ranges of random durations: the cuts of the definition"
is "$(($(grep -c ',[0-9]' "$temp/cuts") > 40 && $(grep -c ',$' "$temp/cuts") > 100))" 1 "some have one, others none"
done_testing

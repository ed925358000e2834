#!/bin/sh
# SPDX-License-Identifier: MIT
# Which push a pop closes, and which start an end closes. On random logs the result equals that of a
# second computation, which follows doc/metrics.md alone.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the logs, is missing"

# Prints the log as text, and writes the ranges and counts that it should have into OUT.
cat >"$temp/make.py" <<'PY'
import collections, json, random, sys

seed, out = int(sys.argv[1]), sys.argv[2]
rng = random.Random(seed)
threads, domains = range(1, 6), range(6)
print('capture pid=1 clock="monotonic"\nclock ticks=0 mono=0 real=0 boot=0 err=0')
for s in threads:
    print(f"def stream id={s} tid={s}")
for d in domains[1:]:
    print(f'def domain id={d} name="d{d}"')
rows = {s: [] for s in threads}
stacks = collections.defaultdict(list)
starts, ends, ranges = {}, [], []
now = unmatched = ids = 0
for _ in range(12000):
    now += rng.randint(1, 5)
    s, d, name, kind = rng.choice(threads), rng.choice(domains), f"n{rng.randint(1, 9)}", rng.random()
    if kind < .45:
        rows[s].append(f'{now} push name="{name}" domain={d}')
        stacks[s, d].append((name, now))
    elif kind < .9:
        rows[s].append(f"{now} pop domain={d}")
        if stacks[s, d]:
            opened, since = stacks[s, d].pop()
            ranges.append(("X", opened, d, since, now - since))
        else:
            unmatched += 1
    elif kind < .95:
        ids += 1
        starts[ids] = (name, d, now)
        rows[s].append(f'{now} start name="{name}" id={ids} domain={d}')
    else:  # any id: open, closed already, or unknown
        which = rng.randint(1, ids + 5)
        rows[s].append(f"{now} end id={which} domain={rng.choice(domains)}")
        ends.append((now, which))
surplus, early = 0, set()
for when, which in ends:  # by time
    if which in starts and starts[which][2] <= when:
        name, d, since = starts.pop(which)
        ranges.append(("b", name, d, since, when - since))
    else:
        surplus += 1
        early |= {which}
for which in early & set(starts):  # it ended before it began: it ends where it began
    name, d, since = starts.pop(which)
    ranges.append(("b", name, d, since, 0))
    surplus -= 1
for s in threads:
    for i, text in enumerate(rows[s]):
        print("event", s, i, text)
        if i % 500 == 499:
            print("chunk")
counts = {"unmatched_pops": unmatched, "unmatched_ends": surplus,
          "open_ranges": sum(map(len, stacks.values())) + len(starts)}
json.dump([counts, sorted(ranges)], open(out, "w"))
PY

# Prints the differences between the analyzer's result for LOG and WANTED.
cat >"$temp/compare.py" <<'PY'
import json, subprocess, sys

analyzer, log, wanted = sys.argv[1:]
run = lambda *words: json.loads(subprocess.run([analyzer, *words], stdout=subprocess.PIPE, check=True).stdout)
counts, ranges = json.load(open(wanted))
footer = run("stats", log, "--format", "json")["footer"]
for key, count in counts.items():
    if footer[key] != count:
        print(key, "is", footer[key], "and should be", count)
ns = lambda us: round(us * 1000)
begun, got = {}, []
for event in run(log, "-o", "-")["traceEvents"]:
    args = event.get("args", {})
    domain = int(args.get("domain", "d0")[1:])
    if event["ph"] == "X" and "open" not in args:
        got.append(["X", event["name"], domain, ns(event["ts"]), ns(event["dur"])])
    elif event["ph"] == "b" and "open" not in args:
        begun[event["id2"]["local"]] = ["b", event["name"], domain, ns(event["ts"])]
    elif event["ph"] == "e" and event["id2"]["local"] in begun:
        half = begun[event["id2"]["local"]]
        got.append(half + [ns(event["ts"]) - half[3]])
if sorted(got) != ranges:
    print(len(got), "ranges, should be", len(ranges))
    print(*[row for row in sorted(got) if row not in ranges][:5], sep="\n")
PY

for seed in 1 2 3; do
	python3 "$temp/make.py" $seed "$temp/wanted" |
		python3 "$top_srcdir/tests/tools/text-log.py" "$temp/log.bin"
	is_empty "$(python3 "$temp/compare.py" "$analyzer" "$temp/log.bin" "$temp/wanted")" \
		"5 threads, 6 domains, ends on any thread: every pair is right (seed $seed)"
done
done_testing

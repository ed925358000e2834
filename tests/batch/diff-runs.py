# SPDX-License-Identifier: MIT
"""Makes runs of a program whose work varies, and traces that are slower in known parts.

diff-runs.py runs TEXT-LOG FOLDER SEED RUNS [KEY=VALUE...]: writes FOLDER/run-N.bin. Keys: items
(60); sort, all: their time in percent of the usual (100); noise: of a call (3), run: of a row of a
run (0.7), machine: of all rows of a run (0), in per cent; missing: calls that are left out, in per
cent; random=1: other work in each run; ranks: the number of a run's files, each in a folder of its
own; twice: percent of the calls of sort that take twice as long; instructions: they are counted,
too, 3 a ns of the usual time, and for sort this percentage of that (0: not).
diff-runs.py loader TRACE OUT MS: PyTorch's trace with MS more in each DataLoader.
diff-runs.py kernel TRACE OUT PERCENT: the kernel with the most time takes PERCENT longer; later
work on its stream waits.
"""
import bisect
import collections
import gzip
import json
import math
import os
import random
import subprocess
import sys

ROWS = {"parse": 900000, "sort": 700000, "compress": 400000, "multiply": 300000, "write": 150000}


def make_run(chance, sizes, options, rank):
    lines = ['capture pid=%d clock="monotonic"%s' % (1 + rank, " rank=%d" % rank if options["ranks"] else "")]
    if options["instructions"]:
        lines[0] += ' counts="instructions"'
    lines.append('def stream id=1 tid=7 name="main"')
    level = {name: options["all"] / 100 * math.exp(chance.gauss(0, options["run"] / 100)) for name in ROWS}
    if options["machine"]:
        speed = math.exp(chance.gauss(0, options["machine"] / 100))
        level = {name: times * speed for name, times in level.items()}
    level["sort"] *= options["sort"] / 100
    now = 1000
    done = 1000
    vary = random.Random(now + len(lines) + int(chance.random() * 1e9) if options["instructions"] else 0)

    def event(what):
        lines.append("event 1 %d %d %s%s" % (len(lines), now, what, " count1=%d" % done if options["instructions"] else ""))

    for item in range(int(options["items"])):
        event('push name="item"')
        for name, ns in ROWS.items():
            if chance.random() * 100 < options["missing"]:
                continue
            size = sizes[item] if not options["random"] else math.exp(chance.gauss(0, 0.4))
            times = 2 if name == "sort" and chance.random() * 100 < options["twice"] else 1
            event('push name="%s"' % name)
            now += int(ns * size * level[name] * times * math.exp(chance.gauss(0, options["noise"] / 100)))
            if options["instructions"]:
                more = options["instructions"] / 100 if name == "sort" else 1
                done += int(3 * ns * size * more * math.exp(vary.gauss(0, 0.0005)))
            event("pop")
        now += 2000
        done += 5000
        event("pop")
        now += 1000
    return "\n".join(lines + ['end status="clean"', ""])


def write_runs(text_log, folder, seed, runs, *words):
    options = {"items": 60, "sort": 100, "all": 100, "noise": 3, "run": 0.7, "machine": 0, "instructions": 0, "missing": 0, "random": 0, "ranks": 0, "twice": 0}
    options.update((key, float(value)) for key, value in (word.split("=") for word in words))
    common = random.Random(1)
    sizes = [math.exp(common.gauss(0, 0.4)) for _ in range(int(options["items"]))]
    chance = random.Random(int(seed))
    for run in range(int(runs)):
        for rank in range(int(options["ranks"]) or 1):
            name = "run-%d/rank-%d.bin" % (run, rank) if options["ranks"] else "run-%d.bin" % run
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            subprocess.run([sys.executable, text_log, path], input=make_run(chance, sizes, options, rank), text=True, check=True)


def read(path):
    with gzip.open(path) as stream:
        return json.load(stream)


def is_gpu(event):
    return event.get("cat", "").lower() in ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")


def lengthen_loader(path, out, ms):
    trace = read(path)
    events = trace["traceEvents"]
    ends = sorted(event["ts"] + event["dur"] for event in events if "DataLoader" in str(event.get("name", "")) and "dur" in event)

    def shift(time):
        return float(ms) * 1000 * bisect.bisect_left(ends, time)

    for event in events:
        if "ts" in event:
            begin = event["ts"] + shift(event["ts"] - 0.5)
            if "dur" in event and not is_gpu(event):
                end = event["ts"] + event["dur"]
                event["dur"] = end + shift(end + 0.5) - begin
            event["ts"] = begin
    with open(out, "w") as stream:
        stream.write(json.dumps(trace)) # which is much faster than dump()


def lengthen_kernel(path, out, percent):
    trace = read(path)
    sums, queues = collections.Counter(), collections.defaultdict(list)
    for event in trace["traceEvents"]:
        if is_gpu(event) and "dur" in event:
            queues[event["pid"], event["tid"]].append(event)
            sums[event["name"]] += event["dur"] * (event["cat"].lower() == "kernel")
    name = sums.most_common(1)[0][0]
    for queue in queues.values():
        end = -1
        for event in sorted(queue, key=lambda event: event["ts"]):
            if event["name"] == name:
                event["dur"] *= 1 + float(percent) / 100
            event["ts"] = max(event["ts"], end)
            end = event["ts"] + event["dur"]
    with open(out, "w") as stream:
        stream.write(json.dumps(trace)) # which is much faster than dump()
    print(name)


{"runs": write_runs, "loader": lengthen_loader, "kernel": lengthen_kernel}[sys.argv[1]](*sys.argv[2:])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the reports on GPUs with a second, slow computation: gpu-sums.py ANALYZER FOLDER
tidy|wild|hostile LOGS

Makes random logs with text-log.py beside it, has the analyzer make all reports of each, and prints what is
wrong. Tidy logs have one tree of ranges per thread and a call for each operation; in wild ones ranges cross,
stay open, begin and end in losses, durations are 0, calls are missing, and clocks disagree. Hostile ones have numbers at the limits of
their types: there is nothing to compare, but sanitizers see what overflows.
"""
import collections
import json
import os
import random
import re
import runpy
import subprocess
import sys


def make(seed, wild):
    """A log as lines of text."""
    r, lines = random.Random(seed), []

    def put(*words):
        lines.extend(" ".join(map(str, words)).split("\n"))

    put('capture pid=7 clock="monotonic"\ndef domain id=1 name="other"')
    for thread in (1, 2, 3):
        put(f'def stream id={thread} tid={20 + thread}')
    put('def stream id=9 parent=1 name="GPU"')
    for device in (0, 1):
        put(f'def device id={device} name="D{device}" detail=[9,0,{4 + device},32,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]')
    for shape in (1, 2, 3):
        grid, block, shared = r.randint(1, 12), 32 * r.randint(1, 32), r.choice((0, 40000, 100000))
        put(f'def launch_shape id={shape} detail=[{grid},1,1,{block},1,1,0,0,0,{r.randint(16, 64)},0,{shared},0,0,0,0]')
    end = 1000
    for thread in (1, 2, 3):
        at, depth, ids = 1000 + r.randint(0, 50), 0, []
        for _ in range(r.randint(0, 120)):
            at += r.choice((0, 1, r.randint(1, 60)))
            what = r.random()
            if wild and what < 0.06:
                put(f'event {thread} 0 {at} start name="span{r.randint(0, 2)}" id={thread * 1000 + len(ids)}')
                ids.append(thread * 1000 + len(ids))
            elif wild and what < 0.1 and ids:
                put(f'event {thread} 0 {at} end id={ids.pop(r.randrange(len(ids)))}')
            elif wild and what < 0.13:
                left = r.randint(0, depth + 1)
                put(f'event {thread} 0 {at} loss lost={r.randint(1, 9)} cause=ring_full span={r.randint(0, 30)}')
                put(f'event {thread} 0 {at} depth depth={left} min_depth={r.randint(0, left)}')
                depth = left
            elif what < 0.57 and depth < 6:
                domain = ' domain="other"' if wild and r.random() < 0.4 else ""
                put(f'event {thread} 0 {at} push name="r{r.randint(0, 4)}"{domain}')
                depth += 1
            elif depth > 0 or wild:
                domain = ' domain="other"' if wild and r.random() < 0.4 else ""
                put(f'event {thread} 0 {at} pop{domain}')
                depth = max(0, depth - 1)
        while depth > 0 and not wild:
            at += r.randint(0, 20)
            put(f'event {thread} 0 {at} pop')
            depth -= 1
        end = max(end, at)
    corr = 0
    for _ in range(r.randint(1, 80)):
        corr += 1
        at = r.randint(1000, end + 20)
        if not wild or r.random() < 0.9:
            put(f'event 9 0 {at} api name="f{r.randint(0, 2)}" dur={r.randint(0, 9)} tid={r.randint(21, 24)} corr={corr} kind=1')
            if r.random() < 0.3:
                put(f'event 9 0 {at + 1} api name="driver" dur=1 tid=21 corr={corr} kind=2')
        for _ in range(r.choice((1, 1, 1, 0, 3))):
            start = at + r.randint(-20 if wild else 0, 300)
            queue = r.randint(1, 4)
            where = f"device={queue % 2} context={1 + queue % 2} queue={queue} corr={corr}"
            dur = r.choice((0, r.randint(1, 9), r.randint(1, 90))) if wild else r.randint(1, 60)
            put("event 9 0", start, r.choice((
                f'kernel name="k{r.randint(0, 3)}" dur={dur} {where}' + r.choice(("", f" shape={r.randint(1, 3)}")),
                f'kernel name="k{r.randint(0, 3)}" dur={dur} {where} shape={r.randint(1, 3)}',
                f'copy dur={dur} {where} kind={r.choice((1, 2, 8))} bytes={r.randint(0, 999)}',
                f'set dur={dur} {where} kind=3 bytes={r.randint(0, 999)}',
                f'graph_launch dur={dur} {where} graph={r.randint(1, 2)}')))
    put(f'event 1 0 {end + r.randint(0, 500)} mark name="end"\nend status="clean"')
    return lines


def make_hostile(seed):
    """A log whose numbers are as large as possible."""
    r = random.Random(seed)
    large = [0, 1, 2, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 1]

    def number():
        return r.choice(large) if r.random() < 0.6 else r.randint(0, 5000)

    lines = ['capture pid=7 clock="monotonic"', "def stream id=1 tid=7", 'def stream id=3 parent=1 name="GPU"',
             f'def device id=0 name="d" detail=[{",".join(str(number()) for _ in range(16))}]',
             'def device id=1 name="d" detail=[9,0,100,32,64,32,1024,65536,65536,233472,49152,232448,1024,0,0,0]',
             f'def launch_shape id=1 detail=[{",".join(str(number()) for _ in range(16))}]',
             f'def launch_shape id=2 detail=[{",".join(str(r.choice((1, 64, 2**32 - 1))) for _ in range(16))}]']
    for i in range(20):
        what = r.choice(('push name="a"', "pop", 'start name="s" id=1', "end id=1"))
        lines.append(f"event 1 0 {1000 + i * 50} {what}")
    for _ in range(60):
        at = r.choice((0, 2**60, 2**61 - 1, 2**62, r.randint(0, 3000), r.randint(0, 3000), r.randint(0, 3000)))
        dur, corr = number(), r.randint(1, 9)
        what = r.choice((
            f'api name="f" dur={dur} tid=7 corr={corr} kind=1',
            f'kernel name="k" dur={dur} device={number()} context={number()} queue=1 corr={corr} shape=1 graph={number()}',
            f'kernel name="k" dur={dur} device=1 context=5 queue=1 corr={corr} shape=2',
            f'copy dur={dur} context=1 queue=1 corr={corr} kind={number()} bytes={number()}',
            f'gpu_sync dur={dur} context={number()} queue={number()} corr={corr} kind={number()}',
            f'memory kind={r.randint(1, 2)} bytes={number()} addr={number()} device={number()} src={number()}',
            f'overhead dur={dur} kind={number()} tid=7'))
        lines.append(f"event 3 0 {at} {what}")
    return lines + ['end status="clean"']


def check(text, data, wild):
    """The faults in the reports of a log."""
    apis, calls, ops, ranges, stacks, times, shapes = {}, [], [], [], collections.defaultdict(list), [], {}
    for line in text:
        word = line.split()
        field = {key: value.strip('"') for key, value in re.findall(r'(\w+)=("[^"]*"|\S+)', line)}
        if word[0:2] == ["def", "launch_shape"]:
            detail = json.loads(field["detail"])
            shapes[field["id"]] = detail[0] * detail[1] * detail[2]
        if word[0] != "event":
            continue
        thread, at, what, dur = int(word[1]), int(word[3]), word[4], int(field.get("dur", 0))
        stack = stacks[thread]
        if thread != 9:
            times.append(at + int(field.get("span", 0)))
        if what == "push":
            ranges.append(dict(name=field["name"], tid=20 + thread, start=at, up=stack[-1] if stack else None))
            stack.append(len(ranges) - 1)
        elif what == "pop" and stack:
            ranges[stack.pop()]["end"] = at
        elif what == "api" and field["kind"] == "1":
            apis.setdefault(field["corr"], (int(field["tid"]), at, dur))
            calls.append((int(field["tid"]), at, dur))
        elif what == "api":
            calls.append((int(field["tid"]), at, dur))
        elif what in ("kernel", "copy", "set", "graph_launch"):
            times.append(at + dur)
            ops.append(dict(start=at, end=at + dur, dur=dur, what=what, device=int(field["device"]), queue=int(field["queue"]),
                            api=apis.get(field["corr"]), corr=field["corr"], blocks=shapes.get(field.get("shape"), 0)))
    first = min(int(line.split()[3]) for line in text if line.startswith("event ") and line.split()[1] != "9")
    table = data["reports"]
    figures = data["footer"].get("gpu")
    wrong = []
    def same(what, got, right):
        if got != right:
            wrong.append(f"{what}: {got}, not {right}")
    def total(report, column):
        return sum(row[column] or 0 for row in table[report])
    def walk(where, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{where}.{key}", inner)
        elif isinstance(value, list):
            for inner in value:
                walk(where, inner)
        elif isinstance(value, (int, float)) and value < 0 and not re.search(r"\.([a-z_]*start_ns|first_ns|last_ns|peak_time_ns)$", where):
            wrong.append(f"{where} is {value}")
        elif isinstance(value, float) and value > 1.0000005 and where.endswith("_share") and "cpu_total" not in where:
            wrong.append(f"{where} is {value}")
    walk("", data)
    def union(parts):
        busy, until = 0, -1 << 62
        for start, end in sorted(parts):
            busy += max(0, end - max(start, until))
            until = max(until, end)
        return busy
    if not ops: # no columns for the GPU then
        return wrong
    spent = collections.Counter()
    for op in ops:
        spent[op["what"]] += op["dur"]
    gpu = sum(spent.values())
    same("footer", figures["time_ns"], gpu)
    same("Self CUDA of ranges", total("ranges", "self_cuda_ns"), gpu)
    same("kernels", total("kernels", "total_ns"), spent["kernel"])
    same("copies and sets", total("memcpy", "total_ns"), spent["copy"] + spent["set"])
    same("all by kind", total("kernels", "total_ns") + total("memcpy", "total_ns") + total("devices", "graph_ns"), gpu)
    same("graphs", total("graphs", "total_ns"), spent["graph_launch"])
    for kind, what in (("kernel", "kernel"), ("memcpy", "copy"), ("memset", "set"), ("graph", "graph_launch")):
        same("devices: " + kind, total("devices", kind + "_ns"), spent[what])
    same("operations", [len(ops)] * 2, [total("devices", "operations"), total("launch-sum", "calls") + total("launch-sum", "no_call")])
    same("run", total("launch-sum", "run_ns"), sum(o["dur"] for o in ops if o["api"]))
    same("total", total("launch-sum", "total_ns"), sum(total("launch-sum", part + "_ns") for part in ("launch", "queue", "run")))
    same("breakdown", [total("breakdown", "sum_ns"), total("breakdown", "calls")], [gpu, len(ops)])
    used = {id(o["api"]): o["api"][2] for o in ops if o["api"]}
    same("calls count once", total("launch-sum", "api_calls"), len(used))
    same("launches are in calls", total("launch-sum", "launch_ns") <= sum(used.values()), True)
    same("no call", total("launch-outliers", "no_call"), total("launch-sum", "no_call"))
    outside = [row for row in table["ranges"] if row["name"] == "(outside any range)"]
    same("outside", outside[0]["self_cuda_ns"] if outside else 0, gpu - figures["attributed_ns"])
    same("by rule", sum(figures["by_rule_ns"].values()), gpu)
    for row in table["ranges"]:
        if row["self_cuda_ns"] > row["cuda_total_ns"]:
            wrong.append(f"Self CUDA of {row['name']} is more than its total")
    # Devices and streams: every moment is busy or idle.
    start = min([first] + [o["start"] for o in ops])
    for row in table["devices"]:
        mine = [o for o in ops if o["device"] == row["device"]]
        same("busy", row["busy_ns"], union((o["start"], o["end"]) for o in mine))
        same("busy + idle", row["busy_ns"] + row["idle_ns"], row["span_ns"])
        same("span", row["span_ns"], max(times) - start)
        kernels = [o for o in mine if o["what"] == "kernel"]
        multiprocessors, edges, sum_ns = 4 + row["device"], sorted({t for o in kernels for t in (o["start"], o["end"])}), 0
        for a, b in zip(edges, edges[1:]):
            sum_ns += (b - a) * min(multiprocessors, sum(o["blocks"] for o in kernels if o["start"] <= a and o["end"] >= b))
        if row["est_sm_efficiency_share"] is not None:
            same("SM efficiency", row["est_sm_efficiency_share"], round(sum_ns / (multiprocessors * row["span_ns"]) + 1e-12, 6))
        same("gaps", sum(g["dur_ns"] for g in table["gaps"] if g["device"] == row["device"]), row["idle_ns"] if mine else 0)
    for row in table["idle"] + table["idle-streams"]:
        stream = row.get("stream")
        mine = [o for o in ops if o["device"] == row["device"] and stream in (None, o["queue"])]
        idle = row["idle_ns"] + row["before_ns"] + row["after_ns"]
        same("idle", idle, max(times) - start - union((o["start"], o["end"]) for o in mine))
        same("causes", row["host_wait_ns"] + row["kernel_wait_ns"] + row["queued_ns"] + row["other_ns"], row["idle_ns"])
        if stream is not None:
            gaps = [g for g in table["idle-gaps"] if all(g[key] == row[key] for key in ("device", "context", "stream"))]
            same("gaps of a stream", [sum(g["idle_ns"] for g in gaps), sum(g["count"] for g in gaps)], [row["idle_ns"], row["gaps"]])
    # The activity of the thread that ended a gap, moment by moment.
    for row in table["gaps"] if not wild else ():
        begin, end = row["start_ns"] + first, row["start_ns"] + row["dur_ns"] + first
        behind = [o for o in ops if o["device"] == row["device"] and o["start"] == end]
        if len(behind) != 1: # none, or the order decides which one counts
            continue
        tid, at, _ = behind[0]["api"]
        if row["cause"] != "before first":
            same("cause", row["cause"], "host wait" if at > begin else "kernel wait")
        same("thread", row["tid"], tid)
        opened, called = collections.Counter(), 0
        for t in range(begin, end):
            around = [i for i, g in enumerate(ranges) if g["tid"] == tid and g["start"] <= t < g["end"]]
            if around:
                opened[ranges[max(around, key=lambda i: (ranges[i]["start"], i))]["name"]] += 1
            called += any(a[0] == tid and a[1] <= t < a[1] + a[2] for a in calls)
        same("range in a gap", (row["range_ns"] or 0, opened[row["range"]]), (max(opened.values(), default=0),) * 2)
        if (row["api_ns"] or 0) > called or (called > 0 and not row["api_ns"]):
            wrong.append(f"calls in a gap: {row['api_ns']} of {called}")
    # Each operation's parts, by the definition.
    got = sorted((row["start_ns"], row["stream"], row["gpu_duration_ns"], row["cpu_duration_ns"], row["launch_delay_ns"]) for row in table["launch"] if row["cpu_duration_ns"] is not None)
    same("launch", got, sorted((o["start"] - first, o["queue"], o["dur"], o["api"][2], max(0, o["start"] - o["api"][1] - o["api"][2])) for o in ops if o["api"]))
    # For each name: work launched while a range of that name was open, each operation once.
    if not wild:
        inside, self_ns = collections.Counter(), collections.Counter()
        for op in ops:
            tid, at, _ = op["api"]
            around = [i for i, g in enumerate(ranges) if g["tid"] == tid and g["start"] <= at < g["end"]]
            if around:
                self_ns[ranges[max(around, key=lambda i: (ranges[i]["start"], i))]["name"]] += op["dur"]
            for name in {ranges[i]["name"] for i in around}:
                inside[name] += op["dur"]
        for row in table["ranges"]:
            if row["kind"] == "push/pop":
                same("CUDA total of " + row["name"], row["cuda_total_ns"], inside[row["name"]])
                same("Self CUDA of " + row["name"], row["self_cuda_ns"], self_ns[row["name"]])
    return wrong


def main():
    analyzer, folder, mode, count = sys.argv[1:]
    log, text = os.path.join(folder, "log"), os.path.join(folder, "text")
    writer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "text-log.py")
    for seed in range(int(count)):
        lines = make_hostile(seed) if mode == "hostile" else make(seed, mode == "wild")
        with open(text, "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")
        sys.argv = [writer, log, text]
        runpy.run_path(writer)
        done = subprocess.run([analyzer, "stats", log, "--report", "all,launch", "--limit", "100000", "--format", "json"],
                              stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            print(f"{mode} log {seed}: the analyzer exits with {done.returncode}")
            continue
        if mode == "hostile":
            json.loads(done.stdout)
            continue
        for wrong in check(lines, json.loads(done.stdout), mode == "wild")[:3]:
            print(f"{mode} log {seed}: {wrong}")


main()

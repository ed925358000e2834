#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures of other tools, computed slowly from their definitions: reference.py ANALYZER FOLDER

Makes traces with made.py, computes what torch's key_averages, PyTorch's TensorBoard plugin and HTA give for them, by
sections 19 to 21 of doc/metrics.md and with no code of ours, and compares `analyzer stats --compat`. Prints what
differs, then "MODE FIGURES WRONG" for each mode.
"""
import collections
import json
import math
import os
import statistics
import subprocess
import sys

from made import make

SEEDS = (1, 2, 3, 4, 5, 6)


def union(parts):
    merged = []
    for start, end in sorted(parts):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def length(parts):
    return sum(end - start for start, end in parts)


def cross(a, b):
    return [[max(s, u), min(e, v)] for s, e in a for u, v in b if max(s, u) < min(e, v)]


def minus(a, b):
    for s, e in b:
        a = [part for u, v in a for part in ([u, min(v, s)], [max(u, e), v]) if part[0] < part[1]]
    return a


def quantile(values, q):
    values, at = sorted(values), q * (len(values) - 1)
    low = math.floor(at)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (at - low)


def describe(values):
    return {"count": len(values), "mean": sum(values) / len(values), "min": min(values), "max": max(values),
            "std": statistics.stdev(values) if len(values) > 1 else None,
            "p25": quantile(values, 0.25), "p50": quantile(values, 0.5), "p75": quantile(values, 0.75)}


class Comparison:
    def __init__(self, analyzer, path, mode):
        done = subprocess.run([analyzer, "stats", f"--compat={mode}", "--report=all", "--format=json", path],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        self.reports, self.where = json.loads(done.stdout)["reports"], f"{os.path.basename(path)} {mode}"
        self.count = self.wrong = 0

    def same(self, what, ours, theirs):
        self.count += 1
        if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
            right = math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
        else:
            right = ours == theirs
        if not right:
            self.wrong += 1
            print(f"{self.where} {what}: ours {ours}, theirs {theirs}")

    def rows(self, report, keys, theirs):
        """Compares every row of a report, found by its keys. `theirs` is a dictionary from tuples to
        dictionaries."""
        ours = {tuple(row[key] for key in keys): row for row in self.reports[report]}
        self.same(f"{report}: rows", sorted(ours, key=str), sorted(theirs, key=str))
        for key, row in theirs.items():
            for column, value in row.items():
                self.same(f"{report} {key} {column}", ours.get(key, {}).get(column), value)


class Node:
    def __init__(self, event):
        self.event, self.start, self.end = event, event["ts"], event["ts"] + event["dur"]
        self.name, self.cat, self.id = event["name"], event["cat"], event["args"].get("External id")
        self.children, self.parent, self.gpu, self.calls = [], None, [], []

    @property
    def total(self):
        return self.end - self.start


def build(nodes):
    """Nests the nodes of a thread. Return: those without a parent."""
    top, stack = [], []
    for node in sorted(nodes, key=lambda n: (n.start, -n.end)):
        while stack and (node.start >= stack[-1].end or node.end > stack[-1].end):
            stack.pop()
        node.parent = stack[-1] if stack else None
        (stack[-1].children if stack else top).append(node)
        stack.append(node)
    return top


def spread(nodes):
    """Nodes and all nodes inside them."""
    found, todo = [], list(nodes)
    while todo:
        node = todo.pop()
        found.append(node)
        todo += node.children
    return found


def drop_doubles(nodes, takes):
    """An only child with its parent's name is no node of its own. The parent gets the fields in
    `takes`."""
    again = True
    while again:
        again = False
        for node in spread(nodes):
            if len(node.children) == 1 and node.children[0].name == node.name and takes(node, node.children[0]):
                node.children = node.children[0].children
                again = True


# torch.profiler's key_averages()

def torch_rows(events, is_old):
    cpu, gpu, memory = [], [], []
    for event in events:
        if event["name"] == "[memory]":
            memory.append(event)
        elif event["cat"] in ("cpu_op", "user_annotation", "cuda_runtime", "cuda_driver"):
            cpu.append(Node(event))
        else:
            gpu.append(event)
    by_id = {node.id: node for node in cpu if node.cat == "cpu_op"}
    for event in gpu:
        if event["args"].get("External id") in by_id:
            by_id[event["args"]["External id"]].gpu.append(event)
    threads = collections.defaultdict(list)
    for node in cpu:
        threads[node.event["tid"]].append(node)
    top = [node for nodes in threads.values() for node in build(nodes)]

    def take(node, child):
        node.gpu = child.gpu
        return True
    drop_doubles(top, take)
    rows = collections.defaultdict(lambda: collections.defaultdict(float))

    def bytes_in(node, kind):
        return sum(m["args"]["Bytes"] for m in memory
                   if m["args"]["Device Type"] == kind and node.start <= m["ts"] <= node.end)

    def gpu_total(node):
        return sum(g["dur"] for g in node.gpu) + sum(gpu_total(child) for child in node.children)
    for node in spread(top):
        name = "ProfilerStep*" if node.name.startswith("ProfilerStep#") else node.name
        row = rows[name, "CPU", int(node.cat == "user_annotation")]
        row["calls"] += 1
        row["cpu_total_us"] += node.total
        row["self_cpu_us"] += node.total - sum(child.total for child in node.children)
        row["cuda_total_us"] += gpu_total(node)
        row["self_cuda_us"] += sum(g["dur"] for g in node.gpu)
        for kind, word in ((0, "cpu"), (1, "cuda")):
            row[f"{word}_mem"] += bytes_in(node, kind)
            row[f"self_{word}_mem"] += bytes_in(node, kind) - sum(bytes_in(child, kind) for child in node.children)
    for event in gpu:
        row = rows[event["name"], "CUDA", int(event["cat"] == "gpu_user_annotation")]
        row["calls"] += 1
        for column in ("cuda_total_us", "self_cuda_us"):
            row[column] += event["dur"]
    cpu_us = sum(row["self_cpu_us"] for row in rows.values())
    gpu_us = sum(row["self_cuda_us"] for key, row in rows.items() if key[1] == "CUDA" and (is_old or key[2] == 0))
    for row in rows.values():
        row["self_cpu_share"], row["cpu_total_share"] = row["self_cpu_us"] / cpu_us, row["cpu_total_us"] / cpu_us
        row["self_cuda_share"] = row["self_cuda_us"] / gpu_us
        row["cpu_time_avg_us"] = row["cpu_total_us"] / row["calls"]
        row["cuda_time_avg_us"] = row["cuda_total_us"] / row["calls"]
    return rows


def compare_torch(c, trace, is_old):
    c.rows("key_averages", ("name", "device_type", "user_annotation"), torch_rows(trace["traceEvents"], is_old))


# HolisticTraceAnalysis

def hta_events(trace):
    """The events, rounded inwards if any time has a fraction, without the last step and the GPU work of
    omitted events."""
    events = [dict(event) for event in trace["traceEvents"] if "dur" in event]
    if any(event["ts"] != int(event["ts"]) for event in events):
        for event in events:
            end = math.floor(event["ts"] + event["dur"])
            event["ts"] = math.ceil(event["ts"])
            event["dur"] = end - event["ts"]
    for event in events:
        event["end"], event["is_gpu"] = event["ts"] + event["dur"], "stream" in event["args"]
    last = max(event["ts"] for event in events if event["name"].startswith("ProfilerStep"))
    kept = [event for event in events if not event["is_gpu"] and event["ts"] < last]
    calls = {event["args"]["correlation"]: event for event in kept if "correlation" in event["args"]}
    gpu = [event for event in events if event["is_gpu"] and event["args"]["correlation"] in calls]
    for event in gpu:
        event["call"] = calls[event["args"]["correlation"]]
    return kept, gpu


def hta_type(name):
    if name.startswith("nccl"):
        return "COMMUNICATION"
    return "MEMORY" if name.startswith(("Memcpy", "Memset")) else "COMPUTATION"


def hta_groups(items):
    """Sums by name. Of more than ten names only the longest stay, with figures of the sums."""
    names = collections.defaultdict(list)
    for name, dur in items:
        names[name].append(dur)
    limit, share = 10, 0.8
    if len(names) > limit:
        order = sorted(names, key=lambda name: -sum(names[name]))
        running, sums = [], 0
        for name in order:
            sums += sum(names[name])
            running.append(sums)
        border = quantile(running, share)
        merged = collections.defaultdict(list)
        for at, name in enumerate(order):
            merged["others" if running[at] > border or at >= limit else name].append(sum(names[name]))
        names = merged
    return {name: {"sum_us": sum(durs), "max_us": max(durs), "min_us": min(durs), "mean_us": sum(durs) / len(durs),
                   "std_us": statistics.stdev(durs) if len(durs) > 1 else 0} for name, durs in names.items()}


def compare_hta_time(c, gpu):
    parts = collections.defaultdict(list)
    for event in gpu:
        parts[hta_type(event["name"])].append((event["ts"], event["end"]))
    parts = {kind: union(spans) for kind, spans in parts.items()}
    every = union([tuple(part) for spans in parts.values() for part in spans])
    whole = every[-1][1] - every[0][0]
    idle, compute = whole - length(every), length(parts["COMPUTATION"])
    row = {"kernel_time_us": whole, "idle_us": idle, "compute_us": compute, "non_compute_us": length(every) - compute}
    for part in ("idle", "compute", "non_compute"):
        row[f"{part}_share"] = round(100 * row[f"{part}_us"] / whole, 2) / 100
    c.rows("temporal", ("rank",), {(0,): row})
    both = cross(parts["COMMUNICATION"], parts["COMPUTATION"])
    c.rows("overlap", ("rank",), {(0,): {"overlap": round(100 * length(both) / length(parts["COMMUNICATION"]), 2) / 100}})
    edges, types = sorted({t for spans in parts.values() for span in spans for t in span}), collections.Counter()
    for low, high in zip(edges, edges[1:]):
        active = [kind for kind in ("COMPUTATION", "COMMUNICATION", "MEMORY")
                  if any(s <= low and high <= e for s, e in parts.get(kind, ()))]
        if active:
            types[" overlapping ".join(active)] += high - low
    c.rows("kernel-types", ("kernel_type",), {
        (kind,): {"sum_us": us, "share": round(100 * us / sum(types.values()), 1) / 100} for kind, us in types.items()})


def compare_hta_streams(c, gpu):
    idle, gaps, queue = {}, {}, {}
    for stream in {event["args"]["stream"] for event in gpu}:
        mine, found = sorted((e for e in gpu if e["args"]["stream"] == stream), key=lambda e: e["ts"]), {}
        for before, event in zip([None] + mine, mine):
            gap = event["ts"] - before["end"] if before else None
            if before and event["call"]["ts"] > before["end"]:
                cause = "host_wait"
            else:
                cause = "kernel_wait" if before and gap < 30 else "other"
            found.setdefault(cause, []).extend([gap] if before else [])
        sums = {cause: sum(values) for cause, values in found.items()}
        whole = sum(sums.values())
        idle[0, stream] = {}
        for cause in ("host_wait", "kernel_wait", "other"):
            value = sums.get(cause)
            share = None if value is None or whole == 0 else round(value / whole, 2)
            idle[0, stream].update({f"{cause}_us": value, f"{cause}_share": share})
            if value is not None and found[cause]:
                figures = {name: figure if figure is None else round(figure, 2)
                           for name, figure in describe(found[cause]).items()}
                gaps[0, stream, cause] = {"idle_us": value, "idle_share": share, "count": figures.pop("count"),
                                          **{f"{name}_us": figure for name, figure in figures.items()}}
        starts = [(e["call"]["ts"], 1) for e in mine if e["call"]["cat"] == "cuda_runtime" or
                  e["call"]["name"] == "cuLaunchKernel"] + [(e["ts"], -1) for e in mine]
        lengths, at = [], 0
        for _, change in sorted(starts):
            at += change
            lengths.append(at)
        queue[0, stream] = describe(lengths)
        if {t for t, change in starts if change > 0} & {t for t, change in starts if change < 0}:
            queue[0, stream] = {"count": len(lengths)} # the order is left to a sort
    c.rows("idle", ("rank", "stream"), idle)
    ours = c.reports["idle-gaps"]
    c.reports["idle-gaps"] = [row for row in ours if row["count"] > 0]
    c.rows("idle-gaps", ("rank", "stream", "idle_category"), gaps)
    c.rows("queue", ("rank", "stream"), queue)


def compare_hta_launches(c, gpu):
    rows, bandwidth = {}, collections.defaultdict(list)
    for event in gpu:
        call, speed = event["call"], event["args"].get("memory bandwidth (GB/s)")
        if call["name"] != "cuLaunchKernel":
            rows[0, event["args"]["correlation"]] = {
                "name": event["name"], "cpu_duration_us": call["dur"], "gpu_duration_us": event["dur"],
                "launch_delay_us": max(0, event["ts"] - call["ts"] - call["dur"])}
        if hta_type(event["name"]) == "MEMORY":
            name = "Memset" if event["name"].startswith("Memset") else event["name"][:11]
            bandwidth[name] += [(event["ts"], speed), (event["ts"] + (event["dur"] or 1), -speed)]
    c.rows("launch", ("rank", "correlation"), rows)
    figures = list(rows.values())
    c.rows("launch-outliers", ("rank",), {(0,): {
        "count": len(figures), **{f"{mine}_sum_us": sum(row[key] for row in figures) for mine, key in (
            ("cpu", "cpu_duration_us"), ("gpu", "gpu_duration_us"), ("delay", "launch_delay_us"))},
        "delay_max_us": max(row["launch_delay_us"] for row in figures),
        "short_kernels": sum(row["gpu_duration_us"] < row["cpu_duration_us"] <= 50 for row in figures),
        "runtime_outliers": sum(row["cpu_duration_us"] > 50 for row in figures),
        "launch_delay_outliers": sum(row["launch_delay_us"] > 100 for row in figures)}})
    theirs = {}
    for name, changes in bandwidth.items():
        values, at = [], 0
        for _, change in sorted(changes, key=lambda part: part[0]):
            at += change
            if at > 0:
                values.append(at)
        theirs[0, name] = describe(values)
    c.rows("bandwidth", ("rank", "name"), theirs)


def compare_hta(c, trace):
    kept, gpu = hta_events(trace)
    compare_hta_time(c, gpu)
    compare_hta_streams(c, gpu)
    compare_hta_launches(c, gpu)
    rows = {}
    for kind in {hta_type(event["name"]) for event in gpu}:
        for name, row in hta_groups((e["name"], e["dur"]) for e in gpu if hta_type(e["name"]) == kind).items():
            rows[0, kind, name] = row
    c.rows("breakdown", ("rank", "kernel_type", "name"), rows)
    rows = {}
    for cat, device in (("user_annotation", "CPU"), ("gpu_user_annotation", "GPU")):
        names = collections.defaultdict(list)
        for event in kept:
            if event["cat"] == cat:
                names[event["name"]].append(event["dur"])
        for name, durs in names.items():
            rows[0, device, name] = hta_groups((name, dur) for dur in durs)[name]
    c.rows("annotations", ("rank", "device_type", "name"), rows)
    steps = {}
    for event in kept:
        if event["name"].startswith("ProfilerStep#"):
            inside = [e for e in kept if event["ts"] <= e["ts"] < event["end"]]
            of_gpu = [e for e in gpu if event["ts"] <= e["call"]["ts"] < event["end"]]
            steps[0, int(event["name"].split("#")[1])] = {"events": len(inside) + len(of_gpu),
                                                          "gpu_events": len(of_gpu)}
    c.rows("steps", ("rank", "step"), steps)


# PyTorch's TensorBoard plugin

def tb_tree(events):
    """Operators of all threads, with their calls of the runtime and what these launched."""
    nodes = [Node(e) for e in events if e["cat"] == "cpu_op" or e["name"].startswith(("ProfilerStep", "enumerate("))]
    by_id, gpu, threads = {}, collections.defaultdict(list), collections.defaultdict(list)
    for node in sorted(nodes, key=lambda n: n.start):
        by_id.setdefault(node.id, node)
        threads[node.event["tid"]].append(node)
    for event in events:
        if event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset"):
            gpu[event["args"]["correlation"]].append(event)
    top = [node for part in threads.values() for node in build(part)]
    for event in events:
        if event["cat"] == "cuda_runtime":
            by_id[event["args"]["External id"]].calls.append((event, gpu[event["args"]["correlation"]]))

    def take(node, child):
        node.calls = child.calls
        return node.cat == child.cat == "cpu_op"
    drop_doubles(top, take)
    return spread(top)


def tb_steps(events):
    """Bounds of the steps: until the GPU work launched in them is done."""
    hosts = sorted((Node(e) for e in events if e["name"].startswith("ProfilerStep#")), key=lambda n: n.start)
    gpu = {e["args"]["correlation"]: e for e in events if e["cat"] in ("kernel", "gpu_memcpy", "gpu_memset")}
    calls = [e for e in events if e["cat"] == "cuda_runtime"]
    steps, inside = [], set()
    for host in hosts:
        mine = [gpu[e["args"]["correlation"]] for e in calls if host.start <= e["ts"] and e["ts"] + e["dur"] <= host.end]
        inside |= {id(e) for e in mine}
        steps.append([host.name.split("#")[1], host.start, host.end, mine])
    before = steps[0][1]
    if steps[0][3]:
        first = min(e["ts"] for e in steps[0][3])
        before = max([before] + [e["ts"] + e["dur"] for e in gpu.values()
                                 if id(e) not in inside and e["ts"] + e["dur"] < first])
    for step in steps:
        start = max(before, step[1])
        end = max([step[2], start if not step[3] else 0] + [e["ts"] + e["dur"] for e in step[3]])
        step[1], step[2] = start, max(start, end)
        before = step[2]
    while len(steps) > 1 and not steps[-1][3]:
        steps.pop()
    if len(steps) > 1 and len(steps[-1][3]) < 0.8 * len(steps[-2][3]):
        steps.pop()
    return steps


def tb_role(event, collectives):
    cat, name = event["cat"], event["name"]
    if cat == "kernel":
        return "communication" if event["args"].get("External id") in collectives else "kernel"
    if cat in ("gpu_memcpy", "gpu_memset", "cuda_runtime"):
        return {"gpu_memcpy": "memcpy", "gpu_memset": "memset", "cuda_runtime": "runtime"}[cat]
    if name.startswith("enumerate(DataLoader)#"):
        return "dataloader"
    if name == "nccl:all_reduce":
        return "communication"
    return "cpu_exec" if cat in ("cpu_op", "user_annotation", "gpu_user_annotation") and \
        not name.startswith("ProfilerStep") else None


def compare_tb_steps(c, events, steps):
    collectives = {e["args"]["External id"] for e in events if e["name"] == "nccl:all_reduce"}
    roles = collections.defaultdict(list)
    for event in events:
        roles[tb_role(event, collectives)].append((event["ts"], event["ts"] + event["dur"]))
    order = ("kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "cpu_exec")
    every, left, costs = union([(step[1], step[2]) for step in steps]), [], {}
    for role in order:
        mine = union(roles[role])
        costs[role] = cross(left, mine) if left else mine
        left = minus(left or every, costs[role])
    rows, overlaps = {}, {}
    for number, start, end, _ in steps:
        row = {f"{role}_us": length(cross(costs[role], [[start, end]])) for role in order}
        row.update({"other_us": length(cross(left, [[start, end]])), "total_us": end - start})
        rows[number,] = row
        kernels, comm = (cross(union(roles[role]), [[start, end]]) for role in ("kernel", "communication"))
        both = length(cross(kernels, comm))
        overlaps[number,] = {"computation_us": length(kernels), "communication_us": length(comm), "overlap_us": both,
                             "other_us": end - start + both - length(kernels) - length(comm)}
    c.rows("overview", ("step",), rows)
    c.rows("step-overlap", ("step",), overlaps)
    c.rows("step-average", ("steps",), {(len(steps),): {
        column: sum(row[column] for row in rows.values()) / len(steps) for column in next(iter(rows.values()))}})


def compare_tb_gpu(c, kernels, steps):
    start, end = steps[0][1], steps[-1][2]
    clipped = [(max(k["ts"], start), min(k["ts"] + k["dur"], end), k["args"]) for k in kernels]
    clipped = [part for part in clipped if part[0] < part[1]]
    edges, sum_us = sorted({t for part in clipped for t in part[:2]}), 0
    for low, high in zip(edges, edges[1:]):
        sum_us += (high - low) * min(1, sum(args["blocks per SM"] for s, e, args in clipped if s <= low and high <= e))
    busy = length(union([part[:2] for part in clipped]))
    weights = sum(e - s for s, e, _ in clipped)
    c.rows("gpu", ("device",), {(0,): {
        "gpu_utilization": busy / (end - start), "est_sm_efficiency": sum_us / (end - start),
        "est_achieved_occupancy": sum((e - s) * args["est. achieved occupancy %"] for s, e, args in clipped) / weights / 100,
        "tensor_core_time": 0}})


def tb_kernel_row(kernels):
    durs = [k["dur"] for k in kernels]

    def mean(arg):
        return sum(k["dur"] * k["args"][arg] for k in kernels) / sum(durs)
    return {"calls": len(durs), "total_us": sum(durs), "mean_us": sum(durs) / len(durs), "max_us": max(durs),
            "min_us": min(durs), "mean_blocks_per_sm": mean("blocks per SM"),
            "mean_est_achieved_occupancy": mean("est. achieved occupancy %") / 100}


def compare_tb_operators(c, nodes, kernels, events):
    owner, rows, memory = {}, collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)

    def device_us(node):
        return sum(g["dur"] for _, work in node.calls for g in work) + sum(device_us(child) for child in node.children)
    records = [e for e in events if e["name"] == "[memory]"]
    for node in nodes:
        for _, work in node.calls:
            owner.update({id(g): node.name for g in work})
        if node.cat != "cpu_op":
            continue
        row = rows[node.name,]
        row["calls"] += 1
        row["host_total_us"] += node.total
        row["self_host_us"] += node.total - sum(child.total for child in node.children) - \
            sum(call["dur"] for call, _ in node.calls)
        row["device_total_us"] += device_us(node)
        row["self_device_us"] += sum(g["dur"] for _, work in node.calls for g in work)
        # The node's own allocations; those inside count once per level.
        for record in records:
            if record["tid"] != node.event["tid"] or not node.start <= record["ts"] < node.end:
                continue
            size = record["args"]["Bytes"]
            device = "CPU" if record["args"]["Device Type"] == 0 else f"GPU{record['args']['Device Id']}"
            own = not any(child.start <= record["ts"] < child.end for child in node.children)
            for prefix in ("", "self_") if own else ("",):
                memory[device, node.name][f"{prefix}increase_bytes"] += size
                memory[device, node.name][f"{prefix}allocated_bytes"] += max(size, 0)
                memory[device, node.name][f"{prefix}allocations"] += size > 0
    columns = ("calls", "host_total_us", "self_host_us", "device_total_us", "self_device_us")
    c.rows("operators", ("name",), {key: {column: row[column] for column in columns} for key, row in rows.items()})
    names = [f"{prefix}{what}" for prefix in ("", "self_") for what in ("increase_bytes", "allocated_bytes", "allocations")]
    c.rows("memory", ("device", "name"), {key: {name: row[name] for name in names} for key, row in memory.items()})
    groups, single = collections.defaultdict(list), collections.defaultdict(list)
    for kernel in kernels:
        args = kernel["args"]
        single[kernel["name"],].append(kernel)
        if id(kernel) in owner:
            groups[kernel["name"], owner[id(kernel)], str(args["grid"]), str(args["block"]),
                   args["registers per thread"], args["shared memory"]].append(kernel)
        else: # launched by the driver, so of no operator
            groups[kernel["name"], "CallTreeRoot", str(args["grid"]), str(args["block"]),
                   args["registers per thread"], args["shared memory"]].append(kernel)
    c.rows("kernels", ("name",), {key: tb_kernel_row(part) for key, part in single.items()})
    c.rows("op-kernels", ("name", "operator", "grid", "block", "registers_per_thread", "shared_memory_bytes"),
           {key: tb_kernel_row(part) for key, part in groups.items()})
    peaks = collections.Counter()
    for record in records:
        key = record["args"]["Device Type"], record["args"]["Device Id"]
        peaks[key] = max(peaks[key], record["args"]["Total Allocated"])
    c.rows("memory-peak", ("device_type", "device"), {key: {"peak_allocated_bytes": peak} for key, peak in peaks.items()})


def compare_tb(c, trace):
    events = trace["traceEvents"]
    timed = [event for event in events if "dur" in event]
    steps, kernels = tb_steps(timed), [event for event in timed if event["cat"] == "kernel"]
    compare_tb_steps(c, timed, steps)
    compare_tb_gpu(c, kernels, steps)
    compare_tb_operators(c, tb_tree(timed), kernels, events)


def main():
    analyzer, folder = sys.argv[1:]
    figures, wrong = collections.Counter(), collections.Counter()
    for seed in SEEDS:
        for fraction in (False, True):
            trace = make(seed, fraction)
            path = os.path.join(folder, f"made-{seed}{'-fraction' * fraction}.json")
            with open(path, "w", encoding="ascii") as out:
                out.write(json.dumps(trace)) # which is much faster than dump()
            for mode, compare in (("torch", lambda c, t: compare_torch(c, t, False)),
                                  ("torch-old", lambda c, t: compare_torch(c, t, True)),
                                  ("hta", compare_hta), ("tb", compare_tb)):
                c = Comparison(analyzer, path, mode)
                compare(c, trace)
                figures[mode] += c.count
                wrong[mode] += c.wrong
    for mode, count in figures.items():
        print(mode, count, wrong[mode])


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares analyzer's --compat=tb with stored figures of the TensorBoard plugin.

compare-tb.py [--within SHARE] ANALYZER TRACE... EXPECTED: one line for each difference, then "NAME: N figures".
Integers must be equal, others to 1e-9 of their size, or the share. Rows that tie may come in any order.
"""
import collections
import json
import subprocess
import sys

REPORTS = "overview,step-average,step-overlap,gpu,operators,kernels,op-kernels,memory,memory-peak,gpu-counters,run,advice"
ROLES = "kernel memcpy memset communication runtime dataloader cpu_exec other total".split()


class Comparison:
    within = 1e-9

    def __init__(self, name):
        self.name = name
        self.count = 0
        self.bad = 0

    def same(self, where, ours, theirs):
        self.count += 1
        if ours is None or theirs is None or isinstance(theirs, (bool, str, list)):
            good = ours == theirs
        elif isinstance(theirs, int):
            good = ours == theirs
        else:
            good = abs(ours - theirs) <= self.within * max(abs(ours), abs(theirs))
        if not good:
            self.bad += 1
            if self.bad <= 20:
                print(f"{self.name}: {where}: {ours!r}, not {theirs!r}")

    def rows(self, where, ours, theirs):
        """Lists of (key, figures): pairs of one key are compared in the order of their figures."""
        both = [collections.defaultdict(list), collections.defaultdict(list)]
        for side, rows in zip(both, (ours, theirs)):
            for key, figures in rows:
                side[key].append(figures)
        self.same(f"{where}: keys", sorted(map(str, both[0])), sorted(map(str, both[1])))
        for key in both[1]:
            left = sorted(both[0].get(key, []), key=str)
            right = sorted(both[1][key], key=str)
            self.same(f"{where} {key}: rows", len(left), len(right))
            for ours_row, theirs_row in zip(left, right):
                for i, (a, b) in enumerate(zip(ours_row, theirs_row)):
                    self.same(f"{where} {key}[{i}]", a, b)


def analyze(analyzer, *more):
    command = [analyzer, "stats", "--compat=tb", "--format=json", *more]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["reports"]


def pick(row, *keys):
    return [row[key] for key in keys]


def part(share):
    return None if share is None else share / 100


def compare_steps(c, ours, theirs):
    columns = [f"{role}_us" for role in ROLES]
    steps = [(row["step"], pick(row, *columns)) for row in ours["overview"]]
    c.same("steps", [name for name, _ in steps], [row[0] for row in theirs["steps"]["rows"]])
    for (name, figures), row in zip(steps, theirs["steps"]["rows"]):
        for role, a, b in zip(ROLES, figures, row[1:]):
            c.same(f"step {name} {role}", a, b)
    for role, a, b in zip(ROLES, pick(ours["step-average"][0], *columns), theirs["average"].values()):
        c.same(f"average {role}", a, b)
    overlap = ("step", "computation_us", "communication_us", "overlap_us", "other_us")
    for a, b in zip(ours["step-overlap"], theirs["overlap"]["rows"]):
        for key, left, right in zip(overlap, pick(a, *overlap), b):
            c.same(f"overlap {key}", left, right)


def summarize(row):
    """The plugin's texts on a GPU."""
    texts = [[f"GPU {row['device']}:", ""]]
    if row["name"] is not None:
        texts.append(["Name", row["name"]])
        texts.append(["Memory", f"{round(row['memory_bytes'] / 1024 / 1024 / 1024, 2)} GB"])
        texts.append(["Compute Capability", row["compute_capability"]])
    texts.append(["GPU Utilization", f"{round(float(row['gpu_utilization']) * 100, 2)} %"])
    if row["est_sm_efficiency"] is not None:
        texts.append(["Est. SM Efficiency", f"{round(float(row['est_sm_efficiency']) * 100, 2)} %"])
    if row["est_achieved_occupancy"] is not None:
        texts.append(["Est. Achieved Occupancy", f"{round(float(row['est_achieved_occupancy']) * 100, 2)} %"])
    if row["tensor_core_time"] is not None:
        texts.append(["Kernel Time using Tensor Cores", f"{round(float(row['tensor_core_time']) * 100, 2)} %"])
    return texts


def compare_gpu(c, ours, theirs):
    rows = {str(row["device"]): row for row in ours["gpu"]}
    c.same("GPUs", sorted(rows), sorted(theirs["gpu"]))
    for device, figures in theirs["gpu"].items():
        row = rows[device]
        c.same("utilization", row["gpu_utilization"], figures["utilization"])
        c.same("SM efficiency", row["est_sm_efficiency"], figures["sm_efficiency"])
        c.same("occupancy", row["est_achieved_occupancy"], part(figures["achieved_occupancy_pct"]))
        c.same("tensor cores", row["tensor_core_time"], figures["tensor_core_ratio"])
    if "gpu_summary_text" in theirs:
        c.same("texts", [text for row in ours["gpu"] for text in summarize(row)], theirs["gpu_summary_text"])
    c.same("counters", len(ours["gpu-counters"]), theirs["counter_events"])
    for device, ranges in theirs.get("gpu_counter_ranges", {}).items():
        mine = [row for row in ours["gpu-counters"] if row["device"] == int(device)]
        values = [pick(row, "ts_us", "value") for row in mine if row["counter"] == "GPU Utilization"][2:]
        c.same("buckets", values, ranges["utilization_buckets"])
        values = [pick(row, "ts_us", "value") for row in mine if row["counter"] != "GPU Utilization"][2:]
        edges = [[a[0], b[0], a[1]] for a, b in zip(values[::2], values[1::2])]
        c.same("SM efficiency over time", edges, ranges["sm_efficiency_ranges"])


def compare_operators(c, where, ours, theirs, keys):
    figures = ("calls", "self_device_us", "device_total_us", "self_host_us", "host_total_us",
               "tensor_cores_eligible", "tensor_cores_self", "tensor_cores_total")
    c.rows(where, [(tuple(pick(row, *keys)), pick(row, *figures)) for row in ours],
           [(tuple(row[:len(keys)]), row[len(keys):]) for row in theirs["rows"]])


def compare_kernels(c, ours, theirs):
    names = theirs["kernels"]["rows"] if "kernels" in theirs else []
    figures = ("tensor_cores_used", "calls", "total_us", "mean_us", "max_us", "min_us", "mean_blocks_per_sm",
               "mean_est_achieved_occupancy")
    # If all kernels are communication, the plugin makes no table.
    mine = ours["kernels"] if "kernels" in theirs else []
    c.rows("kernel", [(row["name"], pick(row, *figures)) for row in mine],
           [(row[0], [*row[1:8], part(row[8])]) for row in names])
    keys = ("name", "operator", "grid", "block", "registers_per_thread", "shared_memory_bytes")
    figures = ("tensor_cores_used", "tensor_cores_eligible", "calls", "total_us", "max_us", "min_us",
               "mean_blocks_per_sm", "mean_est_achieved_occupancy")

    def key(row):
        name = names[row[0]][0] if isinstance(row[0], int) else row[0]
        return (name, row[1], *[None if dims is None else str(dims) for dims in row[2:4]], *row[4:6])

    c.rows("kernel of operator", [(tuple(pick(row, *keys)), pick(row, *figures)) for row in ours["op-kernels"]],
           [(key(row), [*row[6:13], part(row[13])]) for row in theirs["kernels_by_op"]["rows"]])


def compare_memory(c, ours, theirs):
    figures = ("self_increase_bytes", "self_allocated_bytes", "self_allocations", "increase_bytes",
               "allocated_bytes", "allocations", "calls")
    c.rows("memory", [((row["device"], row["name"]), pick(row, *figures)) for row in ours["memory"]],
           [((device, name), row) for device, rows in theirs.get("memory_by_op", {}).items()
            for name, row in rows.items()])
    c.rows("peak", [(f"device_type {row['device_type']} id {row['device']}", [row["peak_allocated_bytes"]])
                    for row in ours["memory-peak"]],
           [(name, [peak]) for name, peak in theirs.get("memory_peak_bytes", {}).items()])


def compare_run(c, ours, theirs):
    run = ours["run"][0]
    flags = theirs["flags"]
    for key in ("has_runtime", "has_kernel", "has_communication", "has_memcpy_or_memset"):
        c.same(key, run[key], flags[key])
    c.same("DDP", run["uses_ddp"], flags["use_ddp"])
    c.same("DP", run["uses_dp"], flags["use_dp"])
    c.same("devices", run["devices"], len(flags["used_devices"]))
    libraries = [number for number, key in (("0", "uses_nccl"), ("1", "uses_gloo")) if run[key]]
    c.same("libraries", libraries, flags["comm_lib"])
    c.same("tensor cores used", run["tensor_cores_used"], theirs["tensor_core_used_ratio_all_kernels"])
    c.same("eligible", run["tensor_cores_eligible"], theirs["tensor_core_eligible_ops_kernel_ratio"])
    advice = []
    for row in ours["advice"]:
        rule = {"rule": row["rule"]}
        if row["devices"] is not None:
            rule["gpus"] = row["devices"]
        elif row["rule"] == "tensor_cores":
            rule["percent"] = float(round(row["value"] * 100))
        elif row["value"] is not None:
            rule["percent"] = float(f"{row['value'] * 100:.1f}")
        advice.append(rule)
    c.same("advice", advice, theirs["recommendations"])


def rank_of(worker):
    return int(worker.removeprefix("worker"))


def compare_distributed(c, ours, theirs):
    """The stored figures are rounded: whole numbers, and toward 0 where they are means of steps."""
    c.rows("collectives",
           [((row["rank"], row["name"]),
             [row["calls"], row["bytes"], round(row["mean_bytes"]), row["total_us"], round(row["mean_us"]),
              row["transfer_us"], round(row["mean_transfer_us"])]) for row in ours["comm"]],
           [((rank_of(row[0]), row[1]), row[2:]) for row in theirs["ops"]["rows"]])
    for part, keys in (("overlap", ("computation_us", "overlap_us", "communication_us", "other_us")),
                       ("wait", ("transfer_us", "wait_us"))):
        c.rows(part,
               [((row["step"], row["rank"]), [int(figure) for figure in pick(row, *keys)])
                for row in ours["comm-steps"]],
               [((row[0], rank_of(row[1])), row[2:]) for row in theirs[part]["rows"]])


def main():
    if sys.argv[1] == "--within":
        Comparison.within = float(sys.argv[2])
        del sys.argv[1:3]
    analyzer, *traces, expected = sys.argv[1:]
    with open(expected, encoding="utf-8") as file:
        theirs = json.load(file)
    if "workers" in theirs:
        c = Comparison(f"{len(theirs['workers'])} ranks")
        compare_distributed(c, analyze(analyzer, *traces, "--report=comm,comm-steps"), theirs)
        print(f"{c.name}: {c.count} figures, {c.bad} differ")
        return c.bad > 0
    trace = traces[0]
    c = Comparison(theirs["trace"])
    ours = analyze(analyzer, trace, "--report=" + REPORTS)
    compare_steps(c, ours, theirs)
    compare_gpu(c, ours, theirs)
    compare_operators(c, "operator", ours["operators"], theirs["operators"], ["name"])
    shaped = analyze(analyzer, trace, "--report=operators", "--group-by=name,shape")
    compare_operators(c, "operator by shape", shaped["operators"], theirs["operators_by_shape"],
                      ["name", "input_shapes"])
    compare_kernels(c, ours, theirs)
    compare_memory(c, ours, theirs)
    compare_run(c, ours, theirs)
    print(f"{c.name}: {c.count} figures, {c.bad} differ")
    return c.bad > 0


sys.exit(main())

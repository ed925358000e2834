#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks properties of every figure of every report, on any input. usage: properties.py ANALYZER
INPUT...

Makes all reports of each input, as JSON and as CSV, in every mode. No figure may be NaN or infinite, no time
negative, no share above 1; both forms have the same figures; parts add up to their whole, where
doc/metrics.md says so. An input with commas in it is several files, the ranks of one run. Prints what is
wrong, then for each exception how often it was met, then "FIGURES SUMS WRONG".
"""
import collections
import csv
import io
import json
import math
import os
import re
import subprocess
import sys

MODES = ("none", "tb", "hta", "torch", "torch-old")
TIME = re.compile(r"_(ns|us|s)$")
SHARE = re.compile(r"(_|^)(share|utilization|overlap|efficiency|tensor_core_time)$")
# These may be negative: differences (slower_ns below 0 means faster), and numbers that are only
# names. A tid may be the lower half of an address, and CPU is -1.
SIGNED = re.compile(r"(increase|change|net)_bytes$|_mem$|^slower_(ns|share)$|^(tid|device|threshold|value)$")
# The exceptions, where the tool itself gives such figures: mode, report, column, reason.
EXCEPTIONS = (
    ("torch", "key_averages", "self_cuda_share",
     "since 2.5 torch leaves projections of ranges out of the sum, but prints their share of it"),
    ("hta", "idle-gaps", "min_us", "HTA counts gaps from the operation before, not from the latest end"),
    ("hta", "temporal", None, "HTA rounds begins up and ends down: what is shorter than 1 us lasts -1 us"),
    ("hta", "annotations", None, "likewise"),
    ("hta", "breakdown", None, "likewise"),
    ("hta", "launch", None, "likewise"),
    ("hta", "launch-outliers", None, "likewise"),
)


class Checks:
    def __init__(self):
        self.figures = self.sums = self.wrong = 0
        self.met = collections.Counter()
        self.where = ""

    def say(self, text):
        self.wrong += 1
        if self.wrong <= 40:
            print(f"{self.where}: {text}")

    def same(self, what, got, right, within=0):
        self.sums += 1
        if abs(got - right) > within:
            self.say(f"{what}: {got}, not {right}")

    def figure(self, mode, report, column, value):
        self.figures += 1
        if not math.isfinite(value):
            fault = "is not finite"
        elif value < 0 and not SIGNED.search(column):
            fault = "is negative"
        elif SHARE.search(column) and value > 1.0000005:
            fault = "is a share above 1"
        else:
            return
        for exception in EXCEPTIONS:
            if exception[:2] == (mode, report) and exception[2] in (None, column) and math.isfinite(value):
                self.met[exception] += 1
                return
        self.say(f"{report}.{column} {fault}: {value}")


def run(analyzer, files, mode, form, options):
    command = [analyzer, "stats", f"--compat={mode}", f"--format={form}", "--limit=10000000", *options, *files]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 4):
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.decode()[-300:]}")
    return done.stdout.decode("utf-8", "surrogateescape")


def list_reports(analyzer, mode):
    """All reports of this mode, from the program's own list, so that a new one is checked, too."""
    done = subprocess.run([analyzer, "stats", f"--compat={mode}", "--list"], stdout=subprocess.PIPE, check=True)
    return [name for name in re.findall(r"^([a-z][a-z_-]*)  +\S", done.stdout.decode(), re.M)
            if name not in ("ranks", "environment")] # which need summaries


MEAN = re.compile(r"(.*_|^)(mean|avg|time_avg)(_ns|_us|_s)$")


def check_mean(checks, report, row):
    """A mean lies between the least and the largest value, apart from rounding."""
    for key, mean in row.items():
        found = MEAN.match(key)
        # Columns such as "rank_" have extremes of their own. Those of a range are only of its
        # calls.
        stem, unit = (found[1].replace("cpu_", ""), found[3]) if found else ("", "")
        least, most = row.get(f"{stem}min{unit}"), row.get(f"{stem}max{unit}")
        if found and isinstance(mean, (int, float)) and row.get("calls") != 0:
            checks.sums += 1
            if least is not None and mean < least - abs(least) * 1e-9 or most is not None and mean > most + abs(most) * 1e-9:
                checks.say(f"{report}.{key} is {mean}, outside of {least} to {most}")


def walk(checks, mode, report, value, column=""):
    if isinstance(value, dict):
        check_mean(checks, report, value)
        for key, inner in value.items():
            walk(checks, mode, report, inner, key)
    elif isinstance(value, list):
        for inner in value:
            walk(checks, mode, report, inner, column)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        checks.figure(mode, report, column, value)
    elif isinstance(value, str) and value.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        checks.say(f"{report}.{column} is {value}")


def compare_forms(checks, tables, text):
    """CSV has each figure of the JSON."""
    parts = re.split(r"\n\n(?=[a-z0-9_,]+\n|[a-z0-9_,]+$)", text.strip("\n"))
    if len(parts) != len(tables):
        checks.say(f"CSV has {len(parts)} tables, JSON {len(tables)}")
    for (report, rows), part in zip(tables.items(), parts):
        lines = list(csv.reader(io.StringIO(part)))
        if len(lines) - 1 != len(rows):
            checks.say(f"{report} has {len(lines) - 1} rows in CSV, {len(rows)} in JSON")
        for line, row in zip(lines[1:], rows):
            for key, cell in zip(lines[0], line):
                value = row.get(key)
                is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
                checks.figures += is_number
                if is_number and (cell == "" or float(cell) != value):
                    checks.say(f"{report}.{key} is {cell!r} in CSV, {value!r} in JSON")


def total(rows, column):
    return sum(row.get(column) or 0 for row in rows)


def check_shares(checks, report, rows, share, whole):
    """Shares of a column add up to 1, and each is its part."""
    rows = [row for row in rows if row.get(share) is not None]
    sum_ns = total(rows, whole)
    if sum_ns > 0:
        checks.same(f"{report}: sum of {share}", total(rows, share), 1, 1e-6 * (len(rows) + 1))
        for row in rows:
            checks.same(f"{report}: {share}", row[share], row[whole] / sum_ns, 2e-6)


def check_gpu(checks, tables, footer, is_of_steps):
    """Each figure that is a part of the durations of all operations. The footer is of the whole
    capture."""
    gpu = footer.get("gpu")
    if gpu is None:
        return
    if is_of_steps:
        gpu = {**gpu, "operations": len(tables["launch"]), "time_ns": total(tables["launch"], "gpu_duration_ns"),
               "no_call": total(tables["launch-sum"], "no_call")}
    else:
        checks.same("footer: rules", sum(gpu["by_rule_ns"].values()), gpu["time_ns"])
        checks.same("footer: attributed", gpu["attributed_ns"], gpu["time_ns"] - gpu["by_rule_ns"]["none"])
    whole = gpu["time_ns"]
    devices = tables["devices"]
    kernel_ns, copy_ns = total(tables["kernels"], "total_ns"), total(tables["memcpy"], "total_ns")
    for name, got in (("ranges", total(tables["ranges"], "self_cuda_ns")),
                      ("kernels, copies and graphs", kernel_ns + copy_ns + total(devices, "graph_ns")),
                      ("categories", total(tables["categories"], "total_ns")),
                      ("breakdown", total(tables["breakdown"], "sum_ns")),
                      ("launch", total(tables["launch"], "gpu_duration_ns")),
                      ("operators", total(tables["operators"], "self_device_ns")),
                      ("key_averages", total([row for row in tables["key_averages"]
                                              if row["device_type"] == "CUDA"], "self_cuda_ns"))):
        checks.same(f"GPU time of {name}", got, whole)
    checks.same("op-kernels", total(tables["op-kernels"], "total_ns"), kernel_ns)
    if not is_of_steps: # devices count what ran while the steps lasted, cut at their ends
        checks.same("kernels of devices", total(devices, "kernel_ns"), kernel_ns)
        checks.same("copies of devices", total(devices, "memcpy_ns") + total(devices, "memset_ns"), copy_ns)
        checks.same("operations of devices", total(devices, "operations"), gpu["operations"])
    for name in ("categories", "breakdown"):
        checks.same(f"operations of {name}", total(tables[name], "calls"), gpu["operations"])
    checks.same("operations of launch", len(tables["launch"]), gpu["operations"])
    sums = tables["launch-sum"]
    checks.same("operations of launch-sum", total(sums, "calls") + total(sums, "no_call"), gpu["operations"])
    checks.same("no_call", total(sums, "no_call"), gpu["no_call"])


def check_idle(checks, tables):
    """Each moment of a device's span is busy or idle, and idle for one cause."""
    idle = {row["device"]: row for row in tables["idle"]}
    for row in tables["devices"]:
        checks.same("busy and idle", row["busy_ns"] + row["idle_ns"], row["span_ns"])
        if row["device"] in idle:
            of_idle = idle[row["device"]]
            checks.same("idle of devices", sum(of_idle[part] for part in ("idle_ns", "before_ns", "after_ns")),
                        row["idle_ns"])
            gaps = [gap for gap in tables["gaps"] if gap["device"] == row["device"]]
            checks.same("gaps", total(gaps, "dur_ns"), row["idle_ns"])
    for row in tables["idle"] + tables["idle-streams"]:
        parts = [row[f"{cause}_ns"] for cause in ("host_wait", "kernel_wait", "queued", "other")]
        checks.same("causes", sum(parts), row["idle_ns"])
    for row in tables["idle-streams"]:
        gaps = [gap for gap in tables["idle-gaps"]
                if all(gap[key] == row[key] for key in ("rank", "device", "context", "stream"))]
        checks.same("idle-gaps", total(gaps, "idle_ns"), row["idle_ns"])
        checks.same("number of idle-gaps", total(gaps, "count"), row["gaps"])


def check_ranks(checks, tables):
    for row in tables["temporal"]:
        busy_ns = row["compute_ns"] + row["non_compute_ns"]
        checks.same("temporal", busy_ns + row["idle_ns"], row["kernel_time_ns"])
        types = [part for part in tables["kernel-types"] if part["rank"] == row["rank"]]
        checks.same("kernel-types", total(types, "sum_ns"), busy_ns)
        check_shares(checks, "kernel-types", types, "share", "sum_ns")
    for row in tables["overlap"]:
        checks.same("overlap", row["hidden_ns"] + row["exposed_ns"], row["communication_ns"])
        if row["exposed_late_ns"] is not None:
            checks.same("exposed", sum(row[f"exposed_{part}_ns"] for part in ("late", "held", "queued", "unknown")), row["exposed_ns"])


def check_rows(checks, tables):
    """Parts of single rows."""
    roles = [f"{role}_ns" for role in ("kernel", "memcpy", "memset", "communication", "runtime", "dataloader",
                                       "cpu_exec", "other")]
    for row in tables["overview"]:
        checks.same("roles of a step", sum(row[role] for role in roles), row["total_ns"])
    paths = collections.Counter()
    for row in tables["critical-path"]:
        paths[row["step"]] += row["path_ns"]
        checks.same("empty parts of a path", row["path_ns"] <= 0, False)
    steps = collections.Counter()
    for row in tables["overview"]:
        steps[row["step"]] += row["total_ns"]
    for step, total_ns in steps.items():
        checks.same("critical path of a step", paths[step], total_ns)
    for row in tables["step-average"]:
        checks.same("mean roles of steps", sum(row[role] for role in roles), row["total_ns"], 5)
    parts = collections.defaultdict(lambda: ([], []))
    for row in tables["launch"]:
        if row["launch_delay_ns"] is not None:
            for values, key in zip(parts[row["name"], row["kind"]], ("launch_delay_ns", "gpu_duration_ns")):
                values.append(row[key])
    for row in tables["launch-sum"]:
        if row["calls"] > 0:
            for values, key in zip(parts[row["name"], row["kind"]], ("queue_p50_ns", "run_p50_ns")):
                checks.same(f"launch-sum: {key}", row[key], sum(sorted(values)[at] for at in ((len(values) - 1) // 2, len(values) // 2)) // 2)
        checks.same("launch-sum", row["launch_ns"] + row["queue_ns"] + row["run_ns"], row["total_ns"])
        if row["total_ns"] > 0:
            checks.same("shares of launch-sum", sum(row[f"{part}_share"] for part in ("launch", "queue", "run")),
                        1, 2e-6)
    for row in tables["graphs"]:
        parts = ("kernel_ns", "memcpy_ns", "memset_ns", "graph_ns")
        checks.same("graphs", sum(row[part] for part in parts), row["total_ns"])
    overlaps = {row["step"]: row for row in tables["step-overlap"]}
    for row in tables["overview"]:
        part = overlaps[row["step"]]
        checks.same("step-overlap", part["computation_ns"] + part["communication_ns"] - part["overlap_ns"] +
                    part["other_ns"], row["total_ns"])
    for report in ("projection", "projection-devices"):
        for row in tables[report]:
            checks.same(f"{report}: busy beyond its span", max(row["busy_ns"] - row["projected_total_ns"], 0), 0)


def check_cpu(checks, tables, footer):
    for report in ("ranges", "key_averages"):
        rows = tables[report]
        check_shares(checks, report, rows, "self_cpu_share", "self_cpu_ns")
        for row in rows if footer["crossing_ranges"] == 0 else (): # those count in full
            for part, whole in (("self_cpu_ns", "cpu_total_ns"), ("self_cuda_ns", "cuda_total_ns")):
                checks.same(f"{report}: {part} beyond {whole} of {row['name']}",
                            max((row.get(part) or 0) - (row.get(whole) or 0), 0), 0)
    checks.same("Self CPU of key_averages", total(tables["key_averages"], "self_cpu_ns"),
                footer["self_cpu_time_total_ns"])
    nested = [row for row in tables["ranges"] if row["kind"] == "push/pop"]
    checks.same("Self CPU of domains", total(tables["domains"], "self_cpu_ns"), total(nested, "self_cpu_ns"))
    checks.same("ranges of domains", total(tables["domains"], "ranges"), total(nested, "calls"))


def check_memory(checks, tables):
    """The operators' allocations add up to the allocated bytes, by device."""
    names = collections.Counter()
    for row in tables["memory"]:
        names["bytes"] += row["allocated_bytes"]
        names["count"] += row["allocations"]
        names["change"] += row["allocated_bytes"] - row["freed_bytes"]
    rows = tables["op-memory"]
    checks.same("bytes of op-memory", total(rows, "self_allocated_bytes"), names["bytes"])
    checks.same("allocations of op-memory", total(rows, "self_allocations"), names["count"])
    checks.same("increase of op-memory", total(rows, "self_increase_bytes"), names["change"])


def check_trace(checks, tables, is_of_steps):
    """Sections of the report trace whose rows are the parts of another one."""
    sections = collections.defaultdict(dict)
    for row in tables["trace"]:
        sections[row["section"]][row["name"]] = row
    if not sections:
        return
    events = sections["events"]["all"]["count"]
    if not is_of_steps: # all events are
        checks.same("trace: phases", total(sections["phase"].values(), "count"), events)
    every = sections["gpu_all"]["all"]
    for column in ("count", "total_ns"):
        for section in ("gpu", "stream"):
            checks.same(f"trace: {section} {column}", total(sections[section].values(), column), every[column])
    for section in ("timeline", "timeline_linked"):
        line = {name: row["total_ns"] for name, row in sections[section].items()}
        checks.same(f"trace: {section}", line["busy"] + line["idle"], line["total"])
        checks.same(f"trace: {section} busy", line["computation"] + line["exposed_communication"] +
                    line["exposed_memcpy"], line["busy"])
        checks.same(f"trace: {section} communication", line["exposed_communication"] + line["comm_comp_overlap"],
                    line["communication"])


def check_compat(checks, mode, tables):
    """Doubles of us: parts add up but for rounding."""
    if mode == "tb":
        for row in tables["overview"]:
            parts = [value for key, value in row.items() if key.endswith("_us") and key != "total_us"]
            if None in parts or row["total_us"] is None:
                continue
            # If nothing was left for a later role, the plugin begins again with the first.
            again = round(sum(parts) / row["total_us"]) if row["total_us"] > 0 else 1
            checks.met[("tb", "overview", "total_us", "roles that begin anew count twice")] += again > 1
            checks.same("roles of a step", sum(parts), again * row["total_us"], 1e-9 * row["total_us"] + 1e-3)
    elif mode == "hta":
        for row in tables["temporal"]:
            if row["kernel_time_us"] is None: # there is no GPU work
                continue
            checks.same("temporal", row["idle_us"] + row["compute_us"] + row["non_compute_us"],
                        row["kernel_time_us"], 1e-6)
    else:
        check_shares(checks, "key_averages", tables["key_averages"], "self_cpu_share", "self_cpu_us")


def check_ours(checks, tables, footer, is_several, is_of_steps):
    for report, rows in tables.items():
        if any("total_share" in row for row in rows):
            check_shares(checks, report, rows, "total_share", "total_ns")
    check_ranks(checks, tables)
    if not is_several:
        check_gpu(checks, tables, footer, is_of_steps)
        check_idle(checks, tables)
        check_rows(checks, tables)
        check_cpu(checks, tables, footer)
        check_memory(checks, tables)
        check_trace(checks, tables, is_of_steps)


def check_input(checks, analyzer, reports, given):
    files, options = given.split(","), []
    while files[-1].startswith("--"):
        options.append(files.pop())
    has_rows = files[0].endswith((".json", ".json.gz"))
    for mode in MODES:
        checks.where = f"{os.path.basename(files[0])} {' '.join(options)} {mode}"
        if mode != "none" and (not has_rows or options) or mode.startswith("torch") and len(files) > 1:
            continue
        names = reports[mode] if len(files) == 1 else ["all"]  # those that read several
        ask = [*options, "--report", ",".join(names)]
        data = json.loads(run(analyzer, files, mode, "json", ask))
        for report, rows in data["reports"].items():
            walk(checks, mode, report, rows)
        walk(checks, mode, "footer", data.get("footer") or data.get("footers"))
        compare_forms(checks, data["reports"], run(analyzer, files, mode, "csv", ask))
        if mode == "none":
            check_ours(checks, data["reports"], data.get("footer"), len(files) > 1, options != [])
        elif len(files) == 1:
            check_compat(checks, mode, data["reports"])


def main():
    analyzer, checks, reports = sys.argv[1], Checks(), {}
    for mode in MODES:
        reports[mode] = list_reports(analyzer, mode)
    for given in sys.argv[2:]:
        check_input(checks, analyzer, reports, given)
    for exception, count in checks.met.items():
        if count > 0:
            print(f"# {count} times with --compat={exception[0]}: {exception[1]} {exception[2] or ''}: {exception[3]}")
    print(checks.figures, checks.sums, checks.wrong)
    sys.exit(checks.wrong > 0)


if __name__ == "__main__":
    main()

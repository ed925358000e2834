#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `analyzer diff` of two exports of nsys with differences computed from their tables.

usage: diff.py ANALYZER BEFORE AFTER EXPECTED    a line of what differs each, then how many figures were equal
"""
import json
import re
import subprocess
import sys

analyzer, before, after, expected_path = sys.argv[1:5]
with open(expected_path) as file:
    expected = json.load(file)
run = subprocess.run([analyzer, "diff", before, after, "-f", "json"], capture_output=True, text=True)
diff = json.loads(run.stdout)
equal, faults = 0, []


def check(where, ours, theirs):
    global equal
    if ours == theirs:
        equal += 1
    else:
        faults.append(f"{where}: ours {ours}, expected {theirs}")


def own_rows(what, key_of):
    """Rows of some kinds by key. Rows with the same key are added."""
    rows = {}
    for row in diff["rows"]:
        if row["what"] in what:
            sides = rows.setdefault(key_of(row), [[0, 0], [0, 0]])
            for side, when in zip(sides, ("before", "after")):
                side[0] += row[f"calls_{when}"] or 0
                side[1] += row[f"{when}_ns"] or 0
    return {key: [side if side[0] > 0 else None for side in sides] for key, sides in rows.items()}


def base_name(row):
    return re.split("[<(]", re.sub(r"\([a-z ]*\)::|<unnamed>::", "", row["name"]))[0].split("::")[-1].split()[-1]


def hold(table, what, key_of, name_of=lambda name: name):
    ours = own_rows(what, key_of)
    check(f"{table}: rows", len(ours), len({name_of(row[0]) for row in expected[table]["rows"]}))
    theirs = {}
    for name, *sides in expected[table]["rows"]:
        sums = theirs.setdefault(name_of(name), [[0, 0], [0, 0]])
        for sum_of, side in zip(sums, sides):
            sum_of[0] += side[0] if side else 0
            sum_of[1] += side[1] if side else 0
    for name, sums in theirs.items():
        for i, when in enumerate(("before", "after")):
            own = ours.get(name, [None, None])[i] or [0, 0]
            for figure, column in enumerate(("calls", "ns")):
                check(f"{table} {name} {when} {column}", own[figure], sums[i][figure])


check("unit", diff["unit"], "input")
hold("cuda_api_sum", ("api",), lambda row: row["name"])
hold("cuda_gpu_kern_sum", ("kernel", "collective"), lambda row: row["name"])
hold("cuda_gpu_kern_sum_base", ("kernel", "collective"), base_name)
hold("cuda_gpu_mem_time_sum", ("memcpy",), lambda row: row["name"].lower(), str.lower)
hold("nvtx_noid", ("range",), lambda row: f"PushPop\t{row['domain'].replace('(default)', '')}\t{row['name']}")
for fault in faults[:20]:
    print(fault[:300])
print(f"{equal} figures equal, {len(faults)} differ")
sys.exit(1 if faults else 0)

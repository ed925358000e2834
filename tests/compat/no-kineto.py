#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a table that torch printed with --compat's for the trace that it wrote in the same run.

usage: no-kineto.py ANALYZER TRACE TABLE    prints what differs, last "ROWS rows, BAD differ"
"""
import csv
import io
import re
import subprocess
import sys

UNITS = {"us": 1, "ms": 1e3, "s": 1e6}
analyzer, trace, table = sys.argv[1:]


def read_us(text):
    number, unit = re.fullmatch(r"(-?[\d.]+)(us|ms|s)", text).groups()
    return float(number) * UNITS[unit]


wanted = []
with open(table, encoding="utf-8") as lines:
    for line in list(lines)[3:]:
        if line.startswith("-"):
            break
        cells = re.split(r"\s{2,}", line.strip())
        wanted.append((cells[0], read_us(cells[2]), read_us(cells[4]), int(cells[8])))
rows = bad = 0
for mode in ("torch", "torch-old"):
    run = subprocess.run([analyzer, "stats", "-r", "key_averages", f"--compat={mode}", "--format=csv", "--limit=1000", trace],
                         capture_output=True, text=True, check=True)
    ours = {row["name"]: row for row in csv.DictReader(io.StringIO(run.stdout))}
    for name, self_us, total_us, calls in wanted:
        # torch cuts names to 55 characters, and prints µs to three digits of ms.
        found = [key for key in ours if key == name or (name.endswith("...") and key.startswith(name[:-3]))]
        own = ours[found[0]] if found else None
        rows += 1
        if own is None or int(own["calls"]) != calls or abs(float(own["self_cpu_us"]) - self_us) > 0.5 or \
                abs(float(own["cpu_total_us"]) - total_us) > 0.5:
            print(f"{mode}: {name}: {own}, not {self_us} {total_us} {calls}")
            bad += 1
print(f"{rows} rows, {bad} differ")

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# usage: tensor.py ANALYZER FOLDER
#
# Time with tensor cores of all rows of "kernels" together is the share in "gpu", in each form of
# --kernel-name, for all traces in FOLDER whose kernels all run in the steps and on one device. What was launched
# before the recording runs before the first step.
import glob
import json
import os
import subprocess
import sys


def main():
    analyzer, folder = sys.argv[1:]
    count = wrong = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.json.gz"))):
        for form in ("full", "short", "base", "mangled"):
            out = subprocess.run([analyzer, "stats", path, "--report", "kernels,gpu", "--kernel-name", form,
                                  "--format", "json"], check=True, capture_output=True, text=True).stdout
            answer = json.loads(out)
            reports = answer["reports"]
            if len(reports["gpu"]) != 1 or answer["footer"]["gpu"].get("early", 0) > 0:
                continue
            whole = sum(row["total_ns"] for row in reports["kernels"])
            share = reports["gpu"][0]["tensor_core_time"]
            rows = [row["tensor_core_share"] for row in reports["kernels"]]
            count += 1
            if share is None:
                right = all(row is None for row in rows)
            else:
                tensor = sum(row["total_ns"] * (row["tensor_core_share"] or 0) for row in reports["kernels"])
                right = abs(tensor - share * whole) < 1
            if not right:
                wrong += 1
                print(f"{os.path.basename(path)}, {form}: {rows} and {share}")
    print(f"{count} shares compared, {wrong} differ")
    sys.exit(1 if wrong or count < 40 else 0)


main()

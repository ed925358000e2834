# SPDX-License-Identifier: MIT
"""Prints the columns that reports leave out for lack of room.

usage: left-out.py ANALYZER WIDTH WORD...; calls `analyzer stats WORD... --width WIDTH` and prints a line for each
report that leaves some out, REPORT: COLUMN, COLUMN; and one for each that is wider than it may be, or cuts other
texts than those of the columns that may be cut.
"""

import glob
import os
import subprocess
import sys
import tempfile

MARK = "left out for the width: "


def find_left_out(text):
    """The names in the lines below tables, which may continue on further lines."""
    parts = (" ".join(part.split()) for part in text.split(MARK)[1:])
    return ", ".join(part[: part.index(" (--width 0")] for part in parts)


def main():
    analyzer, width, words = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "x")
        call = [analyzer, "stats", *words, "--width", str(width), "-o", prefix]
        done = subprocess.run(call, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            print(f"{' '.join(call)}: exit {done.returncode}: {done.stderr}")
        for path in sorted(glob.glob(prefix + "_*.txt")):
            report = os.path.basename(path)[2:-4]
            with open(path, encoding="utf-8") as file:
                text = file.read()
            left_out = find_left_out(text)
            if left_out:
                print(f"{report}: {left_out}")


main()

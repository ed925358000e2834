# SPDX-License-Identifier: MIT
"""Prints the output for files on terminals of 80, 120 and 200 columns: the summary and every
report.

usage: screens.py ANALYZER FILE...; prints all in one text. A part that is the same on several
widths is printed once, after a line `==== WIDTH WIDTH`. With --one WIDTH before them only the
summary on a terminal of this width.
"""

import subprocess
import sys

sys.dont_write_bytecode = True  # the sources may be read-only
from screen import show

WIDTHS = (80, 120, 200)
RANKS = ("ranges,kernels,memcpy,api,overview,ranks,comm,idle,idle-streams,launch,temporal,overlap,kernel-types,queue,"
         "bandwidth,breakdown,annotations,launch-outliers,idle-gaps,stragglers")


def split(text):
    """Parts of an output: each begins at a title, a line alone between two empty ones or at the top."""
    lines = text.split("\n")
    parts = [[]]
    for i, line in enumerate(lines):
        before = i == 0 or lines[i - 1] == ""
        if before and line and line[0] not in " (" and line != "Over ranks" and i + 1 < len(lines) and lines[i + 1] == "" and len(line) < 60:
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(part) for part in parts if part]


def put(screens):
    """Prints the parts of one output on all widths."""
    parts = [split(screen) for screen in screens]
    if len({len(part) for part in parts}) > 1:
        parts = [[screen] for screen in screens]
    for same in zip(*parts):
        for text in dict.fromkeys(same):
            widths = (str(width) for width, other in zip(WIDTHS, same) if other == text)
            print("====", *widths)
            print(text.rstrip("\n"))


def main():
    if sys.argv[1] == "--one":
        print(show(int(sys.argv[2]), sys.argv[3:]), end="")
        return
    analyzer, files = sys.argv[1], sys.argv[2:]
    reports = RANKS if len(files) > 1 else "all,launch,memory-curve"
    if len(files) == 1:
        put([show(width, [analyzer, *files]) for width in WIDTHS])
    stats = [analyzer, "stats", *files, "--report", reports, "--limit", "4", "--kernel-name", "short", "--width"]
    put([subprocess.run([*stats, str(width)], stdout=subprocess.PIPE, text=True, check=True).stdout for width in WIDTHS])


main()

# SPDX-License-Identifier: MIT
"""Runs analyzer on terminals of several widths. No line may be wider. Every figure must equal, to
at least four digits, one that is shown when there is room for all.

usage: check-screens.py ANALYZER FILE...; prints what is wrong, a line each.
"""

import bisect
import os
import re
import sys
import unicodedata

sys.dont_write_bytecode = True  # the sources may be read-only
from screen import show

WIDTHS = (80, 120, 200)
WIDE = 60000
FIGURE = re.compile(r"(-?[0-9][0-9.,]*?)(ns|us|ms|s|%|B|kB|MB|GB|TB)?[,;]?\Z")
SIZES = {"us": 1e3, "ms": 1e6, "s": 1e9, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
OTHER = re.compile(r"^from the columns shown: .*\n(  .*\n)*|--width\s+0\s+shows", re.MULTILINE)


def measure(line):
    """Columns of a line."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def figures(text):
    """Words that are figures, except those in sentences on what is not shown."""
    return {word.rstrip(",;") for word in OTHER.sub("", text).split() if FIGURE.match(word)}


def read(word):
    """A figure: its unit, its value, and its possible error; None if commas separate its digits."""
    number, unit = FIGURE.match(word).groups()
    if "," in number:
        return None
    factor = SIZES.get(unit, 1)
    kind = "s" if unit in ("ns", "us", "ms", "s") else "B" if unit and unit.endswith("B") else unit
    size = float(number) * factor
    return kind, size, abs(size) / 1000 if "." in number or not unit else 0


def find_new(shown, whole):
    """Figures that equal none of the whole table's, to four digits."""
    known = {}
    for figure in filter(None, map(read, whole)):
        known.setdefault(figure[0], []).append(figure[1])
    for sizes in known.values():
        sizes.sort()
    for word in sorted(shown - whole):
        figure = read(word)
        sizes = known.get(figure[0], []) if figure else []
        nearest = bisect.bisect_left(sizes, figure[1] - figure[2]) if sizes else 0
        if nearest == len(sizes) or sizes[nearest] > figure[1] + figure[2]:
            yield word


def main():
    analyzer, files = sys.argv[1], sys.argv[2:]
    reports = ("all", "launch", "memory-curve")
    for file in files:
        calls = [[analyzer, file]] + [[analyzer, "stats", file, "-l", "20", "-r", report] for report in reports]
        for words in calls:
            whole = figures(show(WIDE, words))
            for width in WIDTHS:
                text = show(width, words)
                call = " ".join([os.path.basename(file)] + words[3:])
                if not text:
                    print(f"{call}: nothing on {width} columns")
                for line in text.splitlines():
                    if measure(line) > width:
                        print(f"{call}: {measure(line)} columns on {width}: {line}")
                for word in find_new(figures(text), whole):
                    print(f"{call}: {word} is only on {width} columns")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds the differences between two forms of a timeline in Perfetto's engine.

usage: differences.py JSON.tsv PROTOBUF.tsv: the output of contents.sql for each. Prints lines that
only one has, with "<" or ">" before them. Exit: 1 if there are any.

Some things the forms write in ways that the engine cannot tell apart or must change: a point in an argument's name
becomes a line there, JSON's numbers are read with an error in the 17th digit, and empty lists in lists are passed over,
where protobuf has a text in their place. Lines that differ are compared without these.
"""

import collections
import re
import sys

EMPTY = re.compile(r"(; )?[^;\t]*\]=(\[\]|\{\}|null)(?=;|$)")
NUMBER = re.compile(r"(?<=[=\t-])\d+\.\d+(e[+-]?\d+)?(?=[;\t]|$)")


def load(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        return collections.Counter(file.read().split("\n"))


def normal(lines):
    result = collections.Counter()
    for line, count in lines.items():
        line = EMPTY.sub("", line.replace("est. achieved", "est_ achieved")).replace("\t; ", "\t")
        result[NUMBER.sub(lambda match: "%.12g" % float(match[0]), line)] += count
    return result


def main():
    left, right = map(load, sys.argv[1:3])
    only_left, only_right = normal(left - right), normal(right - left)
    lines = [f"< {line}" for line in (only_left - only_right).elements()]
    lines += [f"> {line}" for line in (only_right - only_left).elements()]
    sys.stdout.buffer.write("".join(line + "\n" for line in sorted(lines, key=lambda line: line[2:]))
                            .encode("utf-8", "surrogateescape"))
    sys.exit(1 if lines else 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `analyzer diff --compat=tb` with the TensorBoard plugin's figures for public traces.

usage: tb-diff.py ANALYZER TRACES EXPECTED

EXPECTED has lines of words with tabs between them: "pair BASELINE EXP", "node PATH", then of each side name, host, device and
total duration; "op PATH NAME", then of each side calls, host, self host, device and self device duration, in the plugin's order.
Prints for each pair "BASELINE EXP FIGURES DIFFERENT".
"""
import json
import subprocess
import sys

SIDES = "baseline", "exp"
NODE = "%s_duration_us", "%s_device_duration_us", "%s_total_duration_us"
OPERATOR = ("%s_calls", "%s_host_duration_us", "%s_self_host_duration_us", "%s_device_duration_us",
            "%s_self_device_duration_us")


class Pair:
    def __init__(self, analyzer, traces, names):
        self.names = names
        self.figures = self.different = 0
        paths = ["%s/%s.json.gz" % (traces, name) for name in names]
        command = [analyzer, "diff", "--compat=tb", "-f", "json"] + paths
        out = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        self.nodes = out["nodes"]
        self.operators = {}
        for row in out["operators"]:
            self.operators.setdefault(row["path"], []).append(row)

    def same(self, where, ours, theirs):
        self.figures += 1
        if ours != theirs:
            self.different += 1
            print(*self.names, where, repr(ours), "not", repr(theirs), file=sys.stderr)

    def compare(self, where, row, columns, words):
        """Figures of both sides, and the page's figures from them."""
        for side, part in zip(SIDES, (words[:len(words) // 2], words[len(words) // 2:])):
            for column, word in zip(columns, part):
                self.same(where + " " + column % side, row[column % side], float(word))
        for column in columns if columns is OPERATOR else ():
            before, after = (row[column % side] for side in SIDES)
            delta = column % "delta"
            self.same(where, row[delta], after - before)
            self.same(where, row[delta.replace("_us", "") + "_percent"],
                      (after - before) / before * 100 if before else None)

    def take(self, words):
        if words[0] == "op":
            row = self.operators[words[1]].pop(0)
            self.same(words[1], row["operator"], words[2])
            self.compare(" ".join(words[1:3]), row, OPERATOR, words[3:])
            return
        row = self.nodes.pop(0)
        self.same("path", row["path"], words[1])
        self.same(words[1], [row[side] for side in SIDES], [words[2], words[6]])
        self.compare(words[1], row, NODE, words[3:6] + words[7:])

    def finish(self):
        self.same("rows left", len(self.nodes), 0)
        print(*self.names, self.figures, self.different)


def main():
    analyzer, traces, expected = sys.argv[1:]
    pair = None
    for line in open(expected):
        words = line.rstrip("\n").split("\t")
        if words[0] == "pair":
            if pair is not None:
                pair.finish()
            pair = Pair(analyzer, traces, words[1:])
        elif words[0] != "#":
            pair.take(words)
    pair.finish()


main()

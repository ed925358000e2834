#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Counts the Python calls of a script without any NVTX: what `python3 -m nvtx SCRIPT` has to emit.

usage: count-calls.py OUT SCRIPT [ARG...]

OUT gets lines `name TAB count`, sorted, with names as the nvtx package forms them, for the ranges of
its domain nvtx.py. The nvtx package has to be importable: it is imported, and not used, so that the
script finds the same modules loaded. Its profiler additionally sees the end of its own set-up, the
one range `threading.py:LINE(setprofile)`.
"""
import collections
import optparse  # noqa: F401  (the nvtx program has loaded it when the script starts)
import os
import sys
from runpy import run_path

import nvtx  # noqa: F401

calls = collections.Counter()


def count(frame, event, _arg):
    if event == "call":
        code = frame.f_code
        calls[f"{os.path.basename(code.co_filename)}:{frame.f_lineno}({code.co_name})"] += 1


def main():
    out, sys.argv = sys.argv[1], sys.argv[2:]
    sys.setprofile(count)
    try:
        run_path(sys.argv[0])
    finally:
        sys.setprofile(None)
        with open(out, "w", encoding="utf-8") as file:
            file.writelines(f"{name}\t{calls[name]}\n" for name in sorted(calls))


main()

# SPDX-License-Identifier: MIT
"""Measures the cost of ranges in a Python program: CPU time of the process, including the thread
that writes the log, beside a context manager that does nothing.

usage: bench-annotate.py [MODULE-FOLDER]    with `ranges run -q --` in front: while recording

Loops take turns; a row is one of them, in ns a turn: the least, and the median of 15. NVIDIA's
package `nvtx` is measured if it is installed.
"""
import sys
import time

TURNS, ROUNDS = 20000, 15

sys.path[:0] = sys.argv[1:2]
import ranges  # noqa: E402

try:
    import nvtx
except ImportError:
    nvtx = None


class Empty:
    """The least code of a context manager with a name and four settings."""

    __slots__ = ("message", "domain", "color", "category", "payload")

    def __init__(self, message=None, domain=None, color=None, category=None, payload=None):
        self.message = message
        self.domain = domain
        self.color = color
        self.category = category
        self.payload = payload

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        pass


def empty():
    for _ in range(TURNS):
        with Empty("load"):
            pass


def annotate():
    for _ in range(TURNS):
        with ranges.annotate("load"):
            pass


def annotate_in_a_domain():
    for _ in range(TURNS):
        with ranges.annotate("load", domain="lib", color="red"):
            pass


def annotate_with_a_payload():
    for turn in range(TURNS):
        with ranges.annotate("load", payload=turn):
            pass


def annotate_new_names():
    for turn in range(TURNS):
        with ranges.annotate("step %d" % (turn % 1000)):
            pass


def push_and_pop():
    for _ in range(TURNS):
        ranges.push("load")
        ranges.pop()


def nvtx_annotate():
    for _ in range(TURNS):
        with nvtx.annotate("load"):
            pass


def nvtx_push_and_pop():
    for _ in range(TURNS):
        nvtx.push_range("load")
        nvtx.pop_range()


def measure(loop):
    before = time.process_time_ns()
    loop()
    return (time.process_time_ns() - before) / TURNS


def main():
    loops = [empty, annotate, annotate_in_a_domain, annotate_with_a_payload, annotate_new_names]
    loops += [push_and_pop] + ([nvtx_annotate, nvtx_push_and_pop] if nvtx else [])
    times = {loop: [] for loop in loops}
    for _ in range(ROUNDS):
        for loop in loops:
            times[loop].append(measure(loop))
    print("recorded" if ranges.is_recorded() else "not recorded")
    for loop, taken in times.items():
        taken.sort()
        name = loop.__name__.replace("_", " ")
        print("%-24s %6.0f %6.0f" % (name, taken[0], taken[ROUNDS // 2]))


if __name__ == "__main__":
    main()

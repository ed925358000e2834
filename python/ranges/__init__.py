# SPDX-License-Identifier: MIT
"""Ranges, steps and schedules of Python programs for `ranges run`.

    import ranges

    with ranges.annotate("load", payload=i):
        load(i)

If nobody records the program, all of this does nothing. The guide is doc/guide/python.md.
"""
from ._annotate import annotate, begin, end, mark, pop, push, record_function
from ._control import (
    BUSY,
    DONE,
    FAILED,
    NOBODY,
    NOTHING,
    PLANNED,
    WAS_SO,
    flush,
    is_recorded,
    log,
    snapshot,
    start,
    step,
    step_end,
    stop,
    warm,
)
from ._profile import (
    ProfilerAction,
    ProfilerActivity,
    profile,
    schedule,
    tensorboard_trace_handler,
)
from ._read import AnalyzerError, export, read

__all__ = [
    "AnalyzerError",
    "BUSY",
    "DONE",
    "FAILED",
    "NOBODY",
    "NOTHING",
    "PLANNED",
    "ProfilerAction",
    "ProfilerActivity",
    "WAS_SO",
    "annotate",
    "begin",
    "end",
    "export",
    "flush",
    "is_recorded",
    "log",
    "mark",
    "pop",
    "profile",
    "push",
    "read",
    "record_function",
    "schedule",
    "snapshot",
    "start",
    "step",
    "step_end",
    "stop",
    "tensorboard_trace_handler",
    "warm",
]

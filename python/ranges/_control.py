# SPDX-License-Identifier: MIT
"""Steps, and whether the capture is on: the calls of ranges/ranges.h."""
import atexit
import ctypes
import os
import time

from . import _tool
from ._tool import BUSY, DONE, FAILED, NOBODY, NOTHING, PLANNED, WAS_SO

__all__ = ["BUSY", "DONE", "FAILED", "NOBODY", "NOTHING", "PLANNED", "WAS_SO"]

# A log is complete some ms after its end; CUPTI may need a second to hand over what belongs to it.
_WAIT_S = 10.0

_open_step = None  # whether a step of step() has not ended; None: it was never called


def is_recorded():
    """True if somebody records this program."""
    return _tool.borrow_nvtx() is not None or _tool.borrow_control() is not None


def _call(name):
    function = getattr(_tool.borrow_control(), name, None)
    return NOBODY if function is None else function()


def start():
    """Switches the capture on, until stop(). Each such period has a log of its own.

    Returns DONE, WAS_SO (it was on already), PLANNED (a schedule decides), BUSY (nothing was done),
    NOBODY (records this program). So do the next three.
    """
    return _call("start")


def stop():
    """Switches the capture off."""
    return _call("stop")


def warm():
    """Warms up: everything is on, but events are dropped, until start() or stop()."""
    return _call("warm")


def flush():
    """Writes the events recorded so far to the log, and waits for that."""
    return _call("flush")


def snapshot(path=None):
    """Writes the part that RANGES_KEEP has kept so far to a log. The capture goes on.

    path: of the log; else as RANGES_OUTPUT says, with .s1, .s2 ... in it. Returns DONE, NOTHING (is
    kept), FAILED (to write it), BUSY (not done in time), NOBODY (records this program).
    """
    function = getattr(_tool.borrow_control(), "snapshot", None)
    return NOBODY if function is None else function(None if path is None else os.fsencode(path))


def step(number=None, name=None):
    """Begins a step of the program, and ends the one before. number: the step's number, by default
    the next one. The last step ends with step_end(), at the latest when the interpreter exits: what
    it takes to tear itself down is no part of the step."""
    global _open_step
    function = getattr(_tool.borrow_control(), "step", None)
    if function is not None:
        if _open_step is None:
            atexit.register(_end_open_step)
        _open_step = True
        function(
            _tool.STEP_NEXT if number is None else number,
            None if name is None else str(name).encode("utf-8", "replace"),
        )


def step_end():
    """Ends the step without beginning another one."""
    global _open_step
    function = getattr(_tool.borrow_control(), "step_end", None)
    if function is not None:
        _open_step = False
        function()


def _end_open_step():
    if _open_step:
        step_end()


def borrow_cycle():
    """The number of the present period in which the capture is on, or of the last one; 0 if it
    never was on."""
    function = getattr(_tool.borrow_control(), "cycle", None)
    return 0 if function is None else function()


def borrow_log(cycle):
    """The log of a cycle, if it is complete; else None."""
    function = getattr(_tool.borrow_control(), "log", None)
    path = ctypes.create_string_buffer(4096)
    if function is None or function(cycle, path, len(path)) != DONE:
        return None
    return path.value.decode("utf-8", "surrogateescape")


def log(cycle=None, timeout=_WAIT_S):
    """The path of a period's complete log; None if there is none yet.

    cycle: number of the period, from 1; by default the last one, which stop() has ended. timeout:
    seconds to wait.
    """
    if cycle is None:
        cycle = borrow_cycle()
    until = time.monotonic() + timeout
    path = borrow_log(cycle)
    while path is None and cycle > 0 and time.monotonic() < until:
        time.sleep(0.002)
        path = borrow_log(cycle)
    return path

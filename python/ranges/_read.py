# SPDX-License-Identifier: MIT
"""Logs and traces as Python's data, and in the other forms that `analyzer` writes."""
import json
import os
import shutil
import subprocess


class AnalyzerError(RuntimeError):
    """analyzer has failed. The message is its own line."""


def _find_analyzer():
    """Beside this module (in a wheel), else on the path."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "analyzer")
    found = own if os.access(own, os.X_OK) else shutil.which("analyzer")
    if not found:
        raise FileNotFoundError("ranges: analyzer is not on the path")
    return found


def _environment():
    """Runs analyzer outside of the recording, because it is not a part of the recorded program."""
    own = ("NVTX_INJECTION64_PATH", "CUDA_INJECTION64_PATH", "LD_PRELOAD")
    return {name: value for name, value in os.environ.items() if name not in own}


def _run(arguments):
    command = [_find_analyzer()] + [os.fspath(argument) for argument in arguments]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment(), check=False
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise AnalyzerError(said or "analyzer has ended with %d" % done.returncode)
    return done.stdout


def _borrow_pandas(frame):
    """frame: True, False, or None: if pandas is installed."""
    if frame is False:
        return None
    try:
        import pandas
    except ImportError:
        if frame:
            raise
        return None
    return pandas


def read(log, report=None, *, frame=None, options=()):
    """The events of a log or trace; with report= the rows of one of `analyzer stats`.

    Events are those of `analyzer LOG -o x.events.jsonl`, times are ns. Returns a pandas.DataFrame
    if pandas is installed, else a list of dicts; frame=False: a list, True: a frame. options:
    further arguments for analyzer, such as ["--steps", "100-102"].
    """
    if report is None:
        text = _run([log, "-o", "-", "--to", "events", *options])
    else:
        text = _run(["stats", log, "-r", report, "-f", "jsonl", *options])
    rows = [json.loads(line) for line in text.splitlines()]
    pandas = _borrow_pandas(frame)
    return rows if pandas is None else pandas.DataFrame(rows)


def print_report(log, report, form, options=()):
    """A report of `analyzer stats` as text."""
    return _run(["stats", log, "-r", report, "-f", form, *options]).decode("utf-8", "replace")


def export(log, path, *, options=()):
    """Writes the log in the form given by the name's suffix: .json, .html, .pftrace, .sqlite, …"""
    _run([log, "-o", path, *options])

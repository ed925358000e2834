#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds differences between a log and the JSON made from it.

usage: round-trip.py ANALYZER FOLDER LOG...
A LOG that is a script of tests/cli/ stands for the logs that it makes. Each log is written as JSON,
and that JSON is written as JSON again. All outputs of the analyzer for the three are compared byte
for byte, under one file name. The same is done with JSON that does not contain the log, whose
reports are made from its events. EVENTS_LACK lists what events cannot tell. Prints each fault on a
line.
"""
import json
import os
import re
import runpy
import shutil
import subprocess
import sys

COMMANDS = (
    ("stats", "--report", "all,launch", "--format", "json"),
    ("stats", "--report", "all", "--names", "raw", "--attribute", "process,sequence", "--format", "csv"),
    ("stats", "--group-by", "path,category,payload"),
    ("analyze", "--all"),
    ("dump",),
    ("dump", "--slices"),
    ("info",),
    ("verify",),
)

# Reports that events alone give as the log does …
EVENTS_GIVE = ("api", "graphs", "kernels", "launch-sum", "memcpy", "overhead")
# … and reports that they do not, with the reason. Other reports are compared only for JSON that
# contains the log.
NO_CLOCK = "operations that begin before the capture, or overlap on a stream, are moved to be drawn"
EVENTS_LACK = {
    "advice": NO_CLOCK,
    "annotations": "ranges that cross each other lie on rows of their own",
    "counters": "values that are no number are not drawn, and the domain is part of the name",
    "critical-path": "what waited for an event of another stream, and waits for locks are drawn as ranges",
    "devices": NO_CLOCK,
    "domains": "ids of domains, and marks that stand for losses",
    "footer": "what was lost, damaged or repaired while the log was read",
    "gaps": NO_CLOCK,
    "gpu-sync": "a wait's call is told by its correlation alone",
    "idle": NO_CLOCK,
    "idle-streams": NO_CLOCK,
    "idle-gaps": NO_CLOCK,
    "key_averages": "ranges that cross each other lie on rows of their own",
    "launch-outliers": NO_CLOCK,
    "launch": "threads have the numbers that their rows have",
    "memory": "allocations are not drawn",
    "memory-holders": "allocations are not drawn",
    "op-memory": "allocations are not drawn",
    "operators": "ranges of NVTX are no operators of PyTorch",
    "overview": "waits for locks are drawn as ranges",
    "payload": "payloads are drawn decoded",
    "projection": NO_CLOCK,
    "projection-devices": NO_CLOCK,
    "ranges": "ranges that cross each other lie on rows of their own",
    "step-average": "waits for locks are drawn as ranges",
    "step-overlap": "waits for locks are drawn as ranges",
    "sync": "waits for locks are drawn as ranges",
    "threads": "events lost and numbers of streams; threads without events have no row",
    "trace": "what a trace in JSON holds, which a log is not",
}


def run(analyzer, folder, *words):
    done = subprocess.run([analyzer, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def first_difference(wanted, got):
    """The first line that differs."""
    for number, (a, b) in enumerate(zip(wanted.split(b"\n") + [b"(end)"], got.split(b"\n") + [b"(end)"])):
        if a != b:
            return f"line {number + 1}: wanted {a[:150]!r}, got {b[:150]!r}"
    return "nothing"


def compare_all(analyzer, folders, name):
    wrong = []
    for command in COMMANDS:
        wanted = run(analyzer, folders[0], *command, name)
        for folder in folders[1:]:
            got = run(analyzer, folder, *command, name)
            for what, a, b in zip(("exit status", "output", "complaints"), wanted, got):
                if a != b:
                    wrong.append(f"{' '.join(command)}: {what}: " +
                                 (first_difference(a, b) if what != "exit status" else f"{a}, {b}"))
    return wrong


def reports_of(analyzer, folder, name):
    status, out, _ = run(analyzer, folder, "stats", "--report", "all,launch", "--format", "json", name)
    return json.loads(out)["reports"] if status == 0 else {}


def make_logs(script, folder):
    """The logs of a script of tests/cli/, whose text stands between LOG and LOG."""
    maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools/text-log.py")
    with open(script, encoding="utf-8") as file:
        texts = re.findall(r"text-log .*?<<'LOG'\n(.*?\n)LOG\n", file.read(), re.S)
    made = []
    for number, text in enumerate(texts):
        made.append(os.path.join(folder, f"{os.path.basename(script)}-{number}.bin"))
        with open(made[-1] + ".txt", "w", encoding="utf-8") as file:
            file.write(text)
        sys.argv[1:] = [made[-1], made[-1] + ".txt"]
        runpy.run_path(maker, run_name="__main__")
    return made


def main():
    analyzer, top, *paths = sys.argv[1:]
    os.makedirs(top, exist_ok=True)
    logs = []
    for path in paths:
        logs += make_logs(path, top) if path.endswith(".sh") or os.path.basename(path) == "lib" else [path]
    folders = [os.path.join(top, word) for word in ("log", "once", "twice", "events")]
    seen = set()
    for folder in folders:
        os.makedirs(folder, exist_ok=True)
    for log in logs:
        name = os.path.basename(log)
        wrong = []
        shutil.copy(log, os.path.join(folders[0], name))
        # The name of the output is in it, so it is the same in each folder.
        for source, target in zip(folders, folders[1:3]):
            status, _, said = run(analyzer, source, name, "-o", os.path.join(target, "t.json"))
            if status != 0:
                wrong.append(f"-o gave {status}: {said!r}")
            os.replace(os.path.join(target, "t.json"), os.path.join(target, name))
        run(analyzer, folders[0], name, "-o", os.path.join(folders[3], "t.json"), "--without-log")
        os.replace(os.path.join(folders[3], "t.json"), os.path.join(folders[3], name))
        texts = [open(os.path.join(folder, name), "rb").read() for folder in folders[1:]]
        if texts[0] != texts[1]:
            wrong.append("JSON of JSON: " + first_difference(texts[0], texts[1]))
        if b'\n"libranges":{' in texts[2] or not texts[0].startswith(texts[2][:-2]):
            wrong.append("--without-log leaves out more than the log, or less")
        wrong += compare_all(analyzer, folders[:3], name)
        wanted, got = (reports_of(analyzer, folder, name) for folder in (folders[0], folders[3]))
        for report in sorted(set(wanted) | set(got)):
            if wanted.get(report) != got.get(report):
                seen.add(report)
                if report in EVENTS_GIVE:
                    wrong.append(f"events alone: {report}: " + first_difference(
                        *(json.dumps(of.get(report), indent=1).encode() for of in (wanted, got))))
        for line in wrong:
            print(f"{name}: {line}")
        for folder in folders:
            os.remove(os.path.join(folder, name))
    for report in sorted(set(EVENTS_LACK) - seen):
        print(f"{report} is in EVENTS_LACK, and differs nowhere")
    print(f"{len(logs)} logs", file=sys.stderr)


main()

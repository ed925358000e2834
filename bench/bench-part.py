#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the cost of a part of a large log, compared with the whole: bench-part.py ANALYZER
GEN_LOG [PAIRS]

Makes a log of PAIRS ranges (50 million: 100 million events) that tells what is open, and one that does not, as logs
of before did. Of each: a table of all ranges; `analyzer slice` of 10 ms in the middle, and a table of that part; a
table of one step in the middle (5,000 ranges of the thread that has steps), and that step as JSON. CPU time of the user and the system, the median of 5 by turns, largest resident set; each also as a
part of reading all. The files go to a temporary folder and need some 4.5 bytes an event.
"""
import os
import statistics
import subprocess
import sys
import tempfile

REPEATS = 5
STEP = 5000


def run(*words):
    """CPU seconds, and KB of the largest resident set."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(words)}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    analyzer, gen_log = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 50_000_000
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, "part.bin")
        for title, words in (("the log tells what is open", ["--open"]), ("it does not", [])):
            log = os.path.join(folder, "whole.bin")
            subprocess.run([gen_log, log, "--pairs", str(pairs), "--threads", "2", "--depth", "6", "--steps", str(STEP),
                            *words], check=True)
            threads = subprocess.run([analyzer, "stats", log, "-r", "threads", "-f", "csv"], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, check=True).stdout.decode().splitlines()[1:]
            step = ["--step-range", "step", "--steps", str(pairs // 2 // STEP // 2)]
            middle = max(int(line.split(",")[8]) for line in threads) // 2
            commands = {
                "all: stats -r ranges": [analyzer, "stats", log, "-r", "ranges"],
                "10 ms: slice": [analyzer, "slice", log, "--from", f"{middle}ns", "--to", f"{middle + 10_000_000}ns",
                                 "-o", part],
                "10 ms: stats -r ranges of the part": [analyzer, "stats", part, "-r", "ranges"],
                "one step: stats -r ranges": [analyzer, "stats", log, "-r", "ranges", *step],
                "one step: -o JSON": [analyzer, log, "-o", os.path.join(folder, "step.json"), *step],
                "info": [analyzer, "info", log],
            }
            found = {name: [] for name in commands}
            for _ in range(REPEATS):
                for name, command in commands.items():
                    found[name].append(run(*command))
            print(f"{title}: {2 * pairs} events, {os.path.getsize(log)} bytes; the part {os.path.getsize(part)} bytes")
            whole = statistics.median(seconds for seconds, _ in found["all: stats -r ranges"])
            for name, times in found.items():
                seconds = [one for one, _ in times]
                print(f"  {name:36} {statistics.median(seconds):8.3f} s ({min(seconds):.3f} to {max(seconds):.3f}), "
                      f"{max(kb for _, kb in times) / 1024:6.0f} MB, {statistics.median(seconds) / whole:.4f} of all")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the gain of several threads: wall-clock time of `analyzer` with --jobs 1 and with --jobs
N.

bench-jobs.py ANALYZER GEN-LOG [PAIRS [JOBS [TRACE...]]]: a table of a log of PAIRS ranges (5,000,000; two
events each), and of each TRACE its summary, then reports of all of them together; RUNS of each, by
turns. The least wall-clock time counts, because other work on the machine lengthens most runs.
Beside it are user and system time, which depend little on other work, and the largest resident set.
On a busy machine root can run `chrt -f 10 make bench-jobs`, which keeps other programs off its
cores for the half second that a run takes.
"""
import os
import subprocess
import sys
import tempfile
import time

RUNS = 15


def run(command):
    """Runs a command. Returns its output, wall seconds, CPU seconds, and largest resident set in MB."""
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 5):
            sys.exit('%s: exit %d' % (' '.join(command[:3]), process.returncode))
        out.seek(0)
        return out.read(), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def compare(what, command, jobs):
    """Prints a row: the command with one job and with several."""
    found = {1: [], jobs: []}
    texts = set()
    for _ in range(RUNS):
        for number, rows in found.items():
            text, *row = run(command + ['--jobs=%d' % number])
            texts.add(text)
            rows.append(row)
    least = {number: [min(column) for column in zip(*rows)] for number, rows in found.items()}
    one, several = least[1], least[jobs]
    print('%-34s wall %.3f s, %.3f s with %d: %.2f; CPU %.3f, %.3f s: %.2f; %.0f, %.0f MB; %s bytes'
          % (what, one[0], several[0], jobs, several[0] / one[0], one[1], several[1], several[1] / one[1],
             one[2], several[2], 'the same' if len(texts) == 1 else 'OTHER'), flush=True)


def main():
    """Prints the figures."""
    analyzer, generate = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 5_000_000
    jobs = int(sys.argv[4]) if len(sys.argv) > 4 else os.cpu_count()
    traces = sys.argv[5:]
    if jobs < 2:
        sys.exit('bench-jobs: one processor gains nothing')
    print('load %.1f, %d CPUs' % (os.getloadavg()[0], os.cpu_count()), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'log.bin')
        subprocess.run([generate, log, '--pairs', str(pairs), '--threads', '2', '--depth', '6'], check=True)
        compare('a table of %d events' % (2 * pairs), [analyzer, 'stats', log, '-r', 'ranges'], jobs)
    for trace in traces:
        compare(os.path.basename(trace), [analyzer, trace], jobs)
    if len(traces) > 1:
        compare('all of them', [analyzer, 'stats'] + traces, jobs)
        compare('all of them, held', [analyzer, 'stats', '-r', 'stragglers'] + traces, jobs)
    print('load %.1f' % os.getloadavg()[0])


if __name__ == '__main__':
    main()

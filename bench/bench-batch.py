#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a batch of many rank logs costs: throughput of a core, memory, speed-up, merging.

bench-batch.py ANALYZER GEN-LOG [LOGS [PAIRS]]: generates LOGS (1,000) logs of PAIRS ranges each (some
1 MB), summarises them with one worker and with two, merges the parts once more, and says what 100,000
ranks would take at that rate. CPU time is user and system time of all processes; memory is the largest
resident set of any of them, and of the one that merges.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

PROJECTED = 100_000


def run(*command):
    """Runs a command. Returns wall and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak_kb(*command):
    """Largest resident set in KB of the process itself and of its workers."""
    code = ('import resource, subprocess, sys\n'
            'subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n'
            'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)')
    return int(subprocess.run([sys.executable, '-c', code, *command], check=True, text=True,
                              stdout=subprocess.PIPE).stdout)


def main():
    """Prints the figures."""
    analyzer, generate = sys.argv[1:3]
    logs = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    pairs = int(sys.argv[4]) if len(sys.argv) > 4 else 230_000
    with tempfile.TemporaryDirectory() as folder:
        inputs = os.path.join(folder, 'in')
        os.mkdir(inputs)
        for log in range(logs):
            run(generate, os.path.join(inputs, '%06d.bin' % log), '--pairs', str(pairs), '--names', '10', '--depth', '4',
                '--seed', str(log + 1))
        size = sum(entry.stat().st_size for entry in os.scandir(inputs)) / 1e6
        print('%d logs of %.2f MB, %d ranges each' % (logs, size / logs, pairs))
        out = os.path.join(folder, 'out')
        walls = {}
        for jobs in (1, 2):
            shutil.rmtree(out, ignore_errors=True)
            walls[jobs], cpu = run(analyzer, 'batch', inputs, '-o', out, '-j', str(jobs))
            print('-j%d: %.1f s, %.1f s of CPU: %.1f MB/s and %.2f M ranges/s of a core, %.1f ms each'
                  % (jobs, walls[jobs], cpu, size / cpu, logs * pairs / cpu / 1e6,
                     cpu / logs * 1e3))
        print('speed-up 1 -> 2 workers: %.2f (means nothing where other programs run)' % (walls[1] / walls[2]))
        emitted = os.path.join(folder, 'emitted')
        _, cpu = run(analyzer, 'batch', inputs, '-o', emitted, '-j', '1', '--emit', 'json.gz,table')
        print('with --emit json.gz,table: %.1f ms of CPU each' % (cpu / logs * 1e3))
        shutil.rmtree(emitted)
        one = os.path.join(folder, 'one')
        worst = os.path.join(folder, 'paths.bin')
        run(generate, worst, '--pairs', str(pairs), '--names', '200', '--depth', '8', '--seed', '3')
        print('worker of a log with as many paths as ranges, nearly: %.1f MB'
              % (peak_kb(analyzer, 'batch', worst, '-o', os.path.join(folder, 'worst'), '-j', '1') / 1e3))
        print('largest worker: %.1f MB; batch of all, with the process that merges: %.1f MB'
              % (peak_kb(analyzer, 'batch', os.path.join(inputs, '000000.bin'), '-o', one) / 1e3,
                 peak_kb(analyzer, 'batch', inputs, '-o', out, '--resume') / 1e3))
        parts = [os.path.join(out, 'parts', name) for name in os.listdir(os.path.join(out, 'parts'))]
        _, cpu = run(analyzer, 'merge', *parts, '-o', os.path.join(folder, 'all.sum'))
        merged = os.path.getsize(os.path.join(folder, 'all.sum'))
        print('merge: %.3f ms and %.1f KB a part; %d ranks: %.1f s, %.2f GB'
              % (cpu / logs * 1e3, merged / logs / 1e3, PROJECTED, cpu / logs * PROJECTED,
                 merged / logs * PROJECTED / 1e9))


if __name__ == '__main__':
    main()

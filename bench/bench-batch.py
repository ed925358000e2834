#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the cost of a batch of many rank logs: throughput of a core, memory, speed-up, merging.

bench-batch.py ANALYZER GEN-LOG [LOGS [PAIRS]]: generates LOGS (1,000) logs of PAIRS ranges each
(some 1 MB), summarises them with one worker and with two, merges the parts once more, and says what
100,000 ranks would take at that rate. If analyzer-mpi is beside ANALYZER and mpirun can start it,
MPI ranks do the same; one of them hands out work. CPU time is user and system time of all
processes; memory is the largest resident set of any of them, and of the one that merges. The load
of the machine is what getloadavg says.
"""
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import time

PROJECTED = 100_000


def run(*command):
    """Runs a command. Returns wall seconds, CPU seconds, and the largest resident set in KB of it and its workers,
    but not less than that of this program."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit('%s: exit %d' % (' '.join(command[:3]), process.returncode))
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def say_load(when):
    """The machine's load, on which wall-clock times depend."""
    print('%s: load %.1f, %d CPUs' % (when, os.getloadavg()[0], os.cpu_count()), flush=True)


def measure_mpi(analyzer, inputs, expected):
    """The same batch by ranks of MPI, whose summary must be that of the workers."""
    program = analyzer + '-mpi'
    if not os.path.exists(program) or shutil.which('mpirun') is None:
        print('MPI: not measured: there is no %s' % ('mpirun' if os.path.exists(program) else program))
        return
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    walls = {}
    for ranks in (2, 3):
        out = os.path.join(inputs, os.pardir, 'mpi')
        command = ['mpirun', '-n', str(ranks), '--oversubscribe', program, inputs, '-o', out]
        walls[ranks], cpu, peak = run(*command)
        same = filecmp.cmp(os.path.join(out, 'summary.sum'), expected, shallow=False)
        print('MPI, %d ranks that work: %.1f s, %.1f s of CPU (who waits spins), at most %.1f MB; %s summary'
              % (ranks - 1, walls[ranks], cpu, peak / 1e3, 'the same' if same else 'ANOTHER'), flush=True)
        shutil.rmtree(out)
    print('MPI, speed-up 1 -> 2 ranks that work: %.2f' % (walls[2] / walls[3]))


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
        print('%d logs of %.2f MB, %d ranges each' % (logs, size / logs, pairs), flush=True)
        say_load('before')
        out = os.path.join(folder, 'out')
        walls = {}
        for jobs in (1, 2):
            shutil.rmtree(out, ignore_errors=True)
            walls[jobs], cpu, peak = run(analyzer, 'batch', inputs, '-o', out, '-j', str(jobs))
            print('-j%d: %.1f s, %.1f s of CPU: %.1f MB/s and %.2f M ranges/s of a core, %.1f ms each; at most %.1f MB'
                  % (jobs, walls[jobs], cpu, size / cpu, logs * pairs / cpu / 1e6, cpu / logs * 1e3, peak / 1e3),
                  flush=True)
        say_load('after')
        print('speed-up 1 -> 2 workers: %.2f (means nothing where other programs run)' % (walls[1] / walls[2]),
              flush=True)
        measure_mpi(analyzer, inputs, os.path.join(out, 'summary.sum'))
        emitted = os.path.join(folder, 'emitted')
        _, cpu, _ = run(analyzer, 'batch', inputs, '-o', emitted, '-j', '1', '--emit', 'json.gz,table')
        print('with --emit json.gz,table: %.1f ms of CPU each' % (cpu / logs * 1e3))
        shutil.rmtree(emitted)
        one = os.path.join(folder, 'one')
        worst = os.path.join(folder, 'paths.bin')
        run(generate, worst, '--pairs', str(pairs), '--names', '200', '--depth', '8', '--seed', '3')
        print('worker of a log with as many paths as ranges, nearly: %.1f MB'
              % (run(analyzer, 'batch', worst, '-o', os.path.join(folder, 'worst'), '-j', '1')[2] / 1e3))
        print('largest worker: %.1f MB; batch of all, with the process that merges: %.1f MB'
              % (run(analyzer, 'batch', os.path.join(inputs, '000000.bin'), '-o', one)[2] / 1e3,
                 run(analyzer, 'batch', inputs, '-o', out, '--resume')[2] / 1e3))
        parts = [os.path.join(out, 'parts', name) for name in os.listdir(os.path.join(out, 'parts'))]
        _, cpu, peak = run(analyzer, 'merge', *parts, '-o', os.path.join(folder, 'all.sum'))
        merged = os.path.getsize(os.path.join(folder, 'all.sum'))
        print('merge: %.3f ms and %.1f KB a part, %.1f MB of memory; %d ranks: %.1f s, %.2f GB'
              % (cpu / logs * 1e3, merged / logs / 1e3, peak / 1e3, PROJECTED, cpu / logs * PROJECTED,
                 merged / logs * PROJECTED / 1e9))


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how the analyzer's costs grow with a log: bench-scale.py BUILD [EVENTS]

First by size: logs of 10^5 events up to EVENTS (10 million). Then by shape, each with two million events: names,
depth, threads, domains, ranks. User and system time in ns an event, the least of RUNS by turns, as a multiple of a
floor of the same turns, and the largest resident set. The floor of a table is `bench-analyzer floor`: inflate and
decode, no more. That of an output is write(2) of the same number of bytes; that of .sqlite is to insert as many rows
of ranges, and no more. All run with one thread: two on one core lengthen each other's CPU time. Outputs are measured
up to 10 million events. The files go to a temporary folder and need 120 bytes an event, or 2.3
beyond that. Memory below some 16 MB is not visible, because this program itself has that much.
"""
import os
import subprocess
import sys
import tempfile

RUNS = 5
MOST_WRITTEN = 10_000_000
SHAPE_PAIRS = 1_000_000


def take_usage(pid):
    """CPU seconds and MB of a child that ended."""
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit('bench-scale: a command ended with status %d' % status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def run(words):
    """Runs a command."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    usage = take_usage(process.pid)
    process.returncode = 0
    return usage


def run_here(function, *values):
    """Runs a function in a child."""
    pid = os.fork()
    if pid == 0:
        function(*values)
        os._exit(0)
    return take_usage(pid)


def write_bytes(path, count):
    """The floor of an output: count bytes from one block."""
    block = bytes(1 << 20)
    out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    while count > 0:
        count -= os.write(out, block[:min(count, len(block))])
    os.close(out)


def measure(steps):
    """Runs {name: a function without arguments} by turns. Returns {name: (least seconds, most MB)}."""
    found = {name: [] for name in steps}
    for _ in range(RUNS):
        for name, step in steps.items():
            found[name].append(step())
    return {name: (min(row[0] for row in rows), max(row[1] for row in rows)) for name, rows in found.items()}


class Bench:
    """The programs, and a folder for the files."""

    def __init__(self, build, folder):
        self.folder = folder
        self.analyzer = os.path.join(build, 'analyzer/analyzer')
        self.decode = [os.path.join(build, 'bench/bench-analyzer'), 'floor']
        self.insert = [os.path.join(build, 'bench/sqlite-floor')]
        self.generate = os.path.join(build, 'tests/tools/gen-log')
        self.record = [os.path.join(build, 'libranges/ranges'), 'run', '-q', '-f', '-o']
        self.work = os.path.join(build, 'bench/scale-work')
        self.empty = self.make('empty.bin', 1)

    def path(self, name):
        """A file of the folder."""
        return os.path.join(self.folder, name)

    def make(self, name, pairs, *words):
        """Generates a log."""
        log = self.path(name)
        subprocess.run([self.generate, log, '--pairs', str(pairs), *words], check=True)
        return log

    def take(self, name, kind, count):
        """Records a log of scale-work."""
        log = self.path(name)
        environment = dict(os.environ, RANGES_SPOOL_DIR=self.folder)
        subprocess.run([*self.record, log, '--', self.work, kind, str(count), str(SHAPE_PAIRS)], check=True,
                       env=environment)
        return log

    def measure_table(self, logs):
        """A table of ranges, and its floor. Returns the row, and both less what a log of one range costs."""
        found = measure({
            'start': lambda: run([self.analyzer, 'stats', self.empty, '-r', 'ranges', '-j', '1']),
            'no log': lambda: run([*self.decode, self.empty]),
            'table': lambda: run([self.analyzer, 'stats', *logs, '-r', 'ranges', '-j', '1']),
            'floor': lambda: [sum(pair) for pair in zip(*(run([*self.decode, log]) for log in logs))],
        })
        table = found['table'][0] - found['start'][0]
        floor = found['floor'][0] - found['no log'][0] * len(logs)
        return table, max(floor, 1e-3), found['table'][1]

    def show_table(self, what, events, logs):
        """Prints a row of a table."""
        table, floor, memory = self.measure_table(logs)
        print('%-26s %9.2f MB  table %7.1f ns an event, %6.2f x floor %6.1f;  %5.0f MB'
              % (what, sum(os.path.getsize(log) for log in logs) / 1e6, table / events * 1e9, table / floor,
                 floor / events * 1e9, memory), flush=True)

    def show_output(self, log, events, kind):
        """Prints a row of an output."""
        out = self.path('out.' + kind)
        words = [self.analyzer, log, '-o', out, '-j', '1']
        run(words)
        size = os.path.getsize(out)
        bare = self.path('bare')
        steps = {
            'made': lambda: run(words),
            'written': lambda: run_here(write_bytes, bare, size),
            'start': lambda: run([self.analyzer, self.empty, '-o', self.path('empty.' + kind), '-j', '1']),
        }
        if kind == 'sqlite' and os.path.exists(self.insert[0]):
            steps['inserted'] = lambda: run([*self.insert, bare, str(events // 2)])
        found = measure(steps)
        made = found['made'][0] - found['start'][0]
        text = ['%.2f x write(2)' % (made / found['written'][0])]
        if 'inserted' in found:
            text.append('%.2f x inserts alone' % (made / found['inserted'][0]))
        print('  .%-8s %9.1f MB %9.1f ns an event; %s; %5.0f MB'
              % (kind, size / 1e6, made / events * 1e9, ', '.join(text), found['made'][1]), flush=True)
        for file in (out, bare):
            os.unlink(file)


def show_sizes(bench, most):
    """The same log, longer and longer."""
    events = 100_000
    while events <= most:
        log = bench.make('size.bin', events // 2, '--threads', '2', '--depth', '6', '--open')
        bench.show_table('%d events' % events, events, [log])
        for kind in ('json', 'pftrace', 'sqlite'):
            if 1_000_000 <= events <= MOST_WRITTEN:
                bench.show_output(log, events, kind)
        os.unlink(log)
        events *= 10


def show_shapes(bench):
    """Logs of equally many events, wider and wider."""
    events = 2 * SHAPE_PAIRS
    for option, counts in (('names', (1, 100, 10_000, 1_000_000)), ('threads', (1, 100, 10_000))):
        for count in counts:
            log = bench.make('shape.bin', SHAPE_PAIRS, '--' + option, str(count))
            bench.show_table('%d %s' % (count, option), events, [log])
    for kind, counts in (('depth', (10, 100, 1_000, 10_000)), ('domains', (1, 1_000, 10_000, 100_000))):
        for count in counts:
            log = bench.take('shape.bin', kind, count)
            bench.show_table('%s %d' % (kind, count), events, [log])
    for ranks in (10, 100, 1_000):
        logs = [bench.make('rank%d.bin' % rank, SHAPE_PAIRS // ranks, '--seed', str(rank + 1), '--names', '5',
                           '--depth', '3') for rank in range(ranks)]
        bench.show_table('%d ranks' % ranks, events, logs)
        for log in logs:
            os.unlink(log)


def main():
    """Prints the figures."""
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    print('load %.1f' % os.getloadavg()[0], flush=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(sys.argv[1], folder)
        show_sizes(bench, most)
        show_shapes(bench)
    print('load %.1f' % os.getloadavg()[0])


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how often `analyzer diff` calls a range slower that is slower, and one that is not:
trials with real runs of real programs.

verdict.py BUILD [--trials N] [--rows LIST] [--seed S] [--fail-on LIMITS] [--keep DIR | --judge DIR]

A trial records the runs that its rows need, all in random order, and asks `analyzer diff` of BUILD (a build's folder)
for each row. Runs are shared by the rows of a trial: one set "before" stands against each planted share.

rows:
  same-work     equal sides of verdict-work, 5 runs each
  same-server   equal sides of verdict-server, 5 runs each: no call of one is that of another
  same-mpi      equal sides of verdict-stencil, 5 runs of 2 ranks each; left out without mpicc and mpirun
  plus-20       20 % more in "sort", 5 runs a side
  plus-10       10 % more, 5 runs a side
  plus-5        5 % more, 10 runs a side
  plus-25-pair  25 % more, one log of 1,500 calls of "sort" a side
  same-loaded   equal sides of verdict-work, 5 runs each, another process busy in half of the runs

--keep DIR      keep the logs there, one folder per trial: recording and judging are two steps
--judge DIR     judge the logs that lie there, with this build's analyzer; nothing is recorded
--fail-on       the limits given to diff, for all rows alike ("2%,10us")
--json FILE     the counts as JSON as well
--table FILE    writes them into a document, between its lines <!-- verdicts --> and <!-- end of verdicts -->

Of rows with equal sides a trial is a false call if any row or part is called slower or faster. Of the others it is
a call if "sort" is called slower, and it is counted whether the first row called is that one, and what else was called.
Rates have 95 % intervals (Clopper and Pearson). Exit: 0, 1 a program failed, 2 usage.
"""
import argparse
import collections
import json
import math
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile

PLANTED = 'sort'
LONG_ITEMS = '1500'
WHOLE = (('CPU Exec', 'slower'), ('Total', 'slower')) # what the planted one is a part of
RANKS = 2
HOG_SECONDS = '60'

# A set of runs: its folder, the number of runs, and words for verdict-work or another program's
# name.
Set = collections.namedtuple('Set', 'count program words loaded')
SETS = {
    'before': Set(10, 'work', (), 0),
    'plus-20': Set(5, 'work', ('150', PLANTED, '20'), 0),
    'plus-10': Set(5, 'work', ('150', PLANTED, '10'), 0),
    'plus-5': Set(10, 'work', ('150', PLANTED, '5'), 0),
    'long': Set(1, 'work', (LONG_ITEMS,), 0),
    'long-25': Set(1, 'work', (LONG_ITEMS, PLANTED, '25'), 0),
    'server': Set(10, 'server', (), 0),
    'mpi': Set(10, 'stencil', (), 0),
    'loaded': Set(10, 'work', (), 5),
}

# A row: the sets of both sides, the numbers of the runs of each, and the rates for `must` and
# `goal`.
Row = collections.namedtuple('Row', 'before after equal must goal words')
ODD, EVEN = range(1, 11, 2), range(2, 11, 2)
FIRST, ALL, ONE = range(1, 6), range(1, 11), range(1, 2)
ROWS = {
    'same-work': Row(('before', ODD), ('before', EVEN), True, 2, 1, 'equal sides, 5 runs each: work that varies'),
    'same-server': Row(('server', ODD), ('server', EVEN), True, 2, 1, 'the same: a server with random requests'),
    'same-mpi': Row(('mpi', ODD), ('mpi', EVEN), True, 2, 1, 'the same: an MPI stencil, 2 ranks'),
    'plus-20': Row(('before', FIRST), ('plus-20', FIRST), False, 98, 100, '20 % more in one range, 5 runs a side'),
    'plus-10': Row(('before', FIRST), ('plus-10', FIRST), False, 90, 98, '10 % more, 5 runs a side'),
    'plus-5': Row(('before', ALL), ('plus-5', ALL), False, 80, 95, '5 % more, 10 runs a side'),
    'plus-25-pair': Row(('long', ONE), ('long-25', ONE), False, 80, 95, '25 % more, one log of 1,500 calls a side'),
    'same-loaded': Row(('loaded', ODD), ('loaded', EVEN), True, 5, 2,
                       'equal sides, 5 runs each, a process beside half of the runs'),
}


def has_mpi():
    """Whether MPI programs can be built and started."""
    return shutil.which('mpicc') is not None and shutil.which('mpirun') is not None


class Recorder:
    """Makes the logs of trials."""

    def __init__(self, build, folder):
        self.ranges = os.path.join(build, 'libranges', 'ranges')
        self.programs = {'work': os.path.join(build, 'bench', 'verdict-work'),
                         'server': os.path.join(build, 'bench', 'verdict-server'),
                         'stencil': os.path.join(folder, 'verdict-stencil')}
        self.env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')

    def build_stencil(self):
        """Builds the MPI program, which make does not build."""
        source = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(['mpicc', '-O2', '-I' + os.path.join(source, '..', 'libranges', 'include'),
                        os.path.join(source, 'verdict-stencil.c'), '-o', self.programs['stencil'], '-lm'],
                       check=True, env=self.env)

    def record(self, folder, kind, number):
        """One run of a set."""
        program = SETS[kind].program
        place = os.path.join(folder, kind, '%02d' % number)
        command = [self.programs[program], *SETS[kind].words]
        if program == 'stencil':
            command = ['mpirun', '--oversubscribe', '-n', str(RANKS), self.ranges, 'run', '-q', '-o', place + '-%r.bin', '--',
                       *command]
        else:
            command = [self.ranges, 'run', '-q', '-o', place + '.bin', '--', *command]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.env, check=False)
        if done.returncode != 0:
            sys.exit('verdict: %s: exit code %d\n%s' % (' '.join(command), done.returncode,
                                                        done.stderr.decode(errors='replace')))

    def record_loaded(self, folder, kind, number):
        """One run while another process is busy."""
        hog = subprocess.Popen([self.programs['work'], 'hog', HOG_SECONDS])
        try:
            self.record(folder, kind, number)
        finally:
            hog.kill()
            hog.wait()

    def record_trial(self, folder, rows, chance):
        """All runs of a trial, in random order. Writes down the order."""
        kinds = sorted({side[0] for row in rows for side in (ROWS[row].before, ROWS[row].after)})
        loaded = {kind: set(chance.sample(range(1, SETS[kind].count + 1), SETS[kind].loaded)) for kind in kinds}
        runs = [(kind, number) for kind in kinds for number in range(1, SETS[kind].count + 1)]
        chance.shuffle(runs)
        for kind in kinds:
            os.makedirs(os.path.join(folder, kind))
        for kind, number in runs:
            (self.record_loaded if number in loaded[kind] else self.record)(folder, kind, number)
        with open(os.path.join(folder, 'trial.json'), 'w', encoding='ascii') as out:
            json.dump({'runs': runs, 'loaded': {kind: sorted(numbers) for kind, numbers in loaded.items() if numbers}},
                      out)


def link_side(folder, trial, side):
    """A folder with the logs of one side: the sets of a trial are shared by rows."""
    kind, numbers = side
    os.makedirs(folder)
    for name in sorted(os.listdir(os.path.join(trial, kind))):
        if int(name[:2]) in numbers:
            os.symlink(os.path.abspath(os.path.join(trial, kind, name)), os.path.join(folder, name))


def judge(analyzer, trial, row, fail_on):
    """The called rows, in diff's order, each with its verdict; None if the trial has no such
    logs."""
    with tempfile.TemporaryDirectory() as temp:
        sides = []
        for word, side in (('a', ROWS[row].before), ('b', ROWS[row].after)):
            if not os.path.isdir(os.path.join(trial, side[0])):
                return None
            sides.append(os.path.join(temp, word))
            link_side(sides[-1], trial, side)
        done = subprocess.run([analyzer, 'diff', *sides, '--fail-on', fail_on, '-f', 'json'], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit('verdict: %s, %s: exit code %d\n%s' % (trial, row, done.returncode, done.stderr.decode()))
    diff = json.loads(done.stdout)
    return [(one.get('name', one.get('part')), one['verdict']) for one in diff['rows'] + diff['parts']
            if one['verdict'] in ('slower', 'faster')]


def tail(count, successes, chance):
    """Probability of so many successes or more."""
    return math.fsum(math.comb(count, i) * chance ** i * (1 - chance) ** (count - i) for i in range(successes, count + 1))


def bound(count, successes, goal):
    """The success rate at which that many successes or more have the probability `goal`."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(count, successes, middle) < goal else (low, middle)
    return low


def interval(count, successes):
    """The 95 % interval of a rate, after Clopper and Pearson."""
    return (bound(count, successes, 0.025) if successes > 0 else 0.0,
            bound(count, successes + 1, 0.975) if successes < count else 1.0)


class Tally:
    """The results of one row."""

    def __init__(self):
        self.trials = self.hits = self.first = self.others = 0
        self.names = collections.Counter()

    def add(self, row, called):
        """One trial's calls."""
        wanted = (PLANTED, 'slower')
        self.trials += 1
        if not ROWS[row].equal:
            called = [call for call in called if call not in WHOLE]
        self.hits += bool(called) if ROWS[row].equal else wanted in called
        self.first += called[:1] == [wanted]
        self.others += any(call != wanted for call in called)
        self.names.update('%s %s' % call for call in called if ROWS[row].equal or call != wanted)

    def show(self, row):
        """A line of the table."""
        low, high = interval(self.trials, self.hits)
        what = 'false calls' if ROWS[row].equal else 'calls'
        more = '' if ROWS[row].equal else '; named first in %d, others called in %d' % (self.first, self.others)
        aim = '%s %d%%, %d%%' % ('<=' if ROWS[row].equal else '>=', ROWS[row].must, ROWS[row].goal)
        print('%-13s %3d of %3d trials: %-11s %5.1f %% (%.1f-%.1f), must and goal %s%s%s'
              % (row, self.hits, self.trials, what, 100 * self.hits / self.trials, 100 * low, 100 * high, aim, more,
                 ''.join('; %s %d' % name for name in self.names.most_common(6))))


BEGIN, END = '<!-- verdicts -->\n', '<!-- end of verdicts -->\n'


def name_machine():
    """The processor and its number of cores, as far as known."""
    model = platform.machine()
    with open('/proc/cpuinfo', encoding='ascii', errors='replace') as info:
        for line in info:
            if line.startswith('model name'):
                model = line.split(':', 1)[1].strip()
    return '%s, %d cores' % (model, len(os.sched_getaffinity(0)))


def make_table(tallies, fail_on):
    """Lines for the document."""
    trials = max((tally.trials for tally in tallies.values()), default=0)
    yield '`make bench-verdict-table TRIALS=%d` wrote this: %s; limits %s.\n\n' % (trials, name_machine(), fail_on)
    yield '| sides | called | trials | rate, its 95 % interval | must | goal | else |\n|---|---|---|---|---|---|---|\n'
    for row, tally in tallies.items():
        low, high = interval(tally.trials, tally.hits) if tally.trials > 0 else (0, 1)
        rate = '%.1f %% (%.1f to %.1f)' % (100 * tally.hits / tally.trials, 100 * low, 100 * high) if tally.trials > 0 else '-'
        sign = '≤' if ROWS[row].equal else '≥'
        more = '' if ROWS[row].equal else 'named first in %d, others called in %d' % (tally.first, tally.others)
        yield '| %s | %d | %d | %s | %s %d %% | %s %d %% | %s |\n' % (ROWS[row].words, tally.hits, tally.trials, rate, sign,
                                                            ROWS[row].must, sign, ROWS[row].goal, more)


def write_table(tallies, options):
    """Puts the table into a document, in place of the last one."""
    with open(options.table, encoding='utf-8') as document:
        text = document.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit('verdict: %s: it has no lines %s and %s' % (options.table, BEGIN.strip(), END.strip()))
    head, rest = text.split(BEGIN)
    with open(options.table, 'w', encoding='utf-8') as document:
        document.write(head + BEGIN + ''.join(make_table(tallies, options.fail_on)) + END + rest.split(END)[1])


def trials_of(folder):
    """The folders of whole trials."""
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
            if os.path.exists(os.path.join(folder, name, 'trial.json'))]


def show(tallies, json_file):
    """The table."""
    for row, tally in tallies.items():
        if tally.trials > 0:
            tally.show(row)
    if json_file:
        with open(json_file, 'w', encoding='ascii') as out:
            json.dump({row: dict(vars(tally), names=dict(tally.names), interval=interval(tally.trials, tally.hits))
                       for row, tally in tallies.items() if tally.trials > 0}, out, indent=1)


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', metavar='BUILD')
    parser.add_argument('--trials', type=int, default=10)
    parser.add_argument('--rows', default=','.join(ROWS), help='some of them, with commas')
    parser.add_argument('--seed', type=int, default=1, help='of the order of the runs')
    parser.add_argument('--fail-on', default='2%,10us')
    parser.add_argument('--keep', metavar='DIR')
    parser.add_argument('--judge', metavar='DIR')
    parser.add_argument('--json', metavar='FILE')
    parser.add_argument('--table', metavar='FILE')
    options = parser.parse_args()
    options.rows = options.rows.split(',')
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown or options.trials < 1 or (options.keep and options.judge):
        parser.error('there is no row %s' % unknown[0] if unknown else '--trials is 1 or more; --keep or --judge')
    return options


def run_trials(options, tallies, folder):
    """Records and judges, trial by trial."""
    analyzer = os.path.join(options.build, 'analyzer', 'analyzer')
    recorder = Recorder(options.build, folder)
    if 'same-mpi' in options.rows:
        if has_mpi():
            recorder.build_stencil()
        else:
            print('verdict: same-mpi is left out: there is no mpicc and mpirun', file=sys.stderr)
            options.rows.remove('same-mpi')
    for number in range(1, options.trials + 1):
        trial = os.path.join(folder, 'trial-%03d' % number)
        if not os.path.exists(os.path.join(trial, 'trial.json')):
            shutil.rmtree(trial, ignore_errors=True) # an interrupted trial
            recorder.record_trial(trial, options.rows, random.Random('%d %d' % (options.seed, number)))
        judge_trial(analyzer, trial, options, tallies)
        if not options.keep:
            shutil.rmtree(trial)
        print('\rtrial %d of %d' % (number, options.trials), end='', file=sys.stderr, flush=True)
    print(file=sys.stderr)


def judge_trial(analyzer, trial, options, tallies):
    """All rows of a trial."""
    for row in options.rows:
        called = judge(analyzer, trial, row, options.fail_on)
        if called is not None:
            tallies[row].add(row, called)


def main():
    """Prints the table."""
    options = read_options()
    tallies = {row: Tally() for row in ROWS}
    if options.judge:
        for trial in trials_of(options.judge):
            judge_trial(os.path.join(options.build, 'analyzer', 'analyzer'), trial, options, tallies)
    elif options.keep:
        os.makedirs(options.keep, exist_ok=True)
        run_trials(options, tallies, options.keep)
    else:
        with tempfile.TemporaryDirectory() as temp:
            run_trials(options, tallies, temp)
    show(tallies, options.json)
    if options.table:
        write_table(tallies, options)


if __name__ == '__main__':
    main()

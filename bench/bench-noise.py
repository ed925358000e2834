#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""False alarms of `analyzer diff`, on real runs: all pairs of N runs of one program at the default limits.

bench-noise.py ANALYZER RANGES PROGRAM [RUNS [FOLDER]]: records RUNS (20) runs of noise-loop as it is and RUNS
in which the range "forward" does 10 % more, in turns, compares each pair of equal ones in both directions, and each of
the usual with each of the slower ones. Says how many raise an alarm, which rows, and how many name "forward". FOLDER keeps the
logs; logs that lie there are not made again.
"""
import collections
import itertools
import json
import os
import subprocess
import sys
import tempfile


def record(folder, analyzer, ranges, program, runs):
    """Records missing logs. Returns two lists of summaries."""
    kinds = {'usual': (), 'slow': ('forward', '10')}
    for run in range(runs):
        for kind, words in kinds.items():
            name = os.path.join(folder, '%s%d' % (kind, run))
            if not os.path.exists(name + '.bin'):
                subprocess.run([ranges, 'run', '-o', name + '.bin', '--', program, *words], check=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            subprocess.run([analyzer, 'summarize', '--step-range', 'step', name + '.bin', '-o', name + '.sum'],
                           check=True)
    return [[os.path.join(folder, '%s%d.sum' % (kind, run)) for run in range(runs)] for kind in kinds]


def compare(analyzer, before, after):
    """Exit status and names of the rows that are slower."""
    done = subprocess.run([analyzer, 'diff', before, after, '--fail-on', '5%,10us', '-f', 'json'],
                          stdout=subprocess.PIPE, check=False)
    diff = json.loads(done.stdout)
    slower = [row['name'] for row in diff['rows'] if row['verdict'] == 'slower']
    return done.returncode, slower + ['part ' + part['part'] for part in diff['parts'] if part['verdict'] == 'slower']


def main():
    """Prints the figures."""
    analyzer, ranges, program = sys.argv[1:4]
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    with tempfile.TemporaryDirectory() as temp:
        usual, slow = record(sys.argv[5] if len(sys.argv) > 5 else temp, analyzer, ranges, program, runs)
        for what, pairs in (('forth', list(itertools.combinations(usual, 2))),
                            ('back', [(b, a) for a, b in itertools.combinations(usual, 2)])):
            alarms = 0
            rows = collections.Counter()
            for a, b in pairs:
                code, names = compare(analyzer, a, b)
                alarms += code != 0
                rows.update(names)
            print('equal runs, %s: %d alarms in %d pairs' % (what, alarms, len(pairs)), dict(rows.most_common()))
        found = named = 0
        rows = collections.Counter()
        for a, b in itertools.product(usual, slow):
            code, names = compare(analyzer, a, b)
            found += code == 1
            named += 'forward' in names
            rows.update(names)
        print('10 %% more in "forward": %d of %d pairs exit with 1, %d name it'
              % (found, len(usual) * len(slow), named), dict(rows.most_common()))


if __name__ == '__main__':
    main()

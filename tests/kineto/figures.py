# SPDX-License-Identifier: MIT
"""Shared by the programs that compare figures of public traces: counts, and the sum at the end."""
import concurrent.futures
import glob
import os
import sys


class Figures:
    """Counts the figures of a trace, and keeps those that differ."""

    def __init__(self, analyzer, trace):
        self.analyzer = analyzer
        self.trace = trace
        self.count = 0
        self.wrong = []

    def add(self, is_right, what, got, wanted):
        self.count += 1
        if not is_right:
            self.wrong.append(f'{what}: wanted {wanted}, got {got}')


def compare_all(kind, shown, compare):
    """
    Calls compare(analyzer, traces, file), which gives Figures, for each NAME.KIND.json among the
    expected ones. The program's arguments are ANALYZER TRACES.

    Prints a line per trace, the first `shown` figures of it that differ, and a sum. Return: the
    program's exit status, 1 if any figure differs or there are none.
    """
    analyzer, traces = sys.argv[1:]
    files = sorted(glob.glob(os.path.join(traces, 'expected', f'*.{kind}.json')))
    count = wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for file, figures in zip(files, pool.map(
                lambda file: compare(analyzer, traces, file), files)):
            count += figures.count
            wrong += len(figures.wrong)
            print(f'{find_name(file)}: {figures.count} figures, {len(figures.wrong)} differ')
            for text in figures.wrong[:shown]:
                print('   ', text)
    print(f'{kind}: {len(files)} files, {count} figures, {wrong} differ')
    return 1 if wrong or not files else 0


def find_name(expected):
    return os.path.basename(expected).split('.')[0]


def find_trace(traces, expected):
    """The trace that a file of expected figures is about."""
    return os.path.join(traces, f'{find_name(expected)}.json.gz')

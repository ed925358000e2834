#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares our figures with those of TraceLens' reports on the traces that its repository shows.

compare-tracelens.py ANALYZER TRACES: a line per trace and a sum; exit status 1 if any figure differs.

TraceLens has its times from doubles of us, so a figure may be off by their spacing for each event
in it. Its percentages and categories of operators are its own.
"""
import json
import subprocess
import sys

sys.dont_write_bytecode = True  # the sources may be read-only
from figures import Figures, compare_all, find_trace

# ns of a spacing of doubles at the times of the trace, rounded up
SPACING = 1
TIMELINE = {
    'computation_time': 'computation',
    'exposed_comm_time': 'exposed_communication',
    'exposed_memcpy_time': 'exposed_memcpy',
    'busy_time': 'busy',
    'idle_time': 'idle',
    'total_time': 'total',
    'total_comm_time': 'communication',
    'total_memcpy_time': 'memcpy',
}


class Comparison(Figures):
    def check(self, what, got, wanted, allowed):
        self.add(got is not None and abs(got - wanted) <= allowed, what, got, wanted)

    def report(self, name):
        out = subprocess.run([self.analyzer, 'stats', '-r', name, '-f', 'json', self.trace],
                             check=True, stdout=subprocess.PIPE).stdout
        return json.loads(out)['reports'][name]

    def timeline(self, table):
        rows = {row['name']: row['total_ns'] for row in self.report('trace')
                if row['section'] == 'timeline_linked'}
        events = sum(row['calls'] for row in self.report('key_averages')
                     if row['device_type'] == 'CUDA')
        for kind, time_ms, _ in table['rows']:
            self.check(kind, rows.get(TIMELINE[kind]), time_ms * 1e6, SPACING * (events + 1))

    def kernels(self, table):
        """By name, whatever the operator and stream; these come from the text of dur."""
        wanted = {}
        for values in table['rows']:
            row = dict(zip(table['columns'], values))
            sums = wanted.setdefault(row['Kernel name'], [0, 0, float('inf'), 0])
            sums[0] += row['Kernel duration (µs)_sum']
            sums[1] += row['Kernel duration (µs)_count']
            sums[2] = min(sums[2], row['Kernel duration (µs)_min'])
            sums[3] = max(sums[3], row['Kernel duration (µs)_max'])
        ours = {row['name']: row for row in self.report('kernels')}
        ours.update((row['name'], {'total_ns': row['self_cuda_ns'], 'calls': row['calls']})
                    for row in self.report('key_averages')
                    if row['device_type'] == 'CUDA' and row['name'] not in ours)
        for name, (total, calls, least, most) in wanted.items():
            row = ours.get(name, {})
            self.check(f'{name}: sum', row.get('total_ns'), total * 1000, 0.01)
            self.check(f'{name}: calls', row.get('calls'), calls, 0)
            if 'min_ns' in row:
                self.check(f'{name}: min', row['min_ns'], least * 1000, 0.01)
                self.check(f'{name}: max', row['max_ns'], most * 1000, 0.01)

    def operators(self, table):
        ours = {row['name']: row for row in self.report('key_averages')
                if row['device_type'] == 'CPU'}
        for values in table['rows']:
            row = dict(zip(table['columns'], values))
            mine = ours.get(row['name'], {})
            allowed = SPACING * 3 * row['Count']
            self.check(f'{row["name"]}: own kernels', mine.get('self_cuda_ns'),
                       row['total_direct_kernel_time_sum'] * 1000, allowed)
            self.check(f'{row["name"]}: kernels inside', mine.get('cuda_total_ns'),
                       row['total_subtree_kernel_time_sum'] * 1000, allowed)
            self.check(f'{row["name"]}: calls', mine.get('calls'), row['Count'], 0)


def compare(analyzer, traces, expected):
    comparison = Comparison(analyzer, find_trace(traces, expected))
    with open(expected, encoding='utf-8') as text:
        wanted = json.load(text)
    comparison.timeline(wanted['gpu_timeline'])
    if 'kernel_summary' in wanted:
        comparison.kernels(wanted['kernel_summary'])
        comparison.operators(wanted['ops_summary'])
    return comparison


if __name__ == '__main__':
    sys.exit(compare_all('tracelens', 9, compare))

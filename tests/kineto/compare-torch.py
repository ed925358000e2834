# SPDX-License-Identifier: MIT
"""Compares the report key_averages with torch.profiler's figures for public traces, and our own
figures in it with the exact values.

compare-torch.py ANALYZER TRACES: a line per trace and a sum; exit status 1 if any figure differs.
"""
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # the sources may be read-only
from figures import Figures, compare_all, find_trace

TIMES = ('self_cpu_us', 'cpu_total_us', 'self_cuda_us', 'cuda_total_us')
BYTES = ('cpu_mem', 'self_cpu_mem', 'cuda_mem', 'self_cuda_mem')


def is_equal(got, wanted):
    """Integers exactly, floats to 1e-9."""
    if isinstance(wanted, float):
        return abs(got - wanted) <= 1e-9 * abs(wanted)
    return got == wanted


class Comparison(Figures):
    def check(self, what, got, wanted):
        self.add(is_equal(got, wanted), what, got, wanted)

    def run(self, *options):
        return subprocess.run([self.analyzer, 'stats', '-r', 'key_averages', *options, self.trace],
                              check=True, stdout=subprocess.PIPE).stdout

    def rows(self, wanted, mode, shapes):
        """Rows, in torch's order, and the footer's two sums."""
        group = ['--group-by', 'shape'] if shapes else []
        result = json.loads(self.run('--format', 'json', f'--compat={mode}', *group))
        rows = result['reports']['key_averages']
        self.check('rows', len(rows), len(wanted['rows']))
        for row, values in zip(rows, wanted['rows']):
            values = dict(zip(wanted['columns'], values))
            name = values['name']
            self.check('order of rows', row['name'], name)
            self.check(f'{name}: device', row['device_type'],
                       'CPU' if values['device'] == 'CPU' else 'CUDA')
            self.check(f'{name}: annotation', bool(row['user_annotation']),
                       values['user_annotation'])
            self.check(f'{name}: calls', row['calls'], values['calls'])
            for key, column in zip(TIMES, ('self_cpu', 'cpu_total', 'self_device', 'device_total')):
                self.check(f'{name}: {key}', row[key], values[column])
            for key, column in zip(BYTES, ('cpu_mem', 'self_cpu_mem', 'device_mem',
                                           'self_device_mem')):
                self.check(f'{name}: {key}', row.get(key, 0), values[column])
            if shapes:
                self.check(f'{name}: shapes', row['input_shapes'], values['input_shapes'])
        return result['footer']

    def table(self, wanted):
        """The printed table, byte for byte."""
        got = self.run('--format', 'torch', '--compat=torch', '--sort', 'self_cuda_time_total')
        self.check('printed table', got, wanted)
        self.wrong = [text[:200] for text in self.wrong]

    def ours(self, exact):
        """Our own figures: GPU time by the range that launched it, each operation once."""
        result = json.loads(self.run('--format', 'json', '--names', 'raw'))
        rows = result['reports']['key_averages']
        footer = result['footer']
        self.check('Self CUDA total', footer['self_cuda_time_total_ns'], exact['gpu']['all']['sum'])
        self.check('Self CUDA of the rows', footer['self_cuda_time_total_ns'],
                   sum(row['self_cuda_ns'] for row in rows if row['device_type'] == 'CUDA'))
        self.check('Self CPU of the rows', footer['self_cpu_time_total_ns'],
                   sum(row['self_cpu_ns'] for row in rows))
        for row in rows:
            self.check(f'{row["name"]}: Self CPU below 0 or over the total', True,
                       0 <= row['self_cpu_ns'] <= row['cpu_total_ns'])
        self.match('device', ('calls', 'self_cuda_ns', 'cuda_total_ns'),
                   [row for row in rows if row['device_type'] == 'CUDA'],
                   exact['gpu_ops_by_name'], ('calls', 'sum', 'sum'))
        self.match('ranges', ('cuda_total_ns',), rows, exact['cpu_ranges'], ('gpu_total_sum',))
        if exact['gpu_ops_whose_innermost_range_ties_with_another_name'] == 0:
            self.match('ranges', ('self_cuda_ns',), rows, exact['cpu_ranges'], ('gpu_self_sum',))
        apis = exact['runtime_and_driver_calls']
        self.match('calls of CUDA', ('calls',),  rows, apis, ('calls',))

    def match(self, what, keys, rows, table, columns):
        """Rows of ours by name; the table's of equal names are added up."""
        sums = {}
        for values in table['rows']:
            values = dict(zip(table['columns'], values))
            name = re.sub('^ProfilerStep#[0-9]+$', 'ProfilerStep*', values['name'])
            row = sums.setdefault(name, [0] * len(columns))
            for i, column in enumerate(columns):
                row[i] += values[column]
        ours = {row['name']: row for row in rows}
        for name, wanted in sums.items():
            for key, value in zip(keys, wanted):
                self.check(f'{what}: {name}: {key}', ours.get(name, {}).get(key), value)


def compare(analyzer, traces, expected):
    comparison = Comparison(analyzer, find_trace(traces, expected))
    with open(expected, encoding='utf-8') as file:
        wanted = json.load(file)
    modern = comparison.rows(wanted['rows_modern'], 'torch', False)
    if 'rows_modern_by_input_shape' in wanted:
        comparison.rows(wanted['rows_modern_by_input_shape'], 'torch', True)
    old = json.loads(comparison.run('--format', 'json', '--compat=torch-old'))
    comparison.check('rows of torch-old', len(old['reports']['key_averages']),
                     wanted['rows_torch_le_2_4'])
    sums = wanted['footer']
    for footer, suffix in ((modern, 'ge_2_5'), (old['footer'], 'le_2_4')):
        comparison.check(f'Self CPU total {suffix}', footer['self_cpu_time_total_us'],
                         sums['self_cpu_time_total'])
        comparison.check(f'Self CUDA total {suffix}', footer['self_cuda_time_total_us'],
                         sums[f'self_device_time_total_torch_{suffix}'])
    text = expected.replace('.json', '.txt')
    if os.path.exists(text):
        with open(text, 'rb') as file:
            comparison.table(file.read())
    with open(expected.replace('key_averages', 'exact'), encoding='utf-8') as file:
        comparison.ours(json.load(file))
    return comparison


if __name__ == '__main__':
    sys.exit(compare_all('key_averages', 5, compare))

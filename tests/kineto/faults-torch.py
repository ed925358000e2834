#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows the faults of torch.profiler's table on a small trace, and that our own figures lack them.

faults-torch.py ANALYZER FOLDER: TAP, without a plan.
"""
import json
import os
import subprocess
import sys


def event(cat, name, ts, dur, **args):
    thread = args.pop('tid', 1)
    return {'ph': 'X', 'cat': cat, 'name': name, 'pid': 1, 'tid': thread, 'ts': ts, 'dur': dur,
            'args': args}


def launch(cat, name, ts, correlation, external):
    return event(cat, name, ts, 5, **{'correlation': correlation, 'External id': external})


def kernel(name, ts, dur, correlation, external):
    return event('kernel', name, ts, dur, tid=7, device=0, stream=7, correlation=correlation,
                 **{'External id': external})


# Times in us. A step; an operator with one of the same name inside; two operators that cross; and
# an operator whose launches have their correlation as External id.
TRACE = [
    event('user_annotation', 'ProfilerStep#3', 0, 1000, **{'External id': 1}),
    event('cpu_op', 'outer', 10, 100, **{'External id': 2}),
    event('cpu_op', 'outer', 20, 50, **{'External id': 3}),
    event('cpu_op', 'leaf', 30, 10, **{'External id': 4}),
    event('cpu_op', 'other', 80, 10, **{'External id': 8}),
    event('cpu_op', 'left', 200, 100, **{'External id': 5}),
    event('cpu_op', 'right', 250, 150, **{'External id': 6}),
    event('cpu_op', 'aten::mm', 500, 50, **{'External id': 7, 'Input Dims': [[4, 8], [8, 2]]}),
    event('cpu_op', 'aten::conv2d', 800, 5, **{
        'External id': 9, 'Input Dims': [[2, 3, 32, 30], [8, 3, 5, 3], [8], [], [], [], []],
        'Concrete Inputs': ['', '', '', '[2, 1]', '[2, 1]', '[1, 1]', '1'],
        'Call stack': 'model.py(7): forward;main.py(3): <module>'}),
    event('cpu_op', 'aten::addmm', 810, 5, **{'Input Dims': [[2], [4, 8], [8, 2], [], []]}),
    event('cpu_op', 'aten::bmm', 820, 5, **{'Input Dims': [[3, 4, 8], [3, 8, 2]]}),
    event('cpu_op', 'aten::add', 830, 5, **{'Input Dims': [[4, 8], [4, 8], []]}),
    event('cpu_op', 'aten::relu', 840, 5, **{'Input Dims': [[4, 8]]}),
    launch('cuda_runtime', 'cudaLaunchKernel', 32, 100, 3),
    launch('cuda_runtime', 'cudaLaunchKernel', 505, 200, 200),
    launch('cuda_driver', 'cuLaunchKernel', 520, 201, 201),
    kernel('k1', 40, 20, 100, 3),
    kernel('k2', 510, 30, 200, 200),
    kernel('k3', 540, 40, 201, 201),
    event('gpu_user_annotation', 'ProfilerStep#3', 40, 540, tid=7, **{'External id': 1}),
    event('cuda_sync', 'Stream Sync', 600, 70, tid=7, stream=7, device=0, correlation=300),
    {'ph': 'i', 's': 't', 'name': '[memory]', 'pid': 1, 'tid': 1, 'ts': 35,
     'args': {'Bytes': 512, 'Device Type': 1, 'Device Id': 0, 'Addr': 1}},
    {'ph': 'i', 's': 't', 'name': '[memory]', 'pid': 1, 'tid': 2, 'ts': 36,
     'args': {'Bytes': 64, 'Device Type': 0, 'Device Id': -1, 'Addr': 2}},
]


class Report:
    def __init__(self, analyzer, path, *options):
        out = subprocess.run([analyzer, 'stats', '-r', 'key_averages', '-f', 'json', *options,
                              path], check=True, stdout=subprocess.PIPE).stdout
        result = json.loads(out)
        self.rows = {(row['name'], row['device_type']): row
                     for row in result['reports']['key_averages']}
        self.footer = result['footer']

    def get(self, key, name, device='CPU'):
        return self.rows.get((name, device), {}).get(key)


def main():
    analyzer, folder = sys.argv[1:]
    path = os.path.join(folder, 'faults.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'traceEvents': TRACE}, file)
    ours = Report(analyzer, path)
    torch = Report(analyzer, path, '--compat=torch')
    old = Report(analyzer, path, '--compat=torch-old')
    layout = subprocess.run([analyzer, 'stats', '-r', 'key_averages', '-f', 'torch', '--group-by',
                             'shape,stack', '--set', 'flops=1', path], check=True,
                            stdout=subprocess.PIPE).stdout.decode().splitlines()
    step = 'ProfilerStep*'
    checks = [
        ('Self CPU: what crosses others is not taken off twice',
         ours.get('self_cpu_ns', step), 625000),
        ('… each instant is of one range', [ours.get('self_cpu_ns', name)
                                            for name in ('left', 'right')], [50000, 150000]),
        ('… torch counts both in full', torch.get('self_cpu_us', step), 575),
        ('Self CPU adds up to the time in which anything was open',
         ours.footer['self_cpu_time_total_ns'], 1000000),
        ('CPU total: a name inside itself counts once', ours.get('cpu_total_ns', 'outer'), 100000),
        ('… torch counts it per level', torch.get('cpu_total_us', 'outer'), 150),
        ('CUDA total: a name inside itself counts once', ours.get('cuda_total_ns', 'outer'), 20000),
        ('… torch counts it per level', torch.get('cuda_total_us', 'outer'), 40),
        ('Self CUDA: by thread and time, where ids name no operator, launches of the driver as well',
         ours.get('self_cuda_ns', 'aten::mm'), 70000),
        ('… torch finds none', torch.get('self_cuda_us', 'aten::mm'), 0),
        ('a step has the GPU time of all in it', ours.get('cuda_total_ns', step), 90000),
        ('GPU-side projections of ranges are no rows', (step, 'CUDA') in ours.rows, False),
        ('… in torch they are', (step, 'CUDA') in torch.rows, True),
        ('Self CUDA total: kernels, once', ours.footer['self_cuda_time_total_ns'], 90000),
        ('… torch adds waits', torch.footer['self_cuda_time_total_us'], 160),
        ('… up to 2.4 also projections', old.footer['self_cuda_time_total_us'], 700),
        ('memory is of the thread that allocates', ours.get('cpu_mem', step), 0),
        ('… and of ranges around', [ours.get(key, name) for key, name in (
            ('self_cuda_mem', 'leaf'), ('cuda_mem', 'outer'), ('cuda_mem', step))],
         [512, 512, 512]),
        ('… what no range did has a row', ours.get('self_cpu_mem', '[memory]'), 64),
        ('… torch counts it in all ranges of the time', torch.get('cpu_mem', step), 64),
        ('FLOPs of products', [ours.get('flops', f'aten::{name}') for name in (
            'mm', 'addmm', 'bmm')], [128, 128, 3 * 128]),
        ('FLOPs of a convolution: 16 places by 30', ours.get('flops', 'aten::conv2d'),
         2 * 2 * 16 * 30 * 5 * 3 * 3 * 8),
        ('FLOPs of a sum, and of what has none', [
            ours.get('flops', f'aten::{name}') for name in ('add', 'relu')], [32, None]),
        ('torch\'s layout: call stacks, an entry a line, and FLOPs in the column of the other',
         [line.split() for line in layout if 'conv2d' in line or 'main.py' in line],
         [['aten::conv2d', '0.50%', '5.000us', '0.50%', '5.000us', '5.000us', '0.000us', '0.00%',
           '0.000us', '0.000us', '0', 'B', '0', 'B', '0', 'B', '0', 'B', '1',
           '[[2,', '3,', '32,', '30],', '[8,', '3,', '5,', '3],', '[8],', '[],', '[],', '[],', '[]]',
           '691200.000', 'model.py(7):', 'forward'], ['main.py(3):', '<module>']]),
    ]
    for number, (sentence, got, wanted) in enumerate(checks, 1):
        print('ok' if got == wanted else 'not ok', number, '-', sentence)
        if got != wanted:
            print(f'# wanted {wanted}, got {got}')
    return 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes memory of PyTorch's traces slowly and compares it with ours.

memory.py ANALYZER TRACE...: a line per trace; exit status 1 if anything differs. Traces without
[memory] events are passed over.
"""
import collections
import gzip
import json
import subprocess
import sys
from decimal import Decimal


def report(analyzer, path, name, *options):
    text = subprocess.run([analyzer, 'stats', path, '--report', name, '--format', 'json', *options],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(text)['reports'][name]


def name_device(args):
    return 'CPU' if args['Device Type'] == 0 else f"GPU{args['Device Id']}"


def rebuild(events):
    """The records of each device, by time: time, bytes allocated after it, reserved, bytes, address."""
    devices = collections.defaultdict(list)
    events = [e for e in events if e.get('name') == '[memory]' and e.get('ph') == 'i']
    for event in sorted(events, key=lambda e: e['ts']):
        devices[name_device(event['args'])].append(event)
    curves = {}
    for device, records in devices.items():
        rows, total, lowest = [], 0, 0
        for event in records:
            args = event['args']
            total = args.get('Total Allocated', total + args['Bytes'])
            lowest = min(lowest, total)
            rows.append([int(event['ts'] * 1000), total, args.get('Total Reserved'), args['Bytes'],
                         args.get('Addr')])
        before = rows[0][1] - rows[0][3] if 'Total Allocated' in records[0]['args'] else -lowest
        for row in rows:
            row[1] += 0 if 'Total Allocated' in records[0]['args'] else before
        curves[device] = (before, rows)
    return curves


def thin(rows, points):
    width = (rows[-1][0] - rows[0][0]) // max(points // 2, 1) + 1
    best, last = {}, {}
    for number, row in enumerate(rows):
        at = (row[0] - rows[0][0]) // width
        last[at] = number
        if at not in best or row[1] > rows[best[at]][1]:
            best[at] = number
    kept = sorted({*best.values(), *last.values()})
    return rows if len(rows) <= points else [rows[number] for number in kept]


def find_zero(events):
    times = [e['ts'] for e in events if 'ts' in e and e.get('ph') not in ('s', 't', 'f', 'M')]
    return int(min(times) * 1000)


def find_steps(events):
    """The time of each step of the CPU."""
    return {e['name']: (int(e['ts'] * 1000), int((e['ts'] + e['dur']) * 1000)) for e in events
            if e.get('name', '').startswith('ProfilerStep#') and e.get('ph') == 'X'
            and e.get('cat') != 'gpu_user_annotation'}


def compare(analyzer, path):
    with gzip.open(path) as file:
        trace = json.load(file, parse_float=Decimal)
    events = trace['traceEvents']
    curves = rebuild(events)
    zero = find_zero(events) if curves else 0
    steps = find_steps(events)
    wrong, count = [], 0

    def check(what, got, wanted):
        nonlocal count
        count += 1
        if got != wanted:
            wrong.append(f'{what}: {got}, not {wanted}')

    for points in (0, 7, 100):
        ours = collections.defaultdict(list)
        for row in report(analyzer, path, 'memory-curve', '--set', f'memory-points={points}'):
            ours[row['device']].append([row['time_ns'], row['allocated_bytes'], row['reserved_bytes'],
                                        row['change_bytes']])
        check('devices', sorted(ours), sorted(curves))
        for device, (before, rows) in curves.items():
            wanted = thin(rows, points) if points else rows
            check(f'{device} curve of {points}', ours[device], [[r[0] - zero, *r[1:4]] for r in wanted])
    held = collections.Counter()
    increase = collections.Counter()
    for row in report(analyzer, path, 'op-memory') if curves else []:
        held[row['device']] += row.get('self_at_peak_bytes') or 0
        increase[row['device']] += row['self_increase_bytes']
        if row['name'] in steps:
            start, end = steps[row['name']]
            done = [r[3] for r in curves[row['device']][1] if start <= r[0] < end]
            made = [size for size in done if size >= 0]
            check(f"{row['device']} {row['name']} increase", row['increase_bytes'], sum(done))
            check(f"{row['device']} {row['name']} allocated", row['allocated_bytes'], sum(made))
            check(f"{row['device']} {row['name']} allocations", row['allocations'], len(made))
    holders = collections.Counter()
    known = collections.Counter()
    for row in report(analyzer, path, 'memory-holders') if curves else []:
        device = 'CPU' if row['device'] is None else f"GPU{row['device']}"
        holders[device] += row['held_bytes']
        if row['allocations'] is not None:
            known[device] += row['held_bytes']
    for row in report(analyzer, path, 'memory') if curves else []:
        device = 'CPU' if row['device'] is None else f"GPU{row['device']}"
        before, rows = curves[device]
        peak = max(before, max(r[1] for r in rows))
        check(f'{device} before', row['before_bytes'], before)
        check(f'{device} peak', row['peak_bytes'], peak)
        check(f'{device} holders', holders[device], peak)
        check(f'{device} held by ranges', known[device], held[device])
        check(f'{device} peak time', row['peak_time_ns'],
              next((r[0] for r in rows if r[1] == peak), rows[0][0]) - zero)
        check(f'{device} allocated', row['allocated_bytes'], sum(r[3] for r in rows if r[3] > 0))
        check(f'{device} freed', row['freed_bytes'], -sum(r[3] for r in rows if r[3] < 0))
        check(f'{device} sum of ranges', increase[device], sum(r[3] for r in rows))
        if rows[0][4] is not None and before == row['unmatched'] == 0:
            check(f'{device} held at the peak', held[device], peak)
        if rows[0][4] is not None and peak > before:
            live = {}
            for row in rows[:1 + [r[1] for r in rows].index(peak)]:
                live.pop(row[4], None)
                if row[3] >= 0:
                    live[row[4]] = row[3]
            check(f'{device} allocations held at the peak', held[device], sum(live.values()))
    print(f'{path.rsplit("/", 1)[-1]}: {count} compared, {len(wrong)} differ')
    for line in wrong[:5]:
        print(f'  {line[:300]}')
    return not wrong


def main():
    fine = [compare(sys.argv[1], path) for path in sys.argv[2:]]
    return 0 if all(fine) else 1


if __name__ == '__main__':
    sys.exit(main())

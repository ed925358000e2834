#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds call stacks of a trace's operators slowly and compares their table with ours.

stacks.py ANALYZER TRACE...: a line per trace; exit status 1 if anything differs.
"""
import collections
import gzip
import json
import subprocess
import sys
from decimal import Decimal


def place(function):
    return function['ts'], -function['dur']


def find_innermost(functions, time, before=None):
    around = [f for f in functions if f['ts'] <= time < f['ts'] + f['dur']
              and (before is None or place(f) < before)]
    return max(around, key=place, default=None)


def find_stack(event, functions, by_id):
    """Names from the innermost outwards. For a caller that is not in the trace, the function around it
    is used."""
    functions = [f for f in functions if (f['pid'], f['tid']) == (event['pid'], event['tid'])]
    names = []
    at = find_innermost(functions, event['ts'])
    while at is not None:
        names.append(at['name'])
        at = (by_id.get(at['args']['Python parent id'])
              or find_innermost(functions, at['ts'], place(at)))
    return ';'.join(names)


def compare(analyzer, path):
    with gzip.open(path) as file:
        events = json.load(file, parse_float=Decimal)['traceEvents']
    functions = [e for e in events if e.get('cat') == 'python_function']
    by_id = {f['args']['Python id']: f for f in functions}
    wanted = collections.Counter()
    for event in events:
        if event.get('cat') == 'cpu_op':
            wanted[event['name'], find_stack(event, functions, by_id)] += 1
    text = subprocess.run([analyzer, 'stats', path, '--report', 'operators', '--group-by',
                           'name,stack', '--format', 'json'],
                          check=True, capture_output=True, text=True).stdout
    ours = {(r['name'], r['call_stack'] or ''): r['calls']
            for r in json.loads(text)['reports']['operators']}
    differ = {key for key in set(ours) | set(wanted) if ours.get(key) != wanted.get(key)}
    print(f'{path.rsplit("/", 1)[-1]}: {len(wanted)} stacks, {len(differ)} differ')
    for key in sorted(differ)[:3]:
        print(f'  {key}: {wanted.get(key)}, we have {ours.get(key)}')
    return not differ


def main():
    fine = [compare(sys.argv[1], path) for path in sys.argv[2:]]
    return 0 if all(fine) else 1


if __name__ == '__main__':
    sys.exit(main())

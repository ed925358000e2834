#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a large trace of PyTorch costs, per event, beside what the Python tools need for it.

bench-kineto.py ANALYZER TRACE [EVENTS]: TRACE (one of the public ones, packed by gzip) is repeated, one
copy behind the other with ids of its own, until it has EVENTS (2,000,000). CPU time is user and
system time of the process, memory its largest resident set. What the tools in Python need was
measured elsewhere: to compare machines, json.loads of the same events is measured here as well.
"""
import gzip
import json
import os
import sys
import tempfile
import time

IDS = ('correlation', 'External id', 'external id')
# us and bytes of memory per event on a machine where json.loads takes 2.3 us: a 471 MB trace of
# 2,160,569 events.
TOOLS = {'tb': (24, 1300), 'hta': (17, 1200), 'torch': (32, 3000)}
LOADS_US = 2.3
RUNS = (
    ('tb', 'all views of the plugin', ['stats', '--compat=tb', '-r', 'all']),
    ('hta', 'all analyses of HTA', ['stats', '--compat=hta', '-r', 'all']),
    ('torch', 'key_averages as torch', ['stats', '--compat=torch', '-r', 'key_averages']),
    ('torch', 'key_averages, ours', ['stats', '-r', 'key_averages']),
    (None, 'the summary', []),
    (None, 'all of our reports', ['stats', '-r', 'all']),
)


def repeat(events, facts, copies, path):
    """Writes the trace so many times over; ids and times go on where those of the copy before end."""
    timed = [event for event in events if 'ts' in event and event.get('ph') != 'M']
    span = max(e['ts'] + e.get('dur', 0) for e in timed) - min(e['ts'] for e in timed) + 1000
    step = 1 + max(int(e.get('args', {}).get(key, 0)) for e in events for key in IDS)
    flows = 1 + max([int(e['id']) for e in events if 'id' in e] or [0])
    with open(path, 'w', encoding='utf-8') as file:
        file.write(json.dumps(facts)[:-1] + ', "traceEvents": [\n')
        for copy in range(copies):
            for number, event in enumerate(events):
                new = dict(event)
                if 'ts' in new and new.get('ph') != 'M':
                    new['ts'] = new['ts'] + copy * span
                if 'id' in new:
                    new['id'] = int(new['id']) + copy * flows
                args = new.get('args')
                if args:
                    new['args'] = {key: int(value) + copy * step if key in IDS else value
                                   for key, value in args.items()}
                file.write((',\n' if copy or number else '') + json.dumps(new))
        file.write('\n]}\n')


def measure(command):
    """CPU seconds and bytes of the largest resident set of a command."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f'{" ".join(command)}: status {status}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    analyzer, trace = sys.argv[1:3]
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 2000000
    with gzip.open(trace) as file:
        text = file.read()
    loads = []
    for _ in range(3):
        begin = time.process_time()
        facts = json.loads(text)
        loads.append(time.process_time() - begin)
    events = facts.pop('traceEvents')
    loads_us = min(loads) / len(events) * 1e6
    copies = -(-wanted // len(events))
    count = copies * len(events)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'large.json')
        repeat(events, facts, copies, path)
        size = os.path.getsize(path)
        print(f'{count} events, {size / 1e6:.0f} MB; json.loads: {loads_us:.2f} us per event, '
              f'where the tools were measured {LOADS_US}')
        floor, _ = measure(['/bin/cat', path])
        print(f'{"read(2) of the file alone":26} {floor / count * 1e6:6.3f} us per event')
        for tool, name, options in RUNS:
            seconds, memory = measure([analyzer, *options, path])
            us = seconds / count * 1e6
            line = f'{name:26} {us:6.3f} us per event  {memory / count:6.0f} bytes per event'
            if tool is not None:
                tool_us, tool_bytes = TOOLS[tool]
                ratio = tool_us * loads_us / LOADS_US / us
                line += f'  {ratio:5.1f} times less CPU, {tool_bytes * count / memory:4.1f} less memory'
            print(line, flush=True)


if __name__ == '__main__':
    main()

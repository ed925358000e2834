#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the cost of a large trace of PyTorch, per event, beside that of the Python tools.

bench-kineto.py ANALYZER TRACE [EVENTS]: TRACE (one of the public ones, packed by gzip) is repeated, one
copy behind the other with ids of its own, until it has EVENTS (2,000,000); 0: it is taken as it is.
CPU time is user and system time of the process. Memory is its largest resident set, also without
the memory for a trace of one event. OLD names another build of the analyzer: whole views are run
with it as well, in turns, and the ratio is printed. Finally the file is packed. Reading it packed
should cost no more than reading it plain and unpacking it, by gzip and by zlib alone.

If PYTHONPATH has HTA (hta) and the TensorBoard plugin (torch_tb_profiler), they are run on the same
file, by kineto-tools.py; PYTHON is the interpreter that has pandas for them. Otherwise the figures
are those that were measured elsewhere, scaled by the time of json.loads here and there.
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

IDS = ('correlation', 'External id', 'external id')
# us and bytes of memory per event on a machine where json.loads takes 2.3 us: a 471 MB trace of
# 2,160,569 events.
TOOLS = {'tb': (24, 1300), 'hta': (17, 1200), 'torch': (32, 3000)}
LOADS_US = 2.3
OWN_BYTES = 3900000  # for a trace of one event; getrusage() includes the parent's memory
REPEATS = 3  # the fastest run counts, as for json.loads; the tools take minutes, so they run once
HERE = os.path.dirname(os.path.abspath(__file__))
# The reports that kineto-tools.py requests from HTA.
HTA_REPORTS = 'temporal,breakdown,overlap,idle,queue,bandwidth,launch,annotations'
# Unpacks a file by zlib, and drops the text.
UNPACK = """
import sys, zlib
unpacking = zlib.decompressobj(31)
with open(sys.argv[1], 'rb') as file:
    while part := file.read(65536):
        unpacking.decompress(part)
"""
RUNS = (
    ('tb', 'all views of the plugin', ['stats', '--compat=tb', '-r', 'all']),
    ('hta', 'the analyses of HTA', ['stats', '--compat=hta', '-r', HTA_REPORTS]),
    ('hta', 'the same and all others', ['stats', '--compat=hta', '-r', 'all']),
    ('torch', 'key_averages as torch', ['stats', '--compat=torch', '-r', 'key_averages']),
    ('torch', 'key_averages, ours', ['stats', '-r', 'key_averages']),
    (None, 'kernels', ['stats', '-r', 'kernels']),
    (None, 'the overview', ['stats']),
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
    """CPU seconds and bytes of the largest resident set of a command; None if it is not
    installed."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) == 3:
        return None
    if status != 0:
        sys.exit(f'{" ".join(command)}: status {status}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def measure_tools(path, count, loads_us):
    """us and bytes per event of each tool, and where that is from."""
    tools = {}
    for tool, (us, memory) in TOOLS.items():
        command = [os.environ.get('PYTHON', 'python3'), os.path.join(HERE, 'kineto-tools.py'), tool, path]
        result = measure(command) if tool != 'torch' else None
        if result is None:
            tools[tool] = (us * loads_us / LOADS_US, memory, 'scaled')
        else:
            tools[tool] = (result[0] / count * 1e6, result[1] / count, 'measured')
        print(f'{tool:26} {tools[tool][0]:6.1f} us per event  {tools[tool][1]:6.0f} bytes per event  '
              f'({tools[tool][2]})', flush=True)
    return tools


def measure_in_turns(commands):
    """The least CPU time and the most memory of each of some commands."""
    results = [[] for _ in commands]
    for _ in range(REPEATS):
        for result, command in zip(results, commands):
            result.append(measure(command))
    return [(min(seconds for seconds, _ in result), max(size for _, size in result)) for result in results]


def measure_packed(analyzer, path, count):
    """The cost of the packed file, beside that of the plain file and of unpacking alone."""
    packed = path + '.gz'
    with open(packed, 'wb') as file:
        subprocess.run(['gzip', '-c', path], stdout=file, check=True)
    view = [analyzer, 'stats', '-r', 'kernels']
    commands = ([*view, packed], [*view, path], ['gzip', '-dc', packed], [sys.executable, '-c', UNPACK, packed])
    whole, plain, gzip_alone, zlib_alone = (seconds for seconds, _ in measure_in_turns(commands))
    print(f'{"kernels, packed by gzip":26} {whole / count * 1e6:6.3f} us per event, plain '
          f'{plain / count * 1e6:.3f}; unpacking alone: gzip -dc {gzip_alone / count * 1e6:.3f}, zlib '
          f'{zlib_alone / count * 1e6:.3f}; {whole / (plain + gzip_alone):.2f} of plain and gzip -dc, '
          f'{whole / (plain + zlib_alone):.2f} of plain and zlib', flush=True)


def prepare(trace, wanted, path):
    """Writes the large file. Return: number of its events, us of json.loads per event."""
    with gzip.open(trace) as file:
        text = file.read()
    loads = []
    for _ in range(3):
        begin = time.process_time()
        facts = json.loads(text)
        loads.append(time.process_time() - begin)
    events = facts.pop('traceEvents')
    copies = -(-wanted // len(events)) or 1
    if wanted > 0:
        repeat(events, facts, copies, path)
    else:
        with open(path, 'wb') as file:
            file.write(text)
    return copies * len(events), min(loads) / len(events) * 1e6


def prepare_apart(*arguments):
    """The same in a process of its own, because a program's largest resident set begins with its
    parent's."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, json.dumps(prepare(*arguments)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        result = file.read()
    if os.waitstatus_to_exitcode(os.wait()[1]) != 0:
        sys.exit(1)
    return json.loads(result)


def main():
    analyzer, trace = sys.argv[1:3]
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 2000000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'large.json')
        count, loads_us = prepare_apart(trace, wanted, path)
        size = os.path.getsize(path)
        print(f'{count} events, {size / 1e6:.0f} MB; json.loads: {loads_us:.2f} us per event, '
              f'where the tools were measured {LOADS_US}')
        floor, _ = measure(['/bin/cat', path])
        print(f'{"read(2) of the file alone":26} {floor / count * 1e6:6.3f} us per event')
        tools = measure_tools(path, count, loads_us)
        for tool, name, options in RUNS:
            builds = [analyzer] + ([os.environ['OLD']] if tool is None and 'OLD' in os.environ else [])
            results = measure_in_turns([[build, *options, path] for build in builds])
            us = results[0][0] / count * 1e6
            memory = results[0][1]
            line = (f'{name:26} {us:6.3f} us per event  {memory / count:6.0f} bytes per event, '
                    f"{(memory - OWN_BYTES) / count:.1f} without the program's own"
                    f'  {us / loads_us:5.2f} of json.loads')
            if len(results) > 1:
                line += (f'  {results[0][0] / results[1][0]:5.2f} of OLD, '
                         f'{(results[1][1] - OWN_BYTES) / count:.1f} bytes there')
            if tool is not None:
                tool_us, tool_bytes, _ = tools[tool]
                ratio = tool_us / us
                line += f'  {ratio:5.1f} times less CPU, {tool_bytes * count / memory:4.1f} less memory'
            print(line, flush=True)
        measure_packed(analyzer, path, count)


if __name__ == '__main__':
    main()

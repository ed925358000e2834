#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks `analyzer stats -r energy` of a log by a slow, different computation.

energy.py EVENTS CSV DUMP

EVENTS: the log as .events.jsonl. CSV: the report. DUMP: the same log by `analyzer dump`, whose
ticks are ns of CLOCK_MONOTONIC. Each row is computed again from the events, and compared with the
known power curve of tests/nvml/fake-nvml.c: the true value must lie within `error_j`. Prints a line
for each fault. Exit: 1 if there is one.
"""
import collections
import csv
import json
import re
import sys

PERIOD, HALF = 100_000_000, 50_000_000
# By CUDA's number of the device. NVML numbers devices in the opposite order.
WATTS = {0: 200, 1: 100}


def meter(device, at):
    """Joules of the true curve up to a time of CLOCK_MONOTONIC."""
    whole, within = divmod(at, PERIOD)
    units = whole * 4 * HALF + (within if within < HALF else HALF + 3 * (within - HALF))
    return units * WATTS[device] / 1e9


def merge(stretches):
    """The union, as a list of stretches."""
    merged = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def share_out(samples, stretches):
    """Joules and their error, and the time that is known, period by period."""
    powers = [(a[1] + b[1]) / 2 for a, b in zip(samples, samples[1:])]
    low, high = min(powers), max(powers)
    joules = error = known = 0
    for (begin, w0), (end, w1) in zip(samples, samples[1:]):
        inside = sum(max(0, min(end, b) - max(begin, a)) for a, b in stretches)
        if inside == 0:
            continue
        d, p = inside / 1e9, (end - begin) / 1e9
        e = (w0 + w1) / 2 * p
        least = max(low * d, e - high * (p - d))
        most = min(high * d, e - low * (p - d))
        joules += e * d / p
        error += max(e * d / p - least, most - e * d / p, 0) + abs(w1 - w0) / 2 * d
        known += inside
    return joules, error, known


def read_events(path):
    """Samples of power by CUDA's device, kernels with the names of the ranges around their call, and steps."""
    rows = [json.loads(line) for line in open(path, encoding='utf-8')]
    ranges = [row for row in rows if row['kind'] == 'range']
    calls = {row['correlation']: row for row in rows if row['kind'] == 'call'}
    samples, kernels = collections.defaultdict(list), []
    for row in rows:
        meter_of = re.fullmatch(r'GPU (\d) power', row['name'] or '')
        if row['kind'] == 'sample' and meter_of:
            samples[1 - int(meter_of.group(1))].append((row['start_ns'], row['value']))
        elif row['kind'] == 'kernel':
            call = calls[row['correlation']]
            around = {one['name'] for one in ranges if one['tid'] == call['tid'] and
                      one['start_ns'] <= call['start_ns'] < one['start_ns'] + one['dur_ns']}
            kernels.append((row['device'], row['name'], row['start_ns'], row['start_ns'] + row['dur_ns'], around))
    return {device: sorted(values) for device, values in samples.items()}, kernels


def stretches_of(kernels, row, device):
    """The times at which the work of a row ran, and the number of its operations."""
    mine = [(start, end) for where, name, start, end, around in kernels if where == device and
            (row['name'] == name if row['of'] == 'kernel' else row['name'] in around)]
    return merge(mine), len(mine)


def check(row, samples, kernels, zero):
    """The fault of a row, or ""."""
    device = int(row['device'])
    if row['of'] == 'GPU':
        stretches, count = [[samples[device][0][0], samples[device][-1][0]]], None
    else:
        stretches, count = stretches_of(kernels, row, device)
    joules, error, known = share_out(samples[device], stretches)
    first, last = samples[device][0][0], samples[device][-1][0]
    inside = [(max(a, first), min(b, last)) for a, b in stretches if a < last and b > first]
    truth = sum(meter(device, zero + b) - meter(device, zero + a) for a, b in inside)
    got = float(row['energy_j'] or 0)
    if abs(got - joules) > 1e-6 * max(joules, 1) or abs(float(row['error_j'] or 0) - error) > 1e-6 * max(joules, 1):
        return 'energy %s +- %s, by hand %f +- %f' % (row['energy_j'], row['error_j'], joules, error)
    if int(row['time_ns']) != known or (count is not None and int(row['operations']) != count):
        return 'time %s, operations %s, by hand %d, %s' % (row['time_ns'], row['operations'], known, count)
    # The meter returns whole mJ.
    if abs(truth - got) > error + 0.003:
        return 'energy %f +- %f, but the truth is %f' % (got, error, truth)
    return ''


def main():
    """Prints faults, and how many rows of each kind there are."""
    samples, kernels = read_events(sys.argv[1])
    ticks = [int(line.split()[3]) for line in open(sys.argv[3], encoding='utf-8') if re.match(r'event .* kernel ', line)]
    zero = min(ticks) - min(kernel[2] for kernel in kernels)
    counts, faults = collections.Counter(), 0
    for row in csv.DictReader(open(sys.argv[2], encoding='utf-8')):
        if row['of'] == 'step':
            continue # its times are the report overview's
        counts[row['of'] + row['device']] += 1
        fault = check(row, samples, kernels, zero)
        if fault:
            faults += 1
            print('%s %s of GPU %s: %s' % (row['of'], row['name'], row['device'], fault))
    print(' '.join('%s:%d' % one for one in sorted(counts.items())))
    return 1 if faults else 0


sys.exit(main())

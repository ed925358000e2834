#!/bin/sh
# SPDX-License-Identifier: MIT
# A trace like PyTorch's, with more kernels than most. The usual reports take no more memory for
# each event than before, not counting the program's memory for a trace of one event.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ "${SANITIZERS:-no}" = no ] || skip_all "memory is looked at in the other builds"
own=3900000 # bytes, of a trace of one event

# Each launch: three operators, one of them with a call of CUDA that launches a kernel, with its arrow.
python3 - "$temp/trace.json" "$temp/count" <<'END'
import json
import sys

LAUNCHES = 40000
NAMES = [f'aten::op_{i}' for i in range(50)]
KERNELS = [f'void at::native::kernel_{i}<float, {"int, " * 20}4>(float*, int)' for i in range(50)]


def events_of(i):
    ts = 1700000000000000 + i * 100
    base = {'pid': 7, 'tid': 7}
    for k in range(3):
        yield {'ph': 'X', 'cat': 'cpu_op', 'name': NAMES[(i + k) % 50], **base, 'ts': ts + 20 * k, 'dur': 18,
               'args': {'External id': 3 * i + k + 1, 'Ev Idx': 3 * i + k}}
    yield {'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', **base, 'ts': ts + 45, 'dur': 9,
           'args': {'External id': 3 * i + 3, 'cbid': 211, 'correlation': i + 1}}
    yield {'ph': 'X', 'cat': 'kernel', 'name': KERNELS[i % 50], 'pid': 0, 'tid': 7, 'ts': ts + 60, 'dur': 80,
           'args': {'External id': 3 * i + 3, 'queued': 0, 'device': 0, 'context': 1, 'stream': 7,
                    'correlation': i + 1, 'registers per thread': 32, 'shared memory': 0, 'blocks per SM': 2.5,
                    'warps per SM': 10, 'grid': [160 + i % 9, 1, 1], 'block': [128, 1, 1],
                    'est. achieved occupancy %': 31}}
    for phase, where in (('s', base), ('f', {'pid': 0, 'tid': 7})):
        yield {'ph': phase, 'cat': 'ac2g', 'name': 'ac2g', 'id': i + 1, **where, 'ts': ts + (46 if phase == 's' else 60)}


events = [event for i in range(LAUNCHES) for event in events_of(i)]
with open(sys.argv[1], 'w', encoding='utf-8') as file:
    file.write(json.dumps({'deviceProperties': [{'id': 0, 'name': 'GPU', 'numSms': 80, 'warpSize': 32}], 'traceEvents': events}))
with open(sys.argv[2], 'w', encoding='utf-8') as file:
    file.write(str(len(events)))
END
count=$(cat "$temp/count")

# peak OPTION...: prints the largest resident set in KiB, or why it is unknown. It begins with the
# parent's, which is smaller.
peak()
{
	python3 - "$analyzer" "$@" "$temp/trace.json" <<'END'
import os
import subprocess
import sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss if status == 0 else f'exit {status}')
END
}

# takes LIMIT SENTENCE OPTION...
takes()
{
	limit=$1
	sentence=$2
	shift 2
	kib=$(peak "$@")
	each=$(awk -v kib="$kib" -v own="$own" -v count="$count" 'BEGIN { printf "%.1f", (kib * 1024 - own) / count }')
	diag "$kib KiB, $each bytes an event"
	awk -v each="$each" -v limit="$limit" 'BEGIN { exit each > 0 && each <= limit ? 0 : 1 }'
	ok $? "$sentence"
}

takes 60 "the report kernels takes 60 bytes of memory an event at most" stats --report kernels
takes 66 "the overview 66" stats
takes 72 "the summary 72"
done_testing

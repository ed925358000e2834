#!/bin/sh
# SPDX-License-Identifier: MIT
# How the analyzer's costs grow with the GPU work in a log: launches of four threads on the stand-ins of
# tests/cupti, on two devices with two streams each, twenty launches in a range. CPU times, no wall clock.
#
# usage: bench/launches.sh [LAUNCHES], in the build folder (make bench-launches LAUNCHES=1000000)

. "${0%/*}/../tests/lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
most=${1:-1000000}
top_builddir=$(cd "$top_builddir" && pwd)
top_srcdir=$(cd "$top_srcdir" && pwd)
cupti_source=$top_srcdir/tests/cupti
prepare_cupti 130000
RANGES_CUDA_BUFFER=2G
RANGES_FLUSH_MS=20 # buffers come back while they are asked for
export RANGES_CUDA_BUFFER RANGES_FLUSH_MS

logs=
count=10000
while [ "$count" -le "$most" ]; do
	FAKE_CUPTI_LATE=1 FAKE_CUDA_CALLS=3 run 130000 init per_range=20 threads=4 launches=$((count / 4)) devices=2 streams=2 work ||
		exit 1
	mv log.bin "$count.bin"
	logs="$logs $count"
	count=$((10 * count))
done
# shellcheck disable=SC2086 # a list of numbers
python3 - "$analyzer" "$top_builddir/bench/bench-analyzer" $logs <<'END'
import os, subprocess, sys

analyzer, floor, *counts = sys.argv[1:]
RUNS = 3


def run(words):
    """Returns user and system time, s, and the largest resident set, bytes."""
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f'{words}: status {status}')
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


commands = {'inflate and decode alone': [floor, 'floor', 'LOG'], 'verify': [analyzer, 'verify', 'LOG'],
            'stats': [analyzer, 'stats', 'LOG', '-j', '1'], 'summary': [analyzer, 'LOG', '-j', '1'],
            'why': [analyzer, 'why', 'LOG', '-j', '1'],
            'summarize': [analyzer, 'summarize', 'LOG', '-j', '1', '-o', 'out.summary']}
commands.update({kind: [analyzer, 'LOG', '-j', '1', '-o', 'out.' + kind]
                 for kind in ('json', 'pftrace', 'html', 'sqlite', 'folded')})
print('load %.1f; ns and bytes a launch, with its kernel' % os.getloadavg()[0])
print('%-26s' % '' + ''.join('%19s' % count for count in counts))
for name, words in commands.items():
    cells = []
    for count in counts:
        made = [run([count + '.bin' if word == 'LOG' else word for word in words]) for _ in range(RUNS)]
        cells.append('%9.0f ns %5.0f B' % (min(row[0] for row in made) / int(count) * 1e9,
                                           max(row[1] for row in made) / int(count)))
    print('%-26s' % name + '  '.join(cells), flush=True)
END

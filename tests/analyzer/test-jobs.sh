#!/bin/sh
# SPDX-License-Identifier: MIT
# Several threads read one input. Whatever --jobs says, stdout, stderr, files and exit status are
# the same, for whole inputs and for damaged ones. Small inputs are read without additional threads.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
maker=$top_builddir/tests/tools/gen-log
[ -x "$maker" ] || skip_all "$maker is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
cd "$temp" || exit 1

# As small as inputs for threads can be, cut ones included.
"$maker" plain.bin --pairs 120000 --threads 3 --depth 9 --level 0
"$maker" odd.bin --pairs 64000 --threads 4 --domains 3 --level 0 --odd all --seed 2
"$maker" nested.bin --pairs 112000 --threads 1 --domains 2 --depth 300 --level 0 \
	--odd crossing,losses,names,backwards,unclosed --seed 3
"$maker" once.bin --pairs 120000 --threads 3 --depth 9 --level 0 --open --odd open,marks,attrs,unclosed --seed 4
"$maker" not.bin --pairs 120000 --threads 3 --level 0 --rows 500 --steps 10000
"$maker" small.bin --pairs 2000 --open
"$analyzer" plain.bin -o log.json.gz 2>/dev/null
"$analyzer" odd.bin --without-log -o trace.json.gz 2>/dev/null
"$analyzer" small.bin -o small.json.gz 2>/dev/null

# Inputs that are cut, or have changed bytes.
python3 - odd.bin nested.bin trace.json.gz log.json.gz <<'END'
import random
import sys
for number, path in enumerate(sys.argv[1:]):
    source = open(path, "rb").read()
    dice = random.Random(number)
    name, suffix = path.split(".", 1)
    open(f"{name}-cut.{suffix}", "wb").write(source[: len(source) * 9 // 10])
    data = bytearray(source)
    for _ in range(6 if suffix == "bin" else 1):
        data[dice.randrange(len(data) // 2, len(data) - 100)] ^= 1 << dice.randrange(8)
    open(f"{name}-flip.{suffix}", "wb").write(data)
# Several members of gzip in one file, and a file that unpacks to more than any trace.
import gzip
import os
import struct
import zlib
events = b",".join(b'{"ph":"X","name":"a%d","ts":%d,"dur":%d,"pid":1,"tid":1}' % (i % 7, i, i % 3)
                   for i in range(40000))
dice = random.Random(9)
noise = b'"' + bytes(dice.choice(b"abcdefghijklmnopqrstuvwxyz012345") for _ in range(1700000)) + b'"'
first = gzip.compress(b'{"noise":' + noise + b',"traceEvents":[')
open("members.json.gz", "wb").write(first + gzip.compress(events) + gzip.compress(b"]}"))
if os.environ.get("SANITIZERS", "no") == "no":
    # Half a gigabyte of one text. It is packed for 6000 of 120000 times, which takes a seventh of
    # the time, and gives as few bytes.
    more = (b',{"a":"' + b" " * 4000 + b'"}') * 6000
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(events) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(more) + packer.flush(zlib.Z_FULL_FLUSH)
    crc = zlib.crc32(events)
    for _ in range(20):
        crc = zlib.crc32(more, crc)
    open("bomb.json.gz", "wb").write(first + b"\x1f\x8b\x08\0\0\0\0\0\0\3" + packed + 20 * again + packer.flush() +
                                     struct.pack("<II", crc, len(events) + 20 * len(more)))
END
# Chunks of two rows and of half a million rows alternate; one claims more rows than it has.
PYTHONPATH=$test_dir/tools python3 -B - <<'END'
import random
import struct
import bombs
random.seed(1)
log = bombs.Log("chunks.bin")
first = {1: 0, 2: 0}
for number in range(24):
    rows = (2, 1000, bombs.ROWS // 2, 16, 300000, 70000)[number % 6]
    stream = 1 + number // 12
    body = bombs.payload(t=struct.pack(">BQ", 0xCF, first[stream]), dt=bombs.dense(1, rows), op=bombs.pairs(1, 2, rows), name=1)
    log.put(4, body, rows + (number == 15), first[stream], stream)
    first[stream] += rows
for _ in range(2):
    log.put(200, random.randbytes(600000), 1)
log.out.close()
END
# The headers of this log say that outputs can be written while it is read, but that fails.
python3 - <<'END'
import struct
import zlib
data = bytearray(open("not.bin", "rb").read())
at = 0
while data[at:at + 4] == b"\xc1\xf7rl":
    flags, stored = struct.unpack_from("<H", data, at + 10)[0], struct.unpack_from("<I", data, at + 24)[0]
    if data[at + 9] == 4:
        struct.pack_into("<H", data, at + 10, flags | 512 | 2048)
        struct.pack_into("<I", data, at + 60, zlib.crc32(data[at:at + 60]))
    at += 64 + stored
open("said.bin", "wb").write(data)
END
is "$(find . \( -name '*.bin' -o -name '*.gz' \) ! -name 'small.*' -size -1000000c)" "" \
	"all inputs but the small ones are large enough for threads"

# Other tests run the work of one thread under a sanitizer.
numbers="1 2 7"
[ "${SANITIZERS:-no}" = no ] || numbers="2 7"

# same WHAT WORD...: a command with any number of threads.
same()
{
	what=$1
	shift
	wrong=
	for jobs in $numbers; do
		rm -f made*
		"$analyzer" "$@" --jobs="$jobs" >"out.$jobs" 2>"err.$jobs"
		echo "exit $?" >>"err.$jobs"
		cat made* 2>/dev/null | cksum >>"out.$jobs"
		cmp "out.${numbers%% *}" "out.$jobs" >/dev/null && cmp "err.${numbers%% *}" "err.$jobs" >/dev/null || wrong="$wrong $jobs"
	done
	is "$wrong" "" "$what ($(wc -c <out.7) bytes)"
}

for log in plain odd nested odd-cut nested-cut odd-flip nested-flip; do
	same "ranges of $log.bin" stats $log.bin -r ranges,footer -f csv
	same "reports of $log.bin which hold its ranges" stats $log.bin -r ranges,kernels
done
same "chunks of any size" stats chunks.bin -r ranges,footer -f csv
is "$(grep -c '^damage' out.7)" 1 "the one that has less than it claims is damage"
same "groups by domain" stats nested.bin -r ranges --group-by domain
same "the summary of a log" odd-flip.bin
same "a timeline of a log" odd.bin -o made.json
for kind in json pftrace; do
	same "a $kind that the first reading writes" once.bin -o made.$kind
	same "a $kind whose first reading fails" said.bin -o made.$kind
	same "a $kind of damage" odd-flip.bin -o made.$kind
done
# Chunks with rows of any kind, whose headers deny that.
"$maker" lied.bin --pairs 20000 --threads 2 --open --level 0
cat >lie.py <<'END'
import struct
import sys
import zlib
data = bytearray(open("lied.bin", "rb").read())
at = 0
while data[at:at + 4] == b"\xc1\xf7rl":
    stored = struct.unpack_from("<I", data, at + 24)[0]
    if data[at + 9] == 4:
        ops = data.index(b"\xa2op\xdc", at) + 6
        for row in range(100, 1000, 50):
            data[ops + row] = int(sys.argv[1])
        struct.pack_into("<I", data, at + 56, zlib.crc32(data[at + 64:at + 64 + stored]))
        struct.pack_into("<I", data, at + 60, zlib.crc32(data[at:at + 60]))
    at += 64 + stored
open("liar.bin", "wb").write(data)
END
bad=
for op in 0 3 4 6 7 8 9 10 11 12 13 14 16 17 18 19 20 21 22 32 33 45 127; do
	python3 lie.py $op
	"$analyzer" stats liar.bin -r ranges >out.liar 2>err.liar
	status=$?
	for kind in json pftrace; do
		"$analyzer" liar.bin -o made.$kind 2>err.liar
		is_like=$?
		[ $is_like = $status ] || bad="$bad $op:$kind:$is_like"
	done
done
is "$bad" "" "rows that headers deny end no reading"
same "a summary that is kept" summarize odd.bin -o made.sum
same "rules" check --rule 'range[range 1].calls > 1000000000' odd-flip.bin
same "a comparison" diff plain.bin odd-flip.bin
same "strictly" stats --strict odd-cut.bin -r ranges
for trace in trace log trace-cut trace-flip log-cut log-flip members bomb; do
	[ -f $trace.json.gz ] || continue
	same "the summary of $trace.json.gz" $trace.json.gz
	same "reports of $trace.json.gz" stats $trace.json.gz -r ranges,trace
done
[ ! -f bomb.json.gz ] || is "$(grep -c 'over 200 times' err.7)" 1 "the last of them said that it is too much"
same "why" why trace.json.gz
same "several inputs" stats -r overview,ranges plain.bin trace-flip.json.gz nested-cut.bin
same "ranks" stats --by rank plain.bin odd.bin trace.json.gz
same "ranks that are held side by side" stats -r comm,stragglers plain.bin odd.bin trace.json.gz

# Which commands start threads, and how many.
cat >starts.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*) (void *), void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*) (void *), void *)) dlsym(RTLD_NEXT, __func__);

	(void) !write(9, "x", 1);
	return create(thread, attributes, run, context);
}
END
# starts WORD...: how many threads the command starts.
starts()
{
	: >threads
	LD_PRELOAD=$temp/starts.so "$analyzer" "$@" >/dev/null 2>&1 9>threads
	wc -c <threads
}
if [ "${SANITIZERS:-no}" = no ] && ${CC:-cc} -shared -fPIC -o starts.so starts.c -ldl 2>/dev/null; then
	is "$(starts stats plain.bin -r ranges -j 3)" 2 "a log is read by as many threads as --jobs says"
	is "$(starts trace.json.gz -j 2)" 1 "and so is a trace in gzip"
	is "$(starts once.bin -o made.json -j 3)" 2 "or a log that is written while it is read"
	is "$(starts said.bin -o made.json -j 3)" 4 "which is done once more if that fails"
	is "$(starts small.bin -o made.json -j 7)$(starts once.bin -o made.json -j 1)" 00 "not if it is small, or for one job"
	is "$(starts stats plain.bin -j 1)$(starts trace.json.gz -j 1)" 00 "none is started for one job"
	is "$(starts stats small.bin -j 7)$(starts small.json.gz -j 7)" 00 \
		"nor for small inputs"
	# shellcheck disable=SC3045 # dash supports it
	is "$(ulimit -d 900000 && starts stats plain.bin -j 3)" 0 "nor where memory is limited"
	# shellcheck disable=SC3045
	is "$(ulimit -d 900000 && starts once.bin -o made.json -j 3)" 0 "whatever is made of it"
else
	skip "a log is read by as many threads as --jobs says" "no compiler, or a sanitizer"
fi

# The amount of waiting data is bounded, whatever the number of threads.
peak()
{
	python3 - "$@" <<'END'
import os
import resource
import subprocess
import sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
END
}
if [ "${SANITIZERS:-no}" = no ]; then
	"$maker" large.bin --pairs 2000000 --threads 2 --depth 6
	used=$(peak "$analyzer" stats large.bin -r ranges -j 16)
	diag "16 threads: $used MB, of which $(($(wc -c <large.bin) >> 20)) are the file"
	is "$([ "$used" -lt 64 ] && echo less)" less "16 threads take less than 64 MB"
	"$maker" large.bin --pairs 2000000 --threads 2 --depth 6 --open
	used=$(peak "$analyzer" large.bin -o made.json -j 16)
	diag "16 threads, while an output is written: $used MB"
	is "$([ "$used" -lt 64 ] && echo less)" less "and less while an output is written"
	alone=$(peak "$analyzer" stats chunks.bin -r ranges -j 1)
	used=$(peak "$analyzer" stats chunks.bin -r ranges -j 16)
	diag "chunks of half a million rows: $alone MB alone, $used MB with 16 threads"
	is "$([ "$used" -le $((alone + 40)) ] && echo bounded)" bounded "and what waits of large chunks is bounded"
else
	skip "16 threads take less than 64 MB" "a sanitizer"
	skip "and less while an output is written" "a sanitizer"
	skip "and what waits of large chunks is bounded" "a sanitizer"
fi
done_testing

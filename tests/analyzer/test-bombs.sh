#!/bin/sh
# SPDX-License-Identifier: MIT
# Small files that claim to hold much take little memory and time, and one line says why.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
bombs=$test_dir/tools/bombs.py

mkdir "$temp/bombs" "$temp/dense"
if [ "${SANITIZERS:-no}" = no ] && ! echo "${LOG_COMPILER:-}" | grep -q valgrind; then
	found=$(python3 "$bombs" "$temp/bombs" "$analyzer" stats stats,-r,all verify dump)
	is_empty "$found" "each bomb takes at most 64 MiB, 40 bytes for each of its own, and 5 s"
	found=$(python3 "$bombs" --dense "$temp/dense" "$analyzer" stats stats,-r,all verify dump)
	is_empty "$found" "a log as dense as may be takes at most 64 MiB, 2048 bytes for each of its own, and 5 s"
else
	python3 "$bombs" "$temp/bombs" >/dev/null
	python3 "$bombs" --dense "$temp/dense" >/dev/null
	skip "memory and time of bombs" "a sanitizer takes them"
	skip "memory and time of dense logs" "a sanitizer takes them"
fi
is "$(find "$temp/bombs" -name '*.bin' | wc -l)" 34 "there are 34 bombs"

"$analyzer" stats "$temp/bombs/mark.bin" >"$temp/out" 2>"$temp/err"
is "$?" 3 "a log that is too dense gives exit status 3"
is "$(sed 's/in [0-9]* bytes/in N bytes/; s/^analyzer: [^:]*://' "$temp/err")" \
	" 41922560 events in N bytes: no recording packs so well; --max-memory=SIZE reads it within that memory" \
	"and one line says so"
"$analyzer" dump "$temp/bombs/mark.bin" >"$temp/out" 2>"$temp/err"
is "$? $(grep -c 'no recording packs so well' "$temp/err")" "3 1" "dump says so, too"
"$analyzer" verify "$temp/bombs/clock.bin" >"$temp/out" 2>&1
grep -q 'rows in [0-9]* bytes: no table packs so well' "$temp/out"
ok $? "a table that is too dense is damage"

if [ "${SANITIZERS:-no}" = no ]; then
	"$analyzer" stats "$temp/dense/push-12.bin" >"$temp/out" 2>"$temp/err"
	is "$? $(sed 's/^analyzer: [^:]*: //' "$temp/err")" \
		"3 its events take more than 64 MiB and 2 KiB for each byte of the file; --max-memory=SIZE reads it within that memory" \
		"a log as dense as may be that takes too much is refused with one line"
	"$analyzer" stats "$temp/dense/push-12.bin" "$temp/dense/push-1.bin" >"$temp/out" 2>"$temp/err"
	grep -q " 300000 " "$temp/out"
	ok $? "and the next file is read"
	python3 - >"$temp/deep.txt" <<-END
		print('capture pid=7 clock="monotonic"\\npack\\ndef stream id=1 tid=7\\ndef stream id=3 parent=1 name="GPU"')
		for i in range(20000):
		    print('event 1 %d %d push name="p"' % (i, 1000 + i))
		for i in range(5000):
		    begun = 100000 + 10 * i
		    print('event 3 %d %d api name="launch" dur=5 tid=7 corr=%d kind=1' % (2 * i, begun, i + 1))
		    print('event 3 %d %d kernel name="k" dur=3 context=1 queue=7 corr=%d' % (2 * i + 1, begun + 6, i + 1))
		    if i % 2000 == 1999:
		        print("chunk")
		print("event 1 20000 9000000 pop")
	END
	python3 "$test_dir/tools/text-log.py" "$temp/deep.bin" "$temp/deep.txt"
	"$analyzer" stats -r range-kernels "$temp/deep.bin" >"$temp/out" 2>"$temp/err"
	is "$? $(sed '/not enough/!d' "$temp/err")" \
		"3 analyzer: not enough memory for the output; --max-memory=SIZE allows for more" \
		"20,000 ranges round each of 5,000 launches, in 17 KB, take no more"
	"$analyzer" --max-memory=1G stats "$temp/dense/push-12.bin" >"$temp/out" 2>"$temp/err"
	is "$?" 0 "--max-memory reads it"
	"$analyzer" --max-memory=500M stats "$temp/bombs/few-marks.bin" >"$temp/out" 2>"$temp/err"
	is "$?" 0 "--max-memory reads a dense log"
	"$analyzer" stats -r kernels "$temp/bombs/mark.bin" --max-memory=100M >"$temp/out" 2>"$temp/err"
	is "$? $(sed 's/^analyzer: [^:]*: //' "$temp/err")" "3 not enough memory for the events" \
		"and ends where that memory does"
	"$analyzer" stats -r domains -f csv "$temp/bombs/mark.bin" --max-memory=100M >"$temp/out" 2>"$temp/err"
	is "$? $(tail -n 1 "$temp/out" | cut -d , -f 5)" "0 41922560" "what needs no event by itself is read within it"
else
	skip "the bound of dense logs, --max-memory" "a sanitizer needs memory of its own"
fi
"$analyzer" --max-memory=9X stats x >"$temp/out" 2>&1
is "$? $(cat "$temp/out")" \
	'2 analyzer: --max-memory: expected a size such as 500M or 2G, found "9X"; see analyzer --help' \
	"a size that is none is refused"

# As dense as real recordings: pushes and pops in an empty loop with few disturbances.
PYTHONDONTWRITEBYTECODE=1 python3 - "$test_dir/tools" "$temp/loop.bin" <<END
import random, struct, sys
sys.path.insert(0, sys.argv[1])
from bombs import Log, pairs, payload
rows = 16384
random.seed(1)
log = Log(sys.argv[2])
log.put(3, payload(kind=3, id=1, parent=0, str=0, val=7), 1)
for i in range(12):
    times = bytes(24 + (random.random() < 0.01) for _ in range(rows))
    log.put(4, payload(t=0, dt=struct.pack(">BI", 0xDD, rows) + times, op=pairs(1, 2, rows)), rows, i * rows, 1)
log.out.close()
END
size=$(wc -c <"$temp/loop.bin")
[ "$((12 * 16384 / size))" -gt 17 ]
ok $? "a log can have more than 17 events in each byte"
is "$("$analyzer" info "$temp/loop.bin" 2>&1 | sed -n 's/^events *\([0-9]*\) of .*/\1/p')" 196608 "and is read"

# A table that is too dense does not harm the tables after it.
PYTHONDONTWRITEBYTECODE=1 python3 - "$test_dir/tools" "$temp/behind.bin" <<END
import struct, sys
sys.path.insert(0, sys.argv[1])
from bombs import Log, dense, pairs, payload, text
log = Log(sys.argv[2])
for i in range(3):
    log.put(5, payload(ticks=dense(0), mono=0, real=0, boot=0, err=i), (1 << 20) - 512)
log.put(2, payload(s=bytes([0x91]) + text("behind")), 1, 1)
log.put(3, payload(kind=3, id=1, parent=0, str=0, val=7), 1)
log.put(4, payload(t=0, dt=1, op=pairs(1, 2, 2), name=1), 2, 0, 1)
log.out.close()
END
is "$("$analyzer" dump "$temp/behind.bin" 2>/dev/null | sed -n 's/^damage .* rows=\([0-9]*\) .*/\1/p')" 3144192 \
	"three tables are too dense"
is "$("$analyzer" stats "$temp/behind.bin" --format csv 2>/dev/null | sed -n 2p | cut -d , -f 1,9)" "behind,1" \
	"the tables and events behind them are read"

# Denser in steps than any real log.
python3 - "$temp/steps.txt" <<END
import sys
with open(sys.argv[1], "w") as out:
    out.write('capture clock="monotonic"\\npack\\n')
    for i in range(60000):
        out.write("event 1 %d %d step\\n" % (i, i))
        if i % 4000 == 3999:
            out.write("chunk\\n")
END
python3 "$test_dir/tools/text-log.py" "$temp/steps.bin" "$temp/steps.txt"
"$analyzer" stats "$temp/steps.bin" >"$temp/out" 2>"$temp/err"
is "$? $(sed 's/^analyzer: [^:]*: //' "$temp/err")" "3 more steps than a file of this size can hold" \
	"steps have a limit of their own"
done_testing

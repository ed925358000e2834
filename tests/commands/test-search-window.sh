#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer search --from --to reads only the needed part of a log. It finds the same, to the byte,
# as with --strict, which reads all.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
gen=$top_builddir/tests/tools/gen-log
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
[ -x "$gen" ] || skip_all "gen-log is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
log=$temp/log.bin

# same WINDOW…: both ways find the same for each FROM,TO (us); prints the windows for which they
# differ. Hits are sorted alternately by duration and by start.
sort=dur
turn()
{
	case $sort in
	dur) sort=start ;;
	*) sort=dur ;;
	esac
}
same()
{
	for window in "$@"; do
		turn
		set -- "$log" --from="${window%,*}us" --to="${window#*,}us" --sort "$sort" -f csv
		"$analyzer" search "$@" >"$temp/1" 2>"$temp/1.err" || echo "$window: status $?"
		"$analyzer" search "$@" --strict >"$temp/2" 2>"$temp/2.err"
		cmp -s "$temp/1" "$temp/2" || echo "$window differs"
		cmp -s "$temp/1.err" "$temp/2.err" || echo "$window: other lines on standard error"
	done
	sed -n '$=' "$temp/1" | sed 's/^1$/nothing was found/;t;d'
}

depths="3 12 90" # under a sanitizer one takes all paths
[ "${SANITIZERS:-no}" = no ] || depths=90
for odd in crossing attrs marks unmatched names open losses backwards spans unclosed crossing,attrs,marks,unmatched,names all; do
	for depth in $depths; do
		"$gen" "$log" --pairs 4000 --rows 1200 --threads 2 --domains 3 --depth "$depth" --open --odd $odd
		turn # $(…) forgets that of same
		is "$(same 0,30 -500,1 200,210 700,701 1200,2000)" "" "with $odd, $depth deep"
	done
done
# A range around a whole thread, whose end is far away, and one that is never closed.
cat >"$temp/text.py" <<'END'
import random, sys
random.seed(7)
chunk_rows = int(sys.argv[1])
lines, at, number = [], 1000100, 0
names, opened, told = {"main": 1}, [], []
print('capture clock="monotonic" start_mono_ns=1000000')
print("clock ticks=1000000 mono=1000000 real=5000000 boot=1000000 err=1")
print('def stream id=1 name="main" tid=7')
def end_chunk():
    first = int(lines[0].split()[3])
    print(*lines, sep="\n")
    print("chunk open=[" + ",".join(f"{names[name]},0,{first - ticks}" for name, ticks in told) + "]")
    lines.clear()
def put(name=None):
    global number, at, told
    if not lines:
        told = list(opened)
    if name is None:
        opened.pop()
        lines.append(f"event 1 {number} {at} pop")
    else:
        names.setdefault(name, len(names) + 1)
        opened.append((name, at))
        lines.append(f'event 1 {number} {at} push name="{name}"')
    number, at = number + 1, at + random.randrange(1, 9)
    if len(lines) == chunk_rows:
        end_chunk()
put("never closed")
put("train")
for step in range(300):
    put(f"step {step}")
    for layer in range(random.randrange(60)):
        put(f"layer {layer % 5}")
        put()
    put()
put()
if lines:
    end_chunk()
print(f"clock ticks={at + 10} mono={at + 10} real={at + 4000010} boot={at + 10} err=1")
print('end status="clean"')
END
python3 "$temp/text.py" 1000000 | python3 "$top_srcdir/tests/tools/text-log.py" "$temp/once.bin"
for rows in 100 7 1; do
	python3 "$temp/text.py" $rows | python3 "$top_srcdir/tests/tools/text-log.py" "$log"
	is "$("$analyzer" verify -q "$log"; "$analyzer" search "$log" -f csv 2>/dev/null | md5sum)" \
		"$("$analyzer" search "$temp/once.bin" -f csv 2>/dev/null | md5sum)" "a log of chunks of $rows rows has the same in it"
	is "$(same 0,1 3,4 20,21 40,50 41.5,41.501 60,200)" "" \
		"ranges that begin far before and end far behind are found with their whole duration, in chunks of $rows"
	"$analyzer" search "$log" --from 20us --to 21us -f csv 2>/dev/null >"$temp/1"
	is "$(grep -c -e ',train,' -e 'never closed' "$temp/1")" 2 "that around all, and the one that is never closed"
done

# Parts that are not needed are not read.
"$gen" "$log" --pairs 25000 --rows 2000 --threads 2 --depth 6 --open
"$analyzer" search "$log" --from 12500us --to 12600us -f csv >"$temp/right" 2>/dev/null
python3 - "$log" <<'END'
import struct, sys, zlib
data, pos = bytearray(open(sys.argv[1], "rb").read()), 0
while data[pos:pos + 4] == b"\xc1\xf7rl":
    kind, stored = data[pos + 9], struct.unpack_from("<I", data, pos + 24)[0]
    first, last = struct.unpack_from("<QQ", data, pos + 40)
    if kind == 4 and (last < 1000000000000 + 25000000 or first > 1000000000000 + 37500000) and first > 1000000000000 + 6000000:
        data[pos + 64:pos + 64 + stored] = bytes(stored)
        struct.pack_into("<I", data, pos + 56, zlib.crc32(data[pos + 64:pos + 64 + stored]))
        struct.pack_into("<I", data, pos + 60, zlib.crc32(data[pos:pos + 60]))
    pos += 64 + stored
open(sys.argv[1], "wb").write(data)
END
"$analyzer" search "$log" --from 12500us --to 12600us -f csv >"$temp/1" 2>/dev/null
ok "$(cmp -s "$temp/1" "$temp/right"; echo $?)" "noise in chunks of other times changes nothing"
done_testing

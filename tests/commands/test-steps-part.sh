#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer stats --steps, and -o with --steps, read only the part of a log that the steps need. The
# output has the same bytes as without the flags for chunks' lists of ranges, where they read all.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
gen=$top_builddir/tests/tools/gen-log
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
[ -x "$gen" ] || skip_all "gen-log is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
log=$temp/log.bin

# chunks.py LOG COPY WHAT [FROM TO]: copies a log. plain: takes the flag away; noise: leaves of chunks without anything of the
# stretch FROM … TO (ticks) only the first 512 bytes; wrong: changes the number of pushes that the last chunk lists.
cat >"$temp/chunks.py" <<'END'
import struct, sys, zlib
data, pos, what, listed = bytearray(open(sys.argv[1], "rb").read()), 0, sys.argv[3], 0
out = bytearray()
while data[pos:pos + 4] == b"\xc1\xf7rl":
    head, stored = bytearray(data[pos:pos + 64]), struct.unpack_from("<I", data, pos + 24)[0]
    body, pos = bytes(data[pos + 64:pos + 64 + stored]), pos + 64 + stored
    flags, (first, last) = struct.unpack_from("<H", head, 10)[0], struct.unpack_from("<QQ", head, 40)
    if head[9] == 4 and flags & 2048:
        listed += 1
        raw = bytearray(zlib.decompress(body))
        if what == "plain":
            struct.pack_into("<H", head, 10, flags & ~2048)
        elif what == "noise" and (last < int(sys.argv[4]) or first > int(sys.argv[5])):
            raw[512:] = b"\xc1" * (len(raw) - 512)
        elif what == "wrong":
            raw[raw.index(b"outer") + 10] ^= 1 # the low byte of their number
        body = body if what == "plain" else zlib.compress(bytes(raw), 1)
    struct.pack_into("<I", head, 24, len(body))
    struct.pack_into("<I", head, 56, zlib.crc32(body))
    struct.pack_into("<I", head, 60, zlib.crc32(bytes(head[:60])))
    out += head + body
rest = data[pos:]
if len(rest) == 40:
    struct.pack_into("<Q", rest, 0, 2 ** 64 - 1)
    struct.pack_into("<Q", rest, 8, len(out) + 40)
    struct.pack_into("<I", rest, 28, zlib.crc32(bytes(rest[:28])))
open(sys.argv[2], "wb").write(out + rest)
print(listed)
END
chunks()
{
	python3 "$temp/chunks.py" "$@"
}

# written STEPS…: does the same for outputs.
written()
{
	for steps in "$@"; do
		for form in json pftrace events.csv speedscope.json; do
			for which in whole part; do
				ln -f "$temp/$which.bin" "$log"
				"$analyzer" "$log" -o "$temp/out.$form" --steps "$steps" --step-range step 2>"$temp/$which.err"
				echo "status $?" >>"$temp/$which.err"
				mv "$temp/out.$form" "$temp/$which.out"
			done
			cmp -s "$temp/whole.out" "$temp/part.out" || echo "$form of $steps differs"
			cmp -s "$temp/whole.err" "$temp/part.err" || echo "$form of $steps: standard error differs"
		done
	done
}

# same STEPS…: both logs give the same, in all formats, with one thread and with several. Prints the
# differences.
same()
{
	for steps in "$@"; do
		for form in table json csv; do
			for way in "ranges -j 1" "threads,ranges,domains,footer -j 7" "ranges -g path -j 2"; do
				# shellcheck disable=SC2086 # several words
				set -- --steps "$steps" --step-range step -f $form -r $way
				for which in whole part; do
					ln -f "$temp/$which.bin" "$log"
					"$analyzer" stats "$log" "$@" >"$temp/$which.out" 2>"$temp/$which.err"
					echo "status $?" >>"$temp/$which.err"
				done
				cmp -s "$temp/whole.out" "$temp/part.out" || echo "$steps $form $way differs"
				cmp -s "$temp/whole.err" "$temp/part.err" || echo "$steps $form $way: standard error differs"
			done
		done
	done
}

ways="none marks attrs unmatched names open losses crossing backwards spans unclosed marks,attrs,names all"
[ "${SANITIZERS:-no}" = no ] || ways="none marks,attrs,names all"
for odd in $ways; do
	words="--odd $odd"
	[ "$odd" != none ] || words=
	# shellcheck disable=SC2086 # two words, or none
	"$gen" "$temp/part.bin" --pairs 9000 --rows 1200 --threads 3 --domains 2 --depth 6 --open --steps 300 $words
	chunks "$temp/part.bin" "$temp/whole.bin" plain >"$temp/listed"
	is "$(same 0 5 3-4 9-; written 5)" "" "with $odd: $(cat "$temp/listed") chunks list their outer ranges"
done
"$gen" "$temp/part.bin" --pairs 9000 --rows 1200 --threads 3 --domains 2 --depth 6 --open --steps 300
ok "$([ "$(chunks "$temp/part.bin" "$temp/whole.bin" plain)" -ge 15 ]; echo $?)" "all chunks of an undisturbed log do"
is "$(same 500 9-2000)" "" "steps that there are not"
"$analyzer" verify -q "$temp/part.bin"
is $? 0 "verify finds these lists right"

# A log of a program that was killed, and one that is damaged, state the same losses.
head -c 60000 "$temp/part.bin" >"$temp/1" && mv "$temp/1" "$temp/part.bin"
chunks "$temp/part.bin" "$temp/whole.bin" plain >"$temp/listed"
is "$(same 1 3-4)" "" "a log that was cut short"

# Too many ranges for the lists, and steps inside steps.
"$gen" "$temp/part.bin" --pairs 3000 --rows 700 --threads 2 --depth 5 --names 6 --open --steps 200
chunks "$temp/part.bin" "$temp/whole.bin" plain >"$temp/listed"
for range in "range 1" "range #" "no such"; do
	for which in whole part; do
		ln -f "$temp/$which.bin" "$log"
		"$analyzer" stats "$log" --step-range "$range" --steps 2 -f json -r ranges >"$temp/$which.out" 2>"$temp/$which.err"
	done
	ok "$(cmp -s "$temp/whole.out" "$temp/part.out" && cmp -s "$temp/whole.err" "$temp/part.err"; echo $?)" \
		"ranges of many rows as steps: $range"
done

# Parts that are not needed are not read.
"$gen" "$temp/part.bin" --pairs 25000 --rows 2000 --threads 2 --depth 6 --open --steps 300
"$analyzer" stats "$temp/part.bin" --step-range step --steps 20 -f csv -r ranges >"$temp/right" 2>/dev/null
"$analyzer" search "$temp/part.bin" --name step --sort start -f csv >"$temp/steps" 2>/dev/null
span=$(python3 - "$temp/steps" <<'END'
import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[20]
start, dur = int(row["start_ns"]), int(row["dur_ns"])
tick = 2.6 / (1 + 1 / 50000)
print(int(1e12 + start * tick) - 100000, int(1e12 + (start + dur) * tick) + 100000)
END
)
# shellcheck disable=SC2086 # two numbers
chunks "$temp/part.bin" "$temp/noise.bin" noise $span >/dev/null
"$analyzer" stats "$temp/noise.bin" --step-range step --steps 20 -f csv -r ranges >"$temp/1" 2>"$temp/1.err"
is "$(cmp "$temp/1" "$temp/right" 2>&1)" "" "noise in chunks of other steps, behind their lists, changes nothing"
"$analyzer" "$temp/part.bin" --step-range step --steps 20 -o "$temp/right.events.csv" 2>/dev/null
"$analyzer" "$temp/noise.bin" --step-range step --steps 20 -o "$temp/1.events.csv" 2>/dev/null
is "$(cmp "$temp/1.events.csv" "$temp/right.events.csv" 2>&1)" "" "nor of an output"
"$analyzer" stats "$temp/noise.bin" -f csv -r ranges >"$temp/1" 2>/dev/null
ok "$([ "$(wc -c <"$temp/1")" -ne "$(wc -c <"$temp/right")" ]; echo $?)" "but all of the log shows it"

# Wrong lists.
chunks "$temp/part.bin" "$temp/wrong.bin" wrong >"$temp/listed"
"$analyzer" verify "$temp/wrong.bin" >"$temp/1"
is $? 1 "verify finds lists that are wrong"
is "$(grep -c 'the outer ranges that it lists are not those of its rows' "$temp/1")" "$(cat "$temp/listed")" "each of them"
"$analyzer" stats "$temp/wrong.bin" --step-range step --steps 20 -f csv -r ranges >"$temp/1" 2>/dev/null
is "$(cmp "$temp/1" "$temp/right" 2>&1)" "" "where they contradict themselves all is read"

# People see a step's parts unless the log has more than 4 million events.
"$gen" "$log" --pairs 2000100 --threads 2 --depth 6 --open --steps 5000
"$analyzer" stats "$log" --step-range step --steps 20 -l 1 >"$temp/1"
is "$(grep -c '^step 20 takes .*, the median of the other [0-9]* .* (in which parts: analyzer why --steps 20)$' "$temp/1")" 1 \
	"a large log: who wants to know in which parts a step differs is sent to why"
done_testing

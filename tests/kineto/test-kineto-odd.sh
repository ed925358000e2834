#!/bin/sh
# SPDX-License-Identifier: MIT
# Odd and hostile traces in JSON: no crash, bounded memory, and one clear line or a count for each.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

# odd KIND EXIT LINES TEXT SENTENCE: runs the reports on such a trace. LINES of standard error are
# expected, and TEXT in one of the outputs.
odd()
{
	file=$temp/$1.json
	case $1 in
	bomb*) file=$file.gz ;;
	esac
	python3 "$top_srcdir/tests/kineto/odd.py" "$1" "$file"
	(
		# Shadow memory has no limit.
		# shellcheck disable=SC3045 # dash and bash have it
		[ "${SANITIZERS:-no}" != no ] || ulimit -v 600000
		"$analyzer" stats --report ranges,kernels,api,trace,footer --width 0 "$file" \
			>"$temp/out" 2>"$temp/err"
	)
	status=$?
	rm -f "$file"
	lines=$(wc -l <"$temp/err")
	if [ "$status" -eq "$2" ] && [ "$lines" -eq "$3" ] && cat "$temp/out" "$temp/err" | grep -qF -e "$4"; then
		pass "$5"
	else
		fail "$5"
		diag "exit $status, $lines lines:"
		diag "$(cut -c1-200 "$temp/err" | head -5)"
		diag "$(grep -E '^(complete|note|gpu|program)' "$temp/out")"
	fi
}

linked='gpu: 100.0 % of GPU time attributed to ranges: stack 100.0 %'
odd good 0 0 "$linked" "a trace of three events is read"
odd array 0 0 "$linked" "so is a bare array"
odd open-array 0 0 "$linked" "which needs no bracket at its end"
odd spaces 0 0 "$linked" "10,000 bytes of white space may come before it"
odd twice 0 0 "$linked" "traceEvents may stand twice"
odd twice 0 0 'note: 1 value of traceEvents beyond the first' "which is counted"
odd truncated 0 1 'offset 463: the text ends in the middle; what stands before is shown' \
	"a truncated file is shown up to its end, with one line"
odd garbage 0 1 'what stands before is shown' "so is what stands before something that is no JSON"
odd garbage 0 1 "$linked" "and its GPU work is attributed"
odd behind 0 1 'text behind the end' "text behind the end is named"
odd trailing-comma 0 0 'note: 2 commas too many or too few were ignored' \
	"commas before closing brackets are counted"
odd no-comma 0 0 'note: 2 commas too many or too few' "commas that are missing, too"
odd nan 0 0 'note: 5 words such as NaN are not JSON' "NaN, Infinity and N/A are counted"
odd word-key 0 1 'the rest is shown' "such a word in the place of a key costs its event"
odd long-name 0 0 "$linked" "a name of 1 MiB is one name"
odd negative 0 0 'note: 1 duration is below 0: it was taken as 0' "a duration below 0 is counted"
odd no-devices 0 0 'no deviceProperties' "that there are no device properties is said"
odd no-gpu 0 0 'aten::mm' "a trace without GPU events has its ranges"
odd no-cpu 0 0 'note: ' "a trace without CPU events has its kernels"
odd no-cpu 0 0 'gpu: 0.0 % of GPU time attributed' "which nothing launched"
odd empty 0 0 'complete: 0 events' "an empty trace is one"
odd string-ids 0 0 "$linked" "pid and tid may be texts"
odd null-ids 0 0 'entries of the list of events are not events' "entries of wrong types are counted"
odd deep 0 0 "$linked" "100,000 nested arrays are a value"
odd deep-top 3 1 'JSON, but no trace: there is no event in it' "or a file without events, which is no trace"
odd memory-timeline 3 1 'JSON, but no trace: there is no event in it' "nor is PyTorch's memory timeline"
odd no-events 3 1 'JSON, but no trace: there is no event in it' "nor an array of other objects"
odd too-deep 0 1 'nested over a million deep' "a million is too deep, and one line says so"
odd bomb 0 1 'over 200 times their size' "gzip that unpacks to absurd sizes is not read to the end"
odd bomb-events 0 1 'entries of the list of events are not events' "and what it unpacks to takes no memory"
odd duplicates 0 0 'note: 1 API call has the correlation of another' "shared correlations are counted"
odd many-kernels 0 0 "$linked" "a launch may have 5000 kernels"
odd big-numbers 0 0 'gpu: 1 operation has no API call' "ids of 80 bits are no ids"
odd crossing 0 0 'program: 1 range crosses another of its thread' "ranges that cross are counted"
odd phases 0 0 'program: 1 range was never closed' "B without E is an open range"
odd phases 0 0 'program: 1 pop without an open range' "E without B is passed over"
odd no-trace 3 1 'JSON, but no trace: there is no array traceEvents' \
	"JSON that is no trace is refused in one line"
odd no-json 3 1 'neither a log nor a trace in JSON' "so is what is neither"

# For packed text the message says to which bytes the offset refers.
python3 "$top_srcdir/tests/kineto/odd.py" truncated "$temp/cut.json"
gzip -c "$temp/cut.json" >"$temp/cut.json.gz"
"$analyzer" dump --slices --strict "$temp/cut.json.gz" >"$temp/out" 2>"$temp/err"
is "$? $(sed 's/^[^ ]* [^ ]* //' "$temp/err")" \
	'4 offset 463: the text ends in the middle (offset of the unpacked text); what stands before is shown' \
	"an offset in text that was packed says so"
# A trailer that is split between two reads of 64 KiB, once correct and once wrong.
python3 - "$temp" <<'END'
import sys, zlib
text = b'{"traceEvents":[%s]}' % b",".join(b'{"ph":"X","name":"a","ts":%d,"dur":1,"pid":1,"tid":1}' % (i * 2) for i in range(2000))
def member(data, level):
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()
size = next(size for size in range(65000, 66000) if len(member(text[:size], 0)) == 65540)
for name, at in (("whole", None), ("crc", 65533), ("length", 65538)):
    data = bytearray(member(text[:size], 0) + member(text[size:], 9))
    if at is not None:
        data[at] ^= 1
    open(f"{sys.argv[1]}/{name}.json.gz", "wb").write(data)
END
for damage in whole crc length; do
	"$analyzer" stats -r ranges --strict -f csv "$temp/$damage.json.gz" >"$temp/out" 2>"$temp/err"
	echo "$damage $? $(grep -o 'damaged gzip data: [a-z ]*' "$temp/err")"
done >"$temp/trailers"
printf '%s\n' 'whole 0 ' 'crc 4 damaged gzip data: incorrect data check' \
	'length 4 damaged gzip data: incorrect length check' >"$temp/expected"
is "$(cat "$temp/trailers")" "$(cat "$temp/expected")" "what gzip data unpack to is held to their checksum and length"
python3 "$top_srcdir/tests/kineto/odd.py" good "$temp/good.json"
"$analyzer" dump --slices --strict "$temp/good.json" >"$temp/out" 2>"$temp/err"
is "$? $(cat "$temp/err")" '0 ' "a sound trace is not incomplete"

# Figures are uncertain though nothing is lost: kernels without a grid, a clock of whole
# microseconds.
kernels()
{
	python3 - "$temp/kernels.json" "$@" <<'END'
import json, sys
path, count, step, grids = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
events = [{"ph": "X", "cat": "python_function", "name": "train.py(3): step", "pid": 1, "tid": 1, "ts": 0, "dur": 5},
          {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 3}]
for i in range(count):
    args = {"device": 0, "stream": 7, "correlation": i + 1}
    if i < grids:
        args.update(grid=[1, 1, 1], block=[32, 1, 1])
    events.append({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10 + 4 * i, "dur": step, "args": args})
json.dump({"traceEvents": events}, open(path, "w"))
END
	"$analyzer" stats -r footer -f csv "$temp/kernels.json" 2>/dev/null | grep -E '^(no_grid|whole_us|python)' | cut -d, -f1,2 | tr '\n' ' '
}
is "$(kernels 100 2 100)" "whole_us_kernels, python_unused,1 " "short kernels of a clock of whole microseconds are told, and functions of Python"
is "$("$analyzer" stats -r footer -f json "$temp/kernels.json" 2>/dev/null | grep -o '"whole_us_kernels":[0-9]*')" '"whole_us_kernels":100' "JSON counts them"
is "$("$analyzer" stats -r kernels "$temp/kernels.json" 2>/dev/null | grep 'whole micro')" \
	"note: times are whole microseconds: a kernel below 10us may be up to 1us off" "the lines below reports say so"
is "$("$analyzer" stats --python -r footer -f csv "$temp/kernels.json" 2>/dev/null | grep -c python)" 0 "functions that are ranges are used"
is "$(kernels 100 2.5 100)" "python_unused,1 " "not of a finer clock"
is "$(kernels 50 2 50)" "python_unused,1 " "nor of a few kernels"
is "$(kernels 20 2 3)" "no_grid,17 python_unused,1 " "kernels without a grid are counted where others have one"
is "$(kernels 20 2 0)" "python_unused,1 " "where none has, the columns are not there"

# A lack of memory is reported wherever it occurs, and does not count as a fault of the output.
if [ "${SANITIZERS:-no}" != no ]; then
	skip "too little memory is said" "shadow memory has no limit"
else
	python3 "$top_srcdir/tests/kineto/odd.py" many-ops "$temp/many.json"
	for kilobytes in 8000 12000 16000 20000 24000 28000; do
		for mode in none tb hta torch; do
			(
				# shellcheck disable=SC3045 # dash and bash have it
				ulimit -v "$kilobytes"
				"$analyzer" stats --compat="$mode" --report all "$temp/many.json" \
					>"$temp/out" 2>"$temp/err"
			)
			echo "$? $(sed 's/.*not enough memory for the \([a-z]*\)$/\1/' "$temp/err")"
		done
	done | sort -u >"$temp/exits"
	grep -q '^3 output$' "$temp/exits"
	ok $? "too little memory for a report is said, with exit 3"
	is_empty "$(grep -vE '^(0 |3 events|3 output|127 )' "$temp/exits")" "and so it is at any other place"
fi
done_testing

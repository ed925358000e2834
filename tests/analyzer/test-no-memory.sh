#!/bin/bash
# SPDX-License-Identifier: MIT
# Each allocation of analyzer fails in turn. analyzer says so in a line and by its exit status, and
# leaves no partial file, or it gives its complete output. No output silently lacks a part.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
tools=$top_srcdir/tests/tools
[ -x "$analyzer" ] || skip_all "analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ "${SANITIZERS:-no}" = no ] || skip_all "a sanitizer must be loaded first"
[ -z "${UNDER:-}" ] || skip_all "would need valgrind's own allocations"
cd "$temp" || exit 1
${CC:-cc} -D_GNU_SOURCE -shared -fPIC "$top_srcdir/tests/fail-at.c" -o fail-at.so -ldl 2>cc.txt ||
	skip_all "no shared library can be built: $(cat cc.txt)"
tries=${RANGES_TEST_MEMORY:-6} # calls tried for each function and command, first to last

# A log, its summary, a trace like those of PyTorch's profiler, and an nsys export of the log.
python3 "$tools/gpu-log.py" 1 20 60 1 | python3 "$tools/text-log.py" log.bin &&
	python3 "$top_srcdir/tests/compat/made.py" 1 >trace.json &&
	"$analyzer" log.bin -o log.sqlite 2>/dev/null && "$analyzer" summarize log.bin -o log.sum &&
	"$analyzer" summarize trace.json -o trace.sum
is $? 0 "a log, a trace, an export and summaries are made"
echo 'lost == 0' >rules

# What follows starts few programs but analyzer: each would start thousands of times.
shopt -s nullglob dotglob
mkdir -p got/out
ln -s got/out out

# call FUNCTION N WORDS...: runs analyzer; the Nth call of the function fails. Return: its exit
# status. The output is in got/, with files in got/out, which is also out. The file left has the
# number of calls that were not reached.
call()
{
	local function=$1 n=$2 files=(got/out/*)

	shift 2
	[ ${#files[@]} -eq 0 ] || rm -rf "${files[@]}"
	: >left
	FAIL_CALL=$function FAIL_AT=$n FAIL_WHO=analyzer FAIL_FROM=analyzer FAIL_LEFT=left \
		LD_PRELOAD=$temp/fail-at.so timeout 120 "$analyzer" "$@" >got/stdout 2>errors </dev/null
}

# judge STATUS: sets wrong to the fault of a run, in a line, or to nothing.
judge()
{
	local file

	wrong=
	if [ "$1" = "$good_status" ]; then
		diff -r good got >difference 2>&1 || wrong="the output is another, and nothing says so"
	elif [ "$1" -ge 124 ]; then
		wrong="exit status $1"
	elif [[ $(<errors) != *memory* ]]; then
		wrong="exit status $1, and no word of memory: $(<errors)"
	else
		for file in got/out/*; do
			diff -r "good/out/${file##*/}" "$file" >/dev/null 2>&1 || wrong="exit status $1, and a file is left: $file"
		done
	fi
}

# try WORDS...: lets each allocation of this command fail once.
try()
{
	local all function i n wrong faults='' runs=0

	rm -rf good
	call none 1 "$@"
	good_status=$?
	mv got good
	mkdir -p got/out
	for function in malloc calloc realloc; do
		call $function 1000000000 "$@"
		all=$((1000000000 - $(<left)))
		for ((i = 0; i < (all < tries ? all : tries); i++)); do
			n=$((all <= tries ? i + 1 : 1 + i * (all - 1) / (tries - 1)))
			call $function $n "$@"
			judge $?
			[ -z "$wrong" ] || faults="$faults$function $n of $all: $wrong
"
			runs=$((runs + 1))
		done
	done
	[ $runs -gt 0 ] || faults="no allocation was made to fail"
	all_runs=$((all_runs + runs))
	is_empty "$faults" "analyzer $* ($runs)"
}

all_runs=0
for input in log.bin trace.json log.sqlite; do
	try $input
	try stats -r all $input
	try stats -r all -f json $input
	for output in json json.gz pftrace html sqlite folded speedscope.json; do
		try $input -o out/x.$output
	done
	try summarize $input -o out/x.sum
	try verify $input
	try info $input
	try check rules $input
done
for mode in tb hta torch; do
	try stats --compat=$mode -r all trace.json
done
try stats --steps 1 -r all trace.json
try dump log.bin
try dump --by-time log.bin
try dump --slices trace.json
cp "$top_srcdir/tests/data/format-1/odd.bin" cpu.bin
try slice cpu.bin --thread 1 -o out/x.bin
try slice cpu.bin --from 1ms --to 3ms -o out/x.bin
try search cpu.bin --from 1ms --to 3ms -f csv
try merge log.sum trace.sum -o out/x.sum
try stats -r all log.sum trace.sum
try info log.sum
try stats -r ranges log.bin trace.json
try stats -r kernels --by rank log.bin trace.json
try diff log.bin trace.json
try stats -o out/each -r ranges log.bin

# A worker of a batch that gets no memory reports this for its input.
mkdir in && cp log.bin trace.json in
faults=
for n in 20 40 60 80 100; do
	for function in malloc calloc realloc; do
		call $function $n batch in -o out/batch
		status=$?
		if [ $status -ge 124 ] || { [ $status != 0 ] && ! grep -q 'not enough memory' errors; } ||
			grep -q 'ended early' errors; then
			faults="$faults$function $n: $status $(cat errors)
"
		fi
	done
done
is_empty "$faults" "analyzer batch (15)"
diag "$all_runs runs"
done_testing

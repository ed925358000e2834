#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the tests whose size can be set, at sizes for a night, and prints a table of the results.
#
# usage: make check-long; or tests/tools/check-long.sh [-s PERCENT] [-o FOLDER] [NAME...]
#   -s  sizes in percent of a night's (100); 1 takes some minutes
#   -o  for the output of each (./check-long)
# NAME: one or more of the names in the table's first column, instead of all. RANGES_TEST_TRACES says where
# public traces are. LIMIT_S: most seconds of one of them (21600). Exit: 0, or 1 if one failed.

# shellcheck disable=SC2016,SC2317 # Markdown's ticks; functions that the rows name

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
export top_srcdir=$top top_builddir=${top_builddir:-$top/build}
percent=100
out=check-long
while getopts s:o: option; do
	case $option in
	s) percent=$OPTARG ;;
	o) out=$OPTARG ;;
	*) sed -n '5,/^$/s/^# \{0,1\}//p' "$0"; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
mkdir -p "$out"
out=$(cd "$out" && pwd)

# of N [LEAST]: prints N scaled by the percentage, at least LEAST.
of()
{
	local n=$(($1 * percent / 100))

	echo $((n > ${2:-1} ? n : ${2:-1}))
}

# Each row: name, purpose, and the command with its size; words are split.
rows=(
	"kills|SIGKILL at random moments in nine ways|RANGES_TEST_KILLS=$(of 20000 10) tests/capture/test-kill"
	"harm|deaths and races of recoveries, group kills|RANGES_TEST_RACES=$(of 500 2) RANGES_TEST_GROUPS=$(of 1000 2) tests/capture/test-recover-harm.sh"
	"losses|recorded + lost = calls, in 14 ways to lose|RANGES_TEST_LOSSES=$(of 20) tests/capture/test-losses.sh"
	"faults|each call of the C library fails once|RANGES_TEST_FAULTS=$(of 1000 6) tests/capture/test-faults.sh"
	"memory|no memory for one allocation of analyzer, in 55 commands|RANGES_TEST_MEMORY=$(of 300 6) tests/analyzer/test-no-memory.sh"
	"switches|commands at random against captures, with a window and without, and kills in their midst|RANGES_TEST_SWITCHES=$(of 3334 15) RANGES_TEST_KILLS=$(of 2000 8) tests/capture/test-switches.sh"
	"keep|ten minutes at full speed in 64 MiB|RANGES_TEST_KEEP_S=$(of 600 6) RANGES_TEST_KEEP_M=64 tests/capture/test-keep-flat.sh"
	"endings|every other way to end|tests/capture/test-endings"
	"counts|10^7 pairs from 4 threads|tests/capture/test-counts"
	"starts|threads that begin while the library is loaded, starts in a row|START_RUNS=$(of 1000000 500) starts"
	"missed|threads that glibc missed, starts in a row|START_RUNS=$(of 100000 500) missed"
	"damage|cuts and flips at every byte|tests/unit/format/test-format-damage"
	"mcp|damaged messages to analyzer mcp|RANGES_TEST_MESSAGES=$(of 100000 1000) tests/commands/test-mcp.sh"
	"bombs|small files that promise much|tests/analyzer/test-bombs.sh"
	"gpu|every layout of CUPTI's records|RANGES_TEST_MATRIX=$(of 125000 200) tests/cupti/test-cupti-matrix.sh"
	"sums|random logs of GPUs against slow sums|tests/analyzer/test-gpu-sums.sh"
	"merges|summaries of real inputs in any order, batches killed|RANGES_TEST_MERGES=$(of 1000) RANGES_TEST_BATCH_KILLS=$(of 50 2) tests/batch/test-merges.sh"
	"verdicts|intervals of simulated runs hold the truth|RANGES_TEST_TRIALS=$(of 20000 20) tests/unit/analyzer/test-diff-runs"
	"reader|fuzz: logs, raw and with CRCs repaired, and msgpack|FUZZ_S=$(of 3600 10) fuzz reader corpus"
	"payload|fuzz: payloads and schemas|FUZZ_S=$(of 1800 10) fuzz payload payloads"
	"json|fuzz: traces in JSON|FUZZ_S=$(of 3600 10) fuzz json traces"
	"perfetto|fuzz: traces of Perfetto|FUZZ_S=$(of 1800 10) fuzz perfetto perfetto"
	"commands|fuzz: any file, every command|FUZZ_S=$(of 1800 10) fuzz commands files"
	"attributes|fuzz: attribute structs of NVTX's calls|FUZZ_S=$(of 1800 10) fuzz attributes attributes"
	"mutants|faults planted in the sources|MUTANTS=$(of 100) mutants"
)

# fuzz NAME CORPUS: fuzzes for FUZZ_S seconds. Findings are in the output's folder.
fuzz()
{
	command -v "${CLANG:-clang-14}" >/dev/null || { echo "1..0 # SKIP no clang"; return 0; }
	mkdir -p "$out/found-$1"
	(cd "$out" && { [ -x "fuzz-$1" ] || "$top/tests/fuzz/build" "$top_builddir" "$1"; } &&
		"./fuzz-$1" -max_total_time="$FUZZ_S" -timeout=120 -rss_limit_mb=4096 -print_final_stats=1 \
			-artifact_prefix="$out/found-$1/bad-" "$out/found-$1" "$top/tests/fuzz/$2" 2>&1) &&
		echo "ok 1 - nothing was found"
}

# starts [PRELOADED]: programs whose 16 threads all begin at once, START_RUNS times; 500 logs at a time.
starts()
{
	local begun spool rc=0

	spool=$(mktemp -d)
	for begun in $(seq 500 500 "$START_RUNS"); do
		LD_PRELOAD=${1:-} RANGES_SPOOL_DIR=$spool RANGES_OUTPUT=$spool/log.bin RANGES_BUFFER=1M \
			NVTX_INJECTION64_PATH=$top_builddir/libranges/.libs/libranges.so \
			"$top_builddir/tests/capture/starts" 500 16 2 || { rc=1; echo "within the $begun"; }
		rm -rf "${spool:?}"/*
	done
	rm -rf "$spool"
	[ "$rc" -eq 0 ] && echo "ok 1 - $START_RUNS runs, each ended in order"
}

# missed: starts programs in which each thread is in the state of one that glibc missed.
missed()
{
	"${CC:-cc}" -shared -fPIC "$top/tests/capture/missed-thread.c" -o "$out/missed-thread.so" -ldl &&
		starts "$out/missed-thread.so"
}

mutants()
{
	"$top/tests/tools/mutants.py" -n "$MUTANTS" -w "$out/mutants"
}

# run_row COMMAND: runs a function of this script, or a test from the build or the sources.
run_row()
{
	local words program

	read -r -a words <<<"$1"
	while [[ ${words[0]} == [A-Z]*=* ]]; do
		export "${words[0]?}"
		words=("${words[@]:1}")
	done
	program=${words[0]}
	if [ "$(type -t "$program")" = function ]; then
		"${words[@]}"
	elif [ -x "$top_builddir/$program" ]; then
		timeout "${LIMIT_S:-21600}" "$top_builddir/$program"
	else
		timeout "${LIMIT_S:-21600}" "$top/$program"
	fi
}

# result LOG: prints the figures at the end of a log, in one line.
result()
{
	grep -aE '^(# [^ ].*(runs|calls|kills)|stat::number_of_executed_units|[0-9]+ killed|ok [0-9]+ - .*[0-9]{3,}.*)' "$1" |
		tail -n 1 | sed -E 's/^(ok [0-9]+ - |# )//; s/stat::number_of_executed_units: *([0-9]+)/\1 executions/' | cut -c 1-100
}

failed=0
printf '| %s | %s | %s | %s | %s |\n|---|---|---|---|---|\n' "" what command result s
for row in "${rows[@]}"; do
	IFS='|' read -r name what command <<<"$row"
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	begun=$SECONDS
	(run_row "$command") >"$out/$name.log" 2>&1 </dev/null
	status=$?
	good=$(grep -acE '^ok ' "$out/$name.log")
	bad=$(grep -acE '^not ok ' "$out/$name.log")
	verdict="$good facts hold"
	if [ "$status" -ne 0 ] || [ "$bad" -ne 0 ]; then
		verdict="**$bad facts do not hold**, exit status $status"
		failed=1
	fi
	figures=$(result "$out/$name.log")
	printf '| %s | %s | `%s` | %s%s | %d |\n' "$name" "$what" "$command" "$verdict" "${figures:+; $figures}" \
		$((SECONDS - begun))
done
exit $failed

#!/bin/sh
# SPDX-License-Identifier: MIT
# Timelines of our logs give other tools the figures that `analyzer stats` gives for the logs: ranks of a program
# whose operators PyTorch's emit_nvtx() names, and of one that the stand-in for CUPTI recorded.
#
# HolisticTraceAnalysis and TraceLens are run if PYTHONPATH has them. In any case --compat=hta,
# which the tests beside this one compare with the tool's own figures, reads the timelines, and the
# contents that the tools need are checked.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"

analyzer=$top_builddir/analyzer/analyzer
python=${RANGES_TEST_PYTHON:-python3} # a Python with pandas and the tools' other modules
here=$top_srcdir/tests/compat
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v "$python" >/dev/null 2>&1 || skip_all "no python3"

# draw NAME: writes the timelines of the logs NAME/0.bin and NAME/1.bin into a folder of their own.
draw()
{
	mkdir "$temp/$1/json"
	for rank in 0 1; do
		"$analyzer" "$temp/$1/$rank.bin" -o "$temp/$1/json/$rank.json" 2>"$temp/said" || return 1
	done
	"$analyzer" stats "$temp/$1/0.bin" "$temp/$1/1.bin" -r temporal,overlap,breakdown -f json >"$temp/$1/stats.json"
}

# ask NAME TOOL WHAT STATS: the tool's figures for the timelines equal those of STATS.
ask()
{
	status=0
	"$python" "$here/own-tools.py" "$2" "$4" "$temp/$1/json/0.json" "$temp/$1/json/1.json" >"$temp/out" 2>"$temp/err" || status=$?
	if [ $status -eq 77 ]; then
		skip "$1: $3 gives the figures of the log" "$(cat "$temp/out")"
		return
	fi
	ok $status "$1: $3 gives the figures of the log: $(tail -n 1 "$temp/out")"
	[ $status -eq 0 ] || diag "$(cat "$temp/out" "$temp/err")"
}

mkdir "$temp/operators" "$temp/stand-in"
for rank in 0 1; do
	python3 "$here/own-log.py" $rank >"$temp/text" && python3 "$top_srcdir/tests/tools/text-log.py" "$temp/operators/$rank.bin" "$temp/text"
done
draw operators
ok $? "operators: the logs become timelines"
python3 "$here/own-rows.py" "$temp/operators/json/0.json" "$temp/operators/json/1.json" >"$temp/out" 2>&1
is "$?:$(cat "$temp/out")" 0: "operators: the timelines have what other tools look for"

# The timelines do not contain the log, so that the events are read.
for rank in 0 1; do
	"$analyzer" "$temp/operators/$rank.bin" --without-log -o "$temp/operators/$rank.json" 2>"$temp/said"
done
"$analyzer" stats --compat=hta "$temp/operators/0.json" "$temp/operators/1.json" -r temporal,overlap --set last-step=1 -f csv >"$temp/out"
is "$(cut -d , -f 1-5 "$temp/out" | sed 's/0\.90000.*/0.9/')" "rank,idle_us,compute_us,non_compute_us,kernel_time_us
0,90,372,32,494
1,90,432,32,554

rank,overlap
0,0.9
1,1" "operators: the idle, computing and overlapping times of HolisticTraceAnalysis"
is "$("$analyzer" stats "$temp/operators/0.bin" "$temp/operators/1.bin" -r temporal -f csv | cut -d , -f 1,2,3,5,7)" \
	"rank,kernel_time_ns,compute_ns,non_compute_ns,idle_ns
0,494000,372000,32000,90000
1,554000,432000,32000,90000" "operators: which are those of the logs"
is "$("$analyzer" "$temp/operators/0.bin" --without-log --names raw -o - 2>"$temp/said" | grep -c '"name":"aten::linear, op_id = 1, ')" 2 \
	"operators: --names raw has their names as they were recorded, on the GPU as well"
ask operators hta HolisticTraceAnalysis "$temp/operators/stats.json"
"$analyzer" stats "$temp/operators/0.bin" -r temporal,overlap,op-kernels -f json >"$temp/operators/one.json"
ask operators tracelens TraceLens "$temp/operators/one.json"

if build_fake 130000 2>"$temp/errors" && build_program 2>>"$temp/errors"; then
	for rank in 0 1; do
		RANK=$rank WORLD_SIZE=2 RANGES_CLOCK=monotonic RANGES_EXIT_MS=60000 RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
			"$top_builddir/libranges/ranges" run -q -f -o "$temp/stand-in/$rank.bin" \
			"$temp/program" threads=2 launches=500 streams=3 init work >"$temp/out" 2>>"$temp/errors"
	done
	draw stand-in
	ok $? "stand-in: the logs become timelines"
	python3 "$here/own-rows.py" "$temp/stand-in/json/0.json" "$temp/stand-in/json/1.json" >"$temp/out" 2>&1
	is "$?:$(cat "$temp/out")" 0: "stand-in: the timelines have what other tools look for"
	ask stand-in hta HolisticTraceAnalysis "$temp/stand-in/stats.json"
else
	skip "stand-in: the logs become timelines" "the stand-ins can't be built: $(cat "$temp/errors")"
fi
done_testing

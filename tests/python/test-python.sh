#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python module: what it records, in which steps, that it does nothing if nobody records, and
# that the guide's example is right. The test uses each Python 3 that is installed: the first on the
# path, and the system's.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
for program in "$ranges" "$analyzer"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a library with a sanitizer cannot be loaded into Python" ;;
esac
pythons=$(for candidate in "$(command -v python3)" /usr/bin/python3; do
	[ -x "$candidate" ] && "$candidate" -c 'import ctypes, os, sys
sys.version_info >= (3, 8) and print(os.path.realpath(sys.executable))' 2>/dev/null
done | awk '!seen[$0]++')
[ -n "$pythons" ] || skip_all "no python3"

mkdir "$temp/spool" "$temp/work" "$temp/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$ranges" >"$temp/bin/ranges"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$analyzer" >"$temp/bin/analyzer"
chmod +x "$temp"/bin/*
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH CUDA_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED \
	RANGES_RUN_DIR RANGES_ROOT_PID RANGES_DOMAINS RANGES_SCHEDULE RANGES_CAPTURE_RANGE RANGES_DELAY \
	RANGES_DURATION RANGES_STANDBY
RANGES_SPOOL_DIR=$temp/spool
RANGES_EXIT_MS=60000
PYTHONPATH=$top_srcdir/python
PYTHONDONTWRITEBYTECODE=1
export RANGES_SPOOL_DIR RANGES_EXIT_MS PYTHONPATH PYTHONDONTWRITEBYTECODE

# run OPTIONS… -- CASE ARGUMENTS…: runs the case. Its log is log*.bin, its status $run_status.
run()
{
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	rm -rf ./*.bin board
	# shellcheck disable=SC2086 # the options are meant to be split
	PATH=$temp/bin:$PATH "$ranges" run -o log.bin $options -- "$python" "$top_srcdir/tests/python/cases.py" "$@" \
		>out 2>errors
	run_status=$?
	[ "$run_status" -eq 0 ] || [ "${KILLED_AT:-}" ] || diag "$(cat errors)"
}

# kinds LOG: prints its events, without the parts that differ between runs.
kinds()
{
	"$analyzer" dump "$1" | sed -nE 's/^event [0-9]+ [0-9]+ [0-9]+ //p' | grep -v '^call ' | sed -E 's/ id=[0-9]+//; s/ cid=[0-9]+//'
}

# count WHAT: counts the events that match.
count()
{
	kinds log.bin | grep -c -E "$1"
}

steps()
{
	kinds "$1" | sed -nE 's/^step payload=u64:([0-9]+)$/step \1/p; s/^push name="(.*)"$/\1/p' | tr '\n' ',' | sed 's/,$//'
}

# ---- What is recorded ----

test_annotations()
{
	run -- annotations
	is "$run_status:$(kinds log.bin)" "0:$(
		cat <<'END'
push name="outer"
push name="inner" domain="lib" category="io" color=#FFFF0000 payload=i64:7
pop domain="lib"
pop
push name="pushed" payload=double:2.5
push name="pushed in lib" domain="lib"
pop
pop domain="lib"
mark name="mark" domain="lib" category=9 color=#FF112233
start name="begun" payload=u64:18446744073709551615
end
push name="recorded"
pop
mark name="Grüße"
END
	)" "ranges and marks, domains, colours, categories, payloads"
	run -- decorators
	is "$run_status:$(count '^push name="decorators.<locals>.plain"'):$(count '^push name="named" domain="lib" payload=i64:-1'):$(count '^start name="generator"'):$(count '^end')" \
		"0:2:3:1:1" "decorated functions, recursive ones, generators"
	is "$(count '^push'):$(count '^pop'):$(kinds log.bin | tail -n 1)" '7:7:mark name="after"' \
		"exceptions close their ranges and go on"
	run -- payloads
	is "$(kinds log.bin | sed 's/.*payload=//' | tr '\n' ' ')" \
		"i64:0 i64:-5 i64:9223372036854775807 u64:9223372036854775808 double:1.5 i64:1 i64:11 double:1.1805916207174113e+21 " \
		"payloads are numbers of any kind"
	run -- wrong
	is "$run_status:$(grep -c RuntimeWarning errors):$(count '^mark')" 0:2:6 "wrong use is said, and harms nothing"
	run -- threads
	is "$run_status:$(count '^push.*name="shared"'):$(count '^push .* domain="threads"'):$(count '^pop')" 0:4800:1600:6400 \
		"eight threads with one decorated function"
	"$analyzer" stats -r ranges -f csv log.bin >table 2>notes
	is "$(grep -c -i -e unclosed -e 'not closed' -e repaired notes)" 0 "all of theirs are pairs"
	run -- asynchronous
	is "$run_status:$(count '^start name="task"'):$(count '^start name="[ab]'):$(count '^start name="items"'):$(count '^start'):$(count '^end')" \
		"0:2:4:2:8:8" "what may be suspended has ranges of the process"
	is "$(count '^push name="(nested|manager)"'):$(count '^pop')" 2:2 "what is called there has ranges of the thread"
}

test_nobody()
{
	for case in annotations decorators payloads threads asynchronous; do
		"$python" -W error "$top_srcdir/tests/python/cases.py" "$case" >out 2>&1
		is "$?:$(cat out)" 0: "without a recorder nothing is said or done: $case"
	done
	"$python" "$top_srcdir/tests/python/cases.py" control >out 2>&1
	is "$(cat out)" "False -1 -1 -1 -1
None
-1 " "nobody records, and that is what the calls return"
	"$python" "$top_srcdir/tests/python/cases.py" scheduled 1 1 1 1 0 5 >out 2>&1
	is "$?:$(cat out)" 0: "a schedule without a recorder"
	rm -f none.json none.folded
	"$python" -W error "$top_srcdir/tests/python/cases.py" unrecorded >out 2>errors
	is "$?:$(cat out)" "0:no events: nobody records this program
0 [] 0 []
False False" "a profile without a recorder is empty, and its figures can be asked for"
	is "$(cat errors)" "ranges: nobody records this program: the profile is empty (\"ranges run -- python3 SCRIPT\" records it)" \
		"which is said once"
	NVTX_INJECTION64_PATH=/nonexistent "$python" "$top_srcdir/tests/python/cases.py" annotations >out 2>&1
	is "$?:$(cat out)" 0: "a recorder that is not there"
}

# ---- Which steps ----

test_schedules()
{
	run -- decided
	is "$(sed 's/ $//' out)" "NE NE WP RD RE NE WP RD RE NE NE
NRNNRNNR
active is at least 1, not 0
wait is a number of steps, not -1" "a schedule's words mean what torch's do"
	run -- scheduled 80 3 1 2 0 200
	is "$run_status:$(echo ./*.bin)" "0:./log.c1.bin ./log.c2.bin" "200 steps with two cycles give two logs"
	is "$(steps log.c1.bin):$(steps log.c2.bin)" "step 83,load,train 83:step 167,load,train 167" "steps 83 and 167, and nothing else"
	is "$(cat out)" "ready log.c1.bin 84 0
ready log.c2.bin 168 0" "the handler gets each log when it is whole"
	is "$("$analyzer" dump log.c2.bin | grep -E '^capture (cycle|on_by)=' | tr '\n' ' ')" 'capture cycle=2 capture on_by="api" ' \
		"the log says so"
	run -- scheduled 0 0 2 2 1 5
	is "$(steps log.c1.bin):$(steps log.c2.bin):$(wc -l <out | tr -d ' ')" \
		"step 1,load,train 1,step 2,load,train 2:step 3,load,train 3,step 4,load,train 4:2" "cycles without a pause, and skip_first"
	run -- scheduled 1 0 5 1 0 3
	is "$(steps log.c1.bin):$(cat out)" "step 1,load,train 1,step 2,load,train 2,step 3:ready log.c1.bin 3 0" \
		"a program that ends in the midst of a cycle leaves its log"
	KILLED_AT=83
	export KILLED_AT
	run -- scheduled 80 3 1 2 0 200
	is "$run_status:$(steps log.c1.bin)" "137:step 83,load,train 83" "SIGKILL in the active step loses nothing of it"
	unset KILLED_AT
	run --no-thread -- scheduled 1 1 1 2 0 8
	is "$run_status:$(steps log.c1.bin):$(wc -l <out | tr -d ' ')" "0:step 2,load,train 2:2" "without a thread of ours, too"
	run --schedule wait=2,active=1,repeat=2 -- scheduled 0 0 1 1 0 9
	is "$(steps log.c1.bin):$(steps log.c2.bin):$(cut -d' ' -f1,2 out | tr '\n' ' ')" \
		"step 2,load,train 2:step 5,load,train 5:ready log.c1.bin ready log.c2.bin " "under ranges run --schedule that decides"
	run -- unscheduled
	is "$run_status:$(cat out):$(steps log.c2.bin)" "0:ready log.c2.bin
1 within:step 0,within" "without a schedule all within it is recorded, and nothing behind it"
	run -- control
	is "$(cat out)" "True 0 1 0 0
log.bin
0 log.c2.bin" "by hand: stop, start, flush, and the logs' names"
	is "$(kinds log.c2.bin | tr '\n' ' ')" 'step name="epoch" payload=u64:1 step payload=u64:41 step_end ' "steps have numbers and names"
	run -- unfinished
	is "$(kinds log.bin | tr '\n' ' ')" 'step payload=u64:0 step payload=u64:1 step_end mark name="exiting" ' \
		"the last step of a loop ends when the interpreter begins to exit"
	run -- kept
	is "$(cat out)" "4 4 False" "without a window there is no snapshot"
	run --keep 1M -- kept
	is "$(cat out):$(echo ./*.bin):$(kinds mine.bin | tr '\n' ' ')" '0 0 True:./log.bin ./log.s1.bin ./mine.bin:push name="load" ' \
		"snapshots of what is kept"
}

# ---- Reading ----

test_reading()
{
	run -- reading
	is "$run_status:$(cat out)" "0:[('mark', 'mark'), ('range', 'load'), ('range', 'load'), ('range', 'load')]
[3]
[3]
True False True
True ['worker']
refused 0" "events, tables, timelines of a log"
	run -- torch_rows
	is "$run_status:$(sed 's/; and as a dict .*//; s/ key, .*/ KEYS/; s/calls it has .*/CALLS/' out)" "0:2 2 True
True 0.0 True
Total 5 True
['inner', 'outer']
['batch: 32']
a row of key_averages has no flops, but KEYS
ranges.profile has no export_memory_timeline; of torch.profiler's CALLS" "torch's names for figures, stacks and remarks, and what there is instead of others"
	if "$python" -c 'import pandas' 2>/dev/null; then
		run -- frames
		is "$(cat out)" "DataFrame list" "frames where pandas is there"
	else
		skip "frames where pandas is there" "no pandas"
	fi
}

# ---- The guide ----

# Runs the files and commands of doc/guide/python.md in their order, and compares the output without
# figures.
test_guide()
{
	rm -rf guide
	mkdir guide
	ln -s "$python" guide/python3
	awk '/^<!-- file: / { name = $3; next }
		/^```/ && inside { inside = 0; name = ""; next }
		/^```/ { inside = 1; shown = $0 == "```console"; next }
		inside && shown && /^\$ / { print substr($0, 3) >"guide/commands"; next }
		inside && shown { print >"guide/wanted"; next }
		inside && name != "" { print >("guide/" name) }' "$top_srcdir/doc/guide/python.md"
	(cd guide && PATH=$PWD:$temp/bin:$PATH sh -e ./commands) >guide/got 2>&1
	is "$?:$(sed 's/[0-9][0-9.]*/N/g' guide/got)" "0:$(sed 's/[0-9][0-9.]*/N/g' guide/wanted)" "the guide's example is as it says"
}

for python in $pythons; do
	diag "$python"
	test_annotations
	test_nobody
	test_schedules
	test_reading
	test_guide
done
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# ranges compare: which runs it makes, in which order, when it ends, and what it reports. Where the
# verdict of diff matters, a stand-in gives it, because times of real runs are not known beforehand.
# shellcheck disable=SC2016 # texts for inner shells

. "${0%/*}/../lib.sh"
need_temp
ranges=$(cd "$top_builddir" && pwd)/libranges/ranges
library=$(cd "$top_builddir" && pwd)/libranges/.libs/libranges.so
emit=$(cd "$top_builddir" && pwd)/tests/nvtx/emit
for program in "$ranges" "$emit" "$library" "$top_builddir/analyzer/analyzer"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work" "$temp/own"
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
cd "$temp/work" || exit 1

# compare ARGUMENTS...: leaves $status, $out, and $err (times as T).
compare()
{
	"$ranges" compare "$@" >"$temp/out" 2>"$temp/err" </dev/null
	status=$?
	out=$(cat "$temp/out")
	err=$(sed -E 's/[0-9.]+ s(,|$)/T\1/; s/seed [0-9]+/seed S/' "$temp/err")
}

# A second copy of the launcher, with another analyzer beside it. That analyzer notes its arguments
# and does what $temp/own/does says.
cp "$ranges" "$temp/own/ranges"
cat >"$temp/own/analyzer" <<'END'
#!/bin/sh
own=${0%/*}
echo "$*" >>"$own/words"
. "$own/does"
END
chmod +x "$temp/own/analyzer"

# with_stand_in ARGUMENTS...: like compare, with that copy.
with_stand_in()
{
	rm -rf "$temp/own/words" ./*
	RANGES_LIBRARY=$library "$temp/own/ranges" compare "$@" >"$temp/out" 2>"$temp/err" </dev/null
	status=$?
	out=$(cat "$temp/out")
	words=$(cat "$temp/own/words")
}

# ---- Wrong usage ----

refused=
for words in "" "--" "-- true" "-- true :::" "-- ::: true" "-- true ::: true ::: true" "-n 0 -- true ::: true" \
	"-n x -- true ::: true" "--until 2 -- true ::: true" "--until 0% -- true ::: true" "--time 5x -- true ::: true" \
	"--time 0 -- true ::: true" "--env X -- true ::: true" "--cpu 1-0 -- true ::: true" "--cpu 0, -- true ::: true" \
	"--fail-on abc -- true ::: true" "--nosuch -- true ::: true" "-f -a -- true ::: true" "--quiet=1 -- true ::: true" "-n"; do
	# shellcheck disable=SC2086 # words
	compare $words
	[ "$status:$(wc -l <"$temp/err")" = 2:1 ] || refused="$refused [$words] $status"
done
is_empty "$refused$(ls)" "wrong words are refused with one line and exit code 2, and nothing is made"

# ---- A good comparison ----

compare -n 2 --seed 5 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
is "$status" 0 "what is not slower than the limits ends with 0"
is "$(cd compare && find . -type f | sort | tr '\n' ' ')" \
	"./after/run-001.bin ./after/run-002.bin ./before/run-001.bin ./before/run-002.bin " "a log for each run, none of warm-ups"
is "$(printf '%s\n' "$out" | sed -n '1,2p')" "before: compare/before, 2 inputs
after:  compare/after, 2 inputs" "the diff's table is printed, and nothing of the programs"
is "$(printf '%s\n' "$err" | sed 's/: \(before\|after\),/: SIDE,/' | sort | uniq -c | sed 's/^ *//')" \
	"1 ranges: compare: 2 runs of each in T, seed S: compare/before, compare/after
2 ranges: compare: SIDE, run 1 of 2: T
2 ranges: compare: SIDE, run 2 of 2: T
2 ranges: compare: SIDE, warm-up: T" "a line for each run, and one at the end"
is "$(grep -c 'seed 5: ' "$temp/err")" 1 "the seed is said"
is "$("$top_builddir/analyzer/analyzer" diff compare/before compare/after --fail-on 1000000%)" "$out" \
	"analyzer diff says the same of the folders"

compare -n 1 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
is "$(printf '%s\n' "$err" | head -n 1)" \
	"ranges: compare: compare has logs already: the new ones go to compare.1 (-f replaces the old ones, -a adds to them)" "a comparison that is there is kept"
is "$(find compare.1 -name '*.bin' | wc -l)" 2 "the new one gets the next free name"
compare -a -q -n 1 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
is "$status:$err:$(find compare -name run-003.bin | wc -l)" "0::2" "--add goes on with their numbers, --quiet says nothing"
is "$(printf '%s\n' "$out" | head -n 1)" "before: compare/before, 3 inputs" "and all of them are compared"
compare -f -q -n 1 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
is "$status:$(find compare -type f | wc -l)" "0:2" "--force removes those that were there"
compare -q -n 1 -o '5%c' --warmup 0 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
is "$status:$(find 5%c -type f | sort | tr '\n' ' ')" "0:5%c/after/run-001.bin 5%c/before/run-001.bin " "a folder is called as it is called"
compare -f -q -n 1 --warmup 0 --fail-on 1000000% -- "$emit" 1 ::: sh -c '"$0" "$1"; "$0" "$1"' "$emit" 1
is "$status:$(cd compare/after && find . -type f | sed 's/\.[0-9]*\.bin/.PID.bin/' | sort | tr '\n' ' ')" \
	"0:./run-001/run-001.PID.bin ./run-001/run-001.PID.bin " "several logs of a run lie in a folder"
compare -a -q -n 1 --warmup 0 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
is "$status:$(cd compare/after && echo *)" "0:run-001 run-002.bin" "and count as one run"
compare -f -q -n 1 --warmup 0 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
is "$status:$(find compare/after -type f)" "0:compare/after/run-001.bin" "and are removed as one"
rm -rf ./*

# ---- Order ----

# order SEED: prints the side that came first in each of 8 rounds.
order()
{
	compare --seed "$1" -n 8 -f --warmup 0 --fail-on 1000000% -- "$emit" 1 ::: "$emit" 1
	sed -n 's/.*compare: \([ab]\)[a-z]*, run.*/\1/p' "$temp/err" | tr -d '\n'
}
first=$(order 1)
is "$(printf '%s' "$first" | sed 's/ab/./g; s/ba/./g')" "........" "each round has both"
is "$(order 1)" "$first" "the same seed gives the same order"
second=$(order 2)
[ "$first" != "$second" ] && [ "$first" != abababababababab ] && [ "$first" != babababababababa ]
ok $? "the order is drawn: $first, $second"

# ---- The commands' input and environment ----

is "$(BOTH=0 ONE=0 && export BOTH ONE &&
	compare -f -q -n 1 --warmup 0 --env BOTH=1 --before-env ONE=b --after-env=ONE=a --env BOTH=2 --fail-on 1000000% -- \
		sh -c 'echo "$BOTH$ONE" >>seen; exec "$0" "$1"' "$emit" 1; sort seen | tr '\n' ' '; echo "$status $BOTH")" \
	"2a 2b 0 0" "variables for both and for one: then one command is enough"
cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
compare -f -q -n 1 --warmup 0 --cpu "$cpu" --fail-on 1000000% -- \
	sh -c 'sed -n "s/^Cpus_allowed_list:.//p" /proc/self/status >cpus; exec "$0" "$1"' "$emit" 1 ::: "$emit" 1
is "$status:$(cat cpus)" "0:$cpu" "--cpu takes hold"
compare -f -q -n 1 --warmup 0 --fail-on 1000000% -- sh -c 'wc -c >bytes; exec "$0" "$1"' "$emit" 1 ::: "$emit" 1
is "$status:$(tr -d ' ' <bytes)" "0:0" "they read nothing"
compare -f -q -n 1 --warmup 0 --show-output --fail-on 1000000% -- sh -c 'echo printed; exec "$0" "$1"' "$emit" 1 ::: "$emit" 1
is "$status:$(printf '%s\n' "$out" | grep -c printed)" "0:1" "--show-output lets them print"
rm -rf ./*

# ---- Failing ones ----

compare -n 3 -- "$emit" 1 ::: sh -c '"$0" "$1"; echo broken; exit 3' "$emit" 1
is "$status:$(tail -n 1 "$temp/err")" \
	"7:ranges: compare: the command \"after\" (sh) ended with exit code 3; its output is in compare/after/run-000.txt" \
	"a command that fails ends the comparison"
is "$(tail -n 1 compare/after/run-000.txt):$(find compare -name '*.bin' | wc -l)" "broken:0" "what it said is kept, its log is not"
compare -f -n 1 -- sh -c 'kill -TERM $$' ::: "$emit" 1
is "$status" 143 "a signal's number is passed on"
# If the tests were started in the background, SIGINT is ignored, and a shell can't undo that.
compare -f -q -n 5 --warmup 0 -- "$emit" 1 ::: \
	env --default-signal=INT sh -c 'echo >>runs; [ "$(wc -l <runs)" -lt 3 ] || kill -INT $$; exec "$0" 1' "$emit"
is "$status:$(printf '%s\n' "$out" | sed -n 2p):$(find compare/after -name '*.bin' | wc -l)" "130:after:  compare/after, 2 inputs:2" \
	"interrupted, it compares what there is"
rm -f runs
# shellcheck disable=SC2016 # texts for an inner shell
env --default-signal=INT "$ranges" compare -f -q -n 5 --warmup 0 -- "$emit" 1 ::: \
	sh -c 'echo >>runs; [ "$(wc -l <runs)" -lt 3 ] || kill -INT "$(sed -n "s/^PPid:.//p" /proc/$PPID/status)"; exec "$0" 1' "$emit" >"$temp/out" 2>"$temp/err"
is "$?:$(sed -n 2p "$temp/out"):$(wc -l <runs)" "130:after:  compare/after, 2 inputs:3" "also by a signal to it alone, after that run"
compare -f -n 1 -- ./nosuch ::: "$emit" 1
is "$status:$(wc -l <"$temp/err")" "127:1" "so is that there is no such program"
compare -f -n 1 -- true ::: "$emit" 1
is "$status:$err" "3:ranges: compare: the command \"before\" (true) makes no NVTX call: there is nothing to compare" \
	"a program without ranges is told from one that fails"
: >file
compare -n 1 -o file -- "$emit" 1 ::: "$emit" 1
is "$status:$(wc -l <"$temp/err")" "3:1" "a file is no folder"
rm -rf ./*

# ---- When it ends ----

echo 'exit 1' >"$temp/own/does"
with_stand_in -n 1 -q --fail-on 3%,1ms -- "$emit" 1 ::: "$emit" 1
is "$status:$words" "1:diff compare/before compare/after --fail-on 3%,1ms" "diff's exit code is ours, and the limits are its"
with_stand_in --time 1ms -q -- "$emit" 1 ::: "$emit" 1
is "$status:$(find compare -name '*.bin' | wc -l)" "1:2" "there is one run of each, however short the time"

# More runs make the intervals narrower, but not those of short rows.
cat >"$temp/own/does" <<'END'
[ "${5:-}" = json ] || exit 1
runs=$(ls "$2" | grep -c bin)
width=$((70 - runs * 10))
cat >"$7" <<JSON
{"before":{"input":"x\"rows\":[{","inputs":1},"parts":[{"part":"Total","before_ns":9000,"low_part":-0.9,"high_part":0.9}],
"rows":[{"what":"range","name":"a \"{b","before_ns":1000,"more":{"low_part":0.5,"x":[1,{"y":"}"}]},"low_part":-0.0$width,"high_part":0.0$width},
{"what":"range","name":"short","before_ns":40,"low_part":-0.5,"high_part":0.5},
{"what":"range","name":"new","before_ns":0,"low_part":null,"high_part":null}]}
JSON
exit 0
END
with_stand_in -n 20 --until 1.1% -- "$emit" 1 ::: "$emit" 1
is "$(find compare -name '*.bin' | wc -l)" 12 "--until ends it as soon as the widest interval that counts is narrow enough"
is "$(printf '%s\n' "$words" | sort | uniq -c | sed 's/^ *//')" "1 diff compare/before compare/after
2 diff compare/before compare/after -f json -o compare/diff.json" "diff is asked after five runs, and after each one more"
is "$(cd compare && echo *)" "after before" "its answer is not left there"
with_stand_in -n 6 --until 0.01% -- "$emit" 1 ::: "$emit" 1
is "$(find compare -name '*.bin' | wc -l)" 12 "-n ends it all the same"
cat >"$temp/own/does" <<'END'
[ "${5:-}" = json ] || exit 0
printf '{"rows":[{"name":"a","before_ns":1000,"verdict":null,"low_part":null,"high_part":null}]}' >"$7"
END
with_stand_in -n 7 --until 2% -- "$emit" 1 ::: "$emit" 1
is "$status:$(find compare -name '*.bin' | wc -l):$(grep -c 'no intervals' "$temp/err")" "0:14:1" \
	"where diff gives no intervals a line says so, once, and the other limits hold"

is_empty "$(ls "$temp/spool")" "no spool is left"
done_testing

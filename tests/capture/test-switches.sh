#!/bin/sh
# SPDX-License-Identifier: MIT
# Several processes send random commands to a program with eight threads. Forks, execs, ends of
# threads and kills happen during switches. Every log can be read alone, and every call is counted.
#
# RANGES_TEST_SWITCHES: commands of each of the three processes. RANGES_TEST_KILLS: programs that
# are killed, fork or exec, or whose threads end.

. "${0%/*}/../lib.sh"
. "${0%/*}/stepper.sh"
RANGES_EXIT_MS=60000
export RANGES_EXIT_MS
# Under a sanitizer, on a busy machine, threads make events faster than they are drained. Draining a
# full buffer of the usual size then takes a minute, and commands do not wait so long. So the buffer
# is smaller; lost events are counted as well.
[ "${SANITIZERS:-no}" = no ] || {
	RANGES_BUFFER=16M
	export RANGES_BUFFER
}
commands=${RANGES_TEST_SWITCHES:-15}
kills=${RANGES_TEST_KILLS:-8}

await()
{
	for _ in $(seq 1 6000); do
		[ ! -e "$1" ] || return 0
		sleep 0.01
	done
	return 1
}

# bad_logs FILE…: prints the faults of logs that can't be read alone: damage, no end, missing rows,
# or names that no call had. These names are in names.txt then. If a slow machine lost calls, ranges
# that were opened during the loss have no name: as many as the footers say, no more.
bad_logs()
{
	: >names.txt
	[ -e "$1" ] || return 0 # there is none
	"$analyzer" verify "$@" >verify.txt 2>&1 || grep -v ': sound, ' verify.txt
	"$analyzer" stats "$@" -r ranges -f csv --names raw >names.csv 2>stats.txt || tail -n 1 stats.txt
	cut -d , -f 1 names.csv | sort -u >names.txt
	grep -vE '^(name|storm|inner|load|forward|train [0-9]+|outer|step|[(]no name[)])$' names.txt | head -n 1
	unnamed=$(awk -F , '$1 == "(no name)" { n += $9 } END { print n + 0 }' names.csv)
	opened=$(sed -nE 's/,//g; s/.* ([0-9]+) ranges? (was|were) opened during a loss.*/\1/p' stats.txt | awk '{ n += $1 } END { print n + 0 }')
	[ "$unnamed" = "$opened" ] || echo "$unnamed ranges without a name, $opened opened during a loss"
}

# command SEED WORDS: sends random commands, out of six, one after the other. A snapshot has nothing
# while the capture is off.
command_at_random()
{
	awk -v seed="$1" -v n="$commands" -v words="$2" 'BEGIN { srand(seed); split(words, w, " ");
		for (i = 0; i < n; i++) print w[1 + int(rand() * 6)] }' | while read -r word; do
		"$ranges" ctl "$word" >answer.one."$1" 2>&1
		status=$?
		if grep -q 'is off: nothing is kept for a snapshot$' answer.one."$1"; then
			status=$((status == 4 ? 0 : 1))
		fi
		cat answer.one."$1" >>"answers.$1"
		[ "$status" -eq 0 ] || echo "failed: $word" >>"answers.$1"
	done
}

# storm WORDS OPTIONS…: three processes send commands to a program with eight threads. Its status is
# $storm_status.
storm()
{
	storm_words=$1
	shift
	rm -f at go answers.* ./*.bin
	"$ranges" run --standby "$@" -o log.%c.bin -- "$stepper" threads=8 steps=1 touch=at await=go join >out 2>errors &
	launcher=$!
	await at
	for seed in 1 2 3; do
		command_at_random "$seed" "$storm_words" &
		eval "seed_$seed=\$!"
	done
	# shellcheck disable=SC2154 # set by eval
	wait "$seed_1" "$seed_2" "$seed_3"
	touch go
	wait "$launcher"
	storm_status=$?
}

storm "start stop start stop flush status"
is "$storm_status" 0 "the program ends as without us"
is_empty "$(grep -h -B 1 failed answers.*)" "all commands are answered"
is "$(grep -hvcE ' (on|written|off; its log is still being written|was on already|was off already)$|: (on|off|warming up), ' answers.1 answers.2 answers.3 | awk '{ n += $1 } END { print n + 0 }')" 0 \
	"with words that make sense"
set -- log.*.bin
is_empty "$(bad_logs "$@")" "each of $# logs reads alone"
# Shell arithmetic is used, because some awks end at 2^31.
is "$(($(sed -nE 's/^ranges: ([0-9]+) events?, .* ([0-9]+) lost, ([0-9]+) outside of .*/\1 + \2 + \3/p' errors)))" \
	"$(sed -n 's/^calls //p' out)" "recorded + lost + outside are the calls, to the event"

storm "start stop start snapshot snapshot status" --keep 1M
is "$storm_status" 0 "the program ends so with snapshots, too"
is_empty "$(grep -h -B 1 failed answers.*)" "all commands are answered"
set -- ./*.bin
is_empty "$(bad_logs "$@")" "each of $# logs and snapshots reads alone"
is "$(echo ./*.keep*)" "./*.keep*" "no piece is left"
is "$(($(sed -nE 's/^ranges: ([0-9]+) events?, .* ([0-9]+) lost, ([0-9]+) outside of .*/\1 + \2 + \3/p' errors)))" \
	"$(sed -n 's/^calls //p' out)" "recorded + lost + outside are the calls, to the event"

# ---- Kills, forks, execs and ends of threads during switches ----

# sum: prints recorded + lost + outside from the launcher's line, less the programs' own counts.
sum()
{
	told=$(sed -nE 's/^ranges: ([0-9]+) events?, .* ([0-9]+) lost, ([0-9]+) outside of .*/\1 + \2 + \3/p' errors)
	counted=$(sed -n 's/^calls //p' out | tr '\n' '+')
	echo "$((${told:-0} - (${counted}0)))"
}

# run_steps COMMANDS…: runs them under schedule number $i. The first active step of a cycle is
# number $first of its $cycle steps.
run_steps()
{
	rm -rf log*.bin
	first=$((i % 3 + i % 2))
	cycle=$((first + 1 + i % 2))
	"$ranges" run --schedule "wait=$((i % 3)),warmup=$((i % 2)),active=$((1 + i % 2)),repeat=0" -o log.%c.bin -- \
		"$stepper" "$@" >out 2>errors
	run_status=$?
}

# must_have STEP: the range train of step STEP is in the log if that step was active, because its
# calls had returned. If the drain had no processor for thousands of switches, some switches are
# refused, and the launcher says so.
must_have()
{
	! grep -q 'the capture was not switched' errors || return 0
	[ $(($1 % cycle)) -lt "$first" ] || grep -qx "train $1" names.txt || bad="$bad train $1 of run $i;"
}

bad=
for i in $(seq 1 "$kills"); do
	step=$((i * 20 % 487))
	kind=$((i % 4))
	case $kind:${SANITIZERS:-no} in
	1:*thread* | 1:*address*) kind=0 ;; # see below
	esac
	wanted=137
	case $kind in
	0) run_steps threads=4 killed_at=$step steps=500 ;;
	1) # the child follows the schedule from its own start
		wanted=0
		run_steps threads=4 steps=7 killed_at=$((20 + step)) fork=600 steps=9 join
		;;
	2) # threads that are in a call
		run_steps threads=4 steps=$((1 + step)) exec threads=4 killed_at=$((500 + step)) steps=1000
		;;
	*)
		wanted=0
		run_steps threads=8 steps=$((9 + step / 4)) join threads=4 steps=$((step / 4)) join steps=3
		;;
	esac
	[ "$run_status" -eq "$wanted" ] || bad="$bad status $run_status of run $i;"
	bad="$bad$(bad_logs log*.bin)"
	case $kind in
	0) must_have "$step" ;;
	1)
		must_have $((20 + step))
		[ "$(sum)" = $((7 * (21 + step))) ] || bad="$bad sum of run $i: $(sum);"
		;;
	2)
		must_have "$step"
		must_have $((500 + step))
		;;
	*) [ "$(sum)" = 0 ] || bad="$bad sum of run $i: $(sum);" ;;
	esac
done
is_empty "$bad" "$kills programs killed, forked, replaced, and threads ended in the midst of switches: nothing is missing that was to be recorded"

# The drain, here the launcher, is killed between the first chunk of a log and the second, which has
# the clocks, in a cycle that others followed.
rm -rf ./*.bin at go over
RANGES_FLUSH_MS=3600000 "$ranges" run --no-thread --schedule active=1,repeat=0 -o log.%c.bin -- \
	sh -c 'echo $$ >pid; exec "$@"' sh "$stepper" steps=1 touch=at await=go steps=3 touch=over await=never >out 2>errors &
launcher=$!
await at
for _ in $(seq 1 1500); do
	! "$analyzer" dump log.1.bin 2>/dev/null | grep -q '^clock' || break
	sleep 0.02
done
kill -s KILL "$launcher"
wait "$launcher" 2>/dev/null
touch go
await over
pid=$(cat pid)
kill -s KILL "$pid"
# Its threads may still be ending, and a zombie remains until its parent has waited for it.
for _ in $(seq 1 1500); do
	cat "/proc/$pid/task"/*/status 2>/dev/null | grep -q '^State:[[:blank:]]*[^ZX[:blank:]]' || break
	sleep 0.02
done
truncate -s $((64 + $(od -An -tu4 -j24 -N4 log.1.bin))) log.1.bin
"$ranges" recover --all 2>errors
is "$?:$(cat log.*.bin 2>/dev/null | wc -c | sed 's/^[1-9][0-9]*$/some/'):$(bad_logs log.*.bin)" "0:some:" "a log that ends behind its first chunk goes on with the clocks"

case ${SANITIZERS:-no} in
*thread*) done_testing ;; # TSan starts no thread in a fork child
# gcc 12's sanitizer keeps its allocator locked for ever in a child that is forked while another
# thread allocates. This was seen at the start of its own threads and in its search for leaks. Other
# tests fork a child without other threads.
*address*) done_testing ;;
esac
rm -f ./*.bin
"$ranges" run --schedule wait=1,active=1,repeat=0 -o log.bin -- "$stepper" threads=4 steps=20 fork=20 fork=20 join >out 2>errors
set -- log*.bin
is "$#:$(bad_logs "$@")" "30:" "forks in the midst of switches: all three processes have ten logs that read alone"
done_testing

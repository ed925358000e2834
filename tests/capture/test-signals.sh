#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals that `ranges run` gets after its program's end do not keep it from completing the log.
# Signals during the wait for --on-done end this wait. A waiting `ranges ctl` does not delay it,
# either.
# shellcheck disable=SC2016,SC2317 # texts for inner shells; functions that until_true calls

. "${0%/*}/../lib.sh"
. "${0%/*}/stepper.sh"
env --default-signal=INT true 2>/dev/null || skip_all "env knows no --default-signal"
RANGES_WAIT_MS=600000
export RANGES_WAIT_MS

# until_true COMMAND…: repeats it until it succeeds, a minute at most.
until_true()
{
	for _ in $(seq 1 6000); do
		! "$@" 2>/dev/null || return 0
		sleep 0.01
	done
	return 1
}

is_gone()
{
	! kill -0 "$1" 2>/dev/null
}

has_nothing()
{
	[ -z "$(ls "$1")" ]
}

has_line()
{
	grep -q "$1" "$2"
}

# begin ARGUMENTS…: starts `ranges run` in the background, with signals that are not ignored.
# $launcher is its process.
begin()
{
	rm -f go at got began pid
	env --default-signal=INT,QUIT,HUP "$ranges" run "$@" >out 2>errors &
	launcher=$!
}

# A program is killed while another one of the run lives. The launcher waits for the end of the
# other one before it completes the logs, so the test has enough time. Once $program is gone,
# signals are no longer passed on.
begin_completion()
{
	begin "$@" -- sh -c 'echo $$ >pid; "$0" steps=3 touch=at await=go kill & while [ ! -e at ]; do sleep 0.01; done; kill -9 $$' "$stepper"
	until_true test -e at
	program=$(cat pid)
	until_true is_gone "$program"
}

# ---- While logs are completed ----

for number in TERM HUP QUIT INT; do
	begin_completion -f -o log.bin
	kill -s "$number" "$launcher"
	sleep 0.2
	kill -s "$number" "$launcher"
	touch go
	wait "$launcher"
	status=$?
	"$analyzer" verify log.bin >verified 2>&1
	is "$status:$?:$(sed -n 's/ events.*//p' errors):$(ls "$temp/spool")" "137:0:ranges: 21:" \
		"two SIG$number after the program's end: the log is complete, and the line is there"
done
cp log.bin kept.bin
begin_completion -f -o log.bin
for _ in $(seq 1 100); do
	kill -s INT "$launcher" 2>/dev/null || break
	sleep 0.2
done
wait "$launcher"
is "$?:$(sed 's,/[^ "]*,DIR,' errors)" "130:ranges: completing the log: press ^C twice more to give up
ranges: interrupted, the log is not complete: \"ranges recover DIR\" completes it" "who presses ^C again and again gives it up"
is "$(echo ./*.old*)" "./*.old*" "and nothing is left beside it"
touch go
until_true sh -c '"$0" recover 2>/dev/null | grep -q ^dead' "$ranges"
"$ranges" recover --all >out 2>errors
is "$?:$(sed -n 's/ events.*//p' errors)" "0:ranges: 21" "what is left is completed later"

# ---- While it waits for a command ----

hang='touch began; sleep 600 & echo $! >got; wait; :'
for number in TERM INT; do
	rm -f ./*.bin
	begin -f --schedule wait=1,active=1,repeat=3 -o log.%c.bin --on-done "$hang" -- "$stepper" steps=6
	until_true has_line '^ranges: .* 3 cycles' errors && until_true test -s got
	ok $? "a command that hangs keeps nobody from completing the logs, and from telling ($number)"
	until_true has_nothing "$temp/spool" # the line comes a moment before
	is "$(ls "$temp/spool")$(ls ./*.old* 2>/dev/null)" "" "they are all whole: no spool is left, nothing beside them"
	kill -s "$number" "$launcher"
	wait "$launcher"
	is "$?:$(sed '1d; s/"[^"]*"/CMD/' errors)" "0:ranges: --on-done CMD for log.1.bin: signal 15
ranges: interrupted: --on-done was not run for 2 logs" "SIG$number ends the waiting"
	until_true is_gone "$(cat got)"
	ok $? "and what the command has started"
done

# ---- While `ranges ctl` waits for the program's answer ----

for action in stop snapshot; do
	rm -f ./*.bin
	begin --standby -o log.bin -- "$stepper" touch=at steps=1 await=go
	until_true test -e at
	"$ranges" ctl start >ctl.out
	program=$("$ranges" ctl status | sed 's/ .*//')
	kill -STOP "$program"
	"$ranges" ctl "$action" >ctl.out 2>&1 &
	ctl=$!
	sleep 0.3
	kill -9 "$program"
	wait "$launcher"
	is "$?:$(sed 's/.*\(completed.*\))/\1/' errors)" "137:completed after the program's death" \
		"the launcher completes the log while ctl $action waits"
	wait "$ctl"
	is "$?:$(sed 's/process [0-9]*/process N/' ctl.out)" "3:ranges: ctl: process N (stepper) has just ended" "which notices that the program is dead"
done

# ---- Another recovery is at work ----

if command -v python3 >/dev/null 2>&1; then
	begin -o log.bin -- "$stepper" steps=3 touch=at await=go
	until_true test -e at
	program=$("$ranges" ctl status | sed 's/ .*//')
	kill -9 "$launcher"
	kill -9 "$program"
	wait "$launcher" 2>/dev/null
	until_true is_gone "$program"
	spool=$("$ranges" recover | sed 's/.* //')
	python3 -c 'import fcntl, sys, time
file = open(sys.argv[1], "r+b")
fcntl.lockf(file, fcntl.LOCK_EX)
open("got", "w")
time.sleep(600)' "$spool" &
	holder=$!
	until_true test -e got
	RANGES_WAIT_MS=10 "$ranges" recover "$spool" >out 2>errors
	is "$?:$(sed 's,/.*,SPOOL,' errors)" "3:ranges: another recovery still works on 1 log; if it does not finish: ranges recover SPOOL" \
		"a log that another recovery holds is not complete: exit code 3, and what to do"
	kill -9 "$holder"
	wait "$holder" 2>/dev/null
	"$ranges" recover "$spool" >out 2>errors
	is "$?:$(sed -n 's/ events.*//p' errors)" "0:ranges: 21" "afterwards it is completed"
else
	skip "a log that another recovery holds" "python3 is missing"
fi

done_testing

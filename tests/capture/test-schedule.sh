#!/bin/sh
# SPDX-License-Identifier: MIT
# A capture that is not always on: a schedule of steps, ranges, the clock, or the program's own
# calls switch it. Unrecorded events are counted, to the event.
# shellcheck disable=SC2016 # texts for inner shells

. "${0%/*}/../lib.sh"
. "${0%/*}/stepper.sh"
RANGES_EXIT_MS=60000
export RANGES_EXIT_MS

# run OPTIONS… -- COMMANDS…: runs the program in a folder without logs. Its status is $run_status.
run()
{
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	rm -f ./*.bin
	# shellcheck disable=SC2086 # the options are meant to be split
	"$ranges" run $options -- "$stepper" "$@" >out 2>errors
	run_status=$?
}

# names LOG: prints the names of pushes, starts, steps and earlier open ranges, in order.
names()
{
	"$analyzer" dump "$1" | sed -nE 's/^event .* (push|start) .*name="([^"]*)".*/\2/p
		s/^event .* step payload=u64:([0-9]*)$/step \1/p; s/^event .* begun .*name="([^"]*)".*/(\1)/p' | tr '\n' ',' | sed 's/,$//'
}

# sum: prints recorded + lost + outside from the launcher's line, then the program's own count.
sum()
{
	echo "$(($(sed -nE 's/^ranges: ([0-9]+) events?, .* ([0-9]+) lost, ([0-9]+) outside of .*/\1 + \2 + \3/p' errors)))" |
		tr '\n' ' '
	sed -n 's/^calls //p' out
}

count_logs()
{
	set -- ./*.bin
	echo $#
}

# step N: prints the names that such a step opens.
step()
{
	printf 'step %s,load,train %s,forward' "$1" "$1"
}

# ---- Steps ----

run --schedule skip=0,wait=80,warmup=3,active=1,repeat=2 -o log.%c.bin -- steps=200
is "$run_status:$(echo ./*.bin)" "0:./log.1.bin ./log.2.bin" "200 steps with two cycles give two logs"
is "$(names log.1.bin)" "$(step 83)" "the first has step 83 with all its ranges, and nothing else"
is "$(names log.2.bin)" "$(step 167)" "the second has step 167"
is "$(sum)" "1400 1400" "recorded + lost + outside are the calls"
is "$("$analyzer" dump log.2.bin | grep -E '^capture (cycle|on_by|on_step|schedule)=' | tr '\n' ' ')" \
	'capture cycle=2 capture on_by="schedule" capture on_step=167 capture schedule="skip=0,wait=80,warmup=3,active=1,repeat=2" ' \
	"the log says what it is"
is "$("$analyzer" dump log.1.bin | grep -E '^end (status|outside|off_by)=' | sed 's,=[0-9][0-9]*$,=n,' | tr '\n' ' ')" \
	'end status="clean" end outside=n end off_by="schedule" ' "and its end what was outside of it, up to there"
"$analyzer" verify log.1.bin >out 2>&1
is "$?" 0 "it is whole"

run --schedule wait=80,warmup=3,active=1,repeat=2 -o log.bin -- steps=200
is "$(echo ./*.bin)" "./log.c1.bin ./log.c2.bin" "without %c the cycle's number goes before the suffix"
run --schedule wait=2,active=1,repeat=1 -o log.bin -- steps=10
is "$(echo ./*.bin):$(names log.bin)" "./log.bin:$(step 2)" "a single cycle has the plain name"
outside=$("$analyzer" dump log.bin | sed -n 's/^end outside=//p')
[ "$outside" -ge 14 ] && [ "$outside" -le 63 ]
ok $? "its outside is what was before the cycle, and what came until the log was closed"
run --schedule skip_first=5,wait=1,active=2,repeat=0 -o log.%c.bin -- steps=12
is "$(echo ./*.bin):$(names log.1.bin):$(names log.2.bin)" "./log.1.bin ./log.2.bin:$(step 6),$(step 7):$(step 9),$(step 10)" \
	"skip counts once, and repeat=0 goes on until the end"
run --schedule active=4,repeat=1 -o log.bin -- steps=2
is "$(names log.bin):$(sum)" "$(step 0),$(step 1):14 14" "a program that ends in the midst of a cycle leaves its log"
run --schedule active=2,repeat=3 -o log.%c.bin -- steps=1 push=outer steps=7 pop
is "$(echo ./*.bin):$(for i in 1 2 3; do names "log.$i.bin" | sed 's/,*load,train [0-9]*,forward//g'; echo :; done | tr -d '\n')$(sum)" \
	"./log.1.bin ./log.2.bin ./log.3.bin:step 0,outer,step 1:(outer),step 2,step 3:(outer),step 4,step 5:58 58" \
	"cycles without a pause have a log each, too, and what is open in between is known"
run --schedule wait=1,active=1,repeat=100 -o log.%c.bin -- steps=200
is "$(count_logs):$(names log.50.bin):$(sum)" "100:$(step 99):1400 1400" "a hundred cycles in a few ms have a log each"

run --schedule wait=80,warmup=3,active=1 -o log.bin -- killed_at=83 steps=200
is "$run_status:$(names log.c1.bin)" "137:$(step 83)" "SIGKILL in the active step loses nothing of it"
run --schedule wait=80,warmup=3,active=1 -o log.bin -- killed_at=82 steps=200
is "$run_status:$(echo ./*.bin)" "137:./*.bin" "SIGKILL before it leaves no log"
run --schedule wait=2,active=1 -o log.bin -- killed_at=4 steps=200
is "$(echo ./*.bin):$(names log.c1.bin)" "./log.c1.bin:$(step 2)" "SIGKILL behind it leaves the log that was closed"

run --schedule wait=80,warmup=3,active=1,repeat=2 -o log.bin -- steps=40
is "$run_status:$(cat errors)" \
	"0:ranges: the schedule was never active: 40 of 84 steps; there is no log (280 events outside the schedule)" \
	"a program that ends before is told how far it came"

early()
{
	sed -n 's/^ranges: the schedule ended early: //p' errors
}
run --schedule wait=5,active=10,repeat=1 -o log.bin -- steps=8
is "$(early)" "cycle 1 of 1, 3 of 10 active steps" "a cycle that was cut short is told"
run --schedule wait=1,active=1,repeat=4 -o log.bin -- steps=2
is "$(early)" "cycle 1 of 4, 1 of 1 active steps" "so are cycles that never came"
run --schedule skip=1,wait=1,active=2,repeat=4 -o log.bin -- steps=5
is "$(early)" "cycle 2 of 4, 0 of 2 active steps" "and one that was still off"
run --schedule wait=1,active=2,repeat=0 -o log.bin -- steps=2
is "$(early)" "cycle 1, 1 of 2 active steps" "of a schedule without end the first cycle"
run --schedule wait=1,active=2,repeat=0 -o log.bin -- steps=5
is "$(early)" "cycle 2, 1 of 2 active steps" "and a later one in whose active steps the program ended"
run --schedule wait=1,active=2,repeat=0 -o log.bin -- steps=4
is "$(early)" "" "not one in whose wait it did"
run --schedule wait=1,active=2,repeat=0 -o log.bin -- steps=6
is "$(early)" "" "or behind it"
run --schedule wait=1,active=2,repeat=2 -o log.bin -- steps=6
is "$(early)" "" "a schedule that came to its end is not early"
run --schedule active=1 -o log.bin -- push=a pop
is "$(sed 's/; there.*//' errors)" "ranges: the schedule was never active: 0 of 1 steps; nobody called ranges_step()" \
	"a program without steps is told what was waited for"
run --schedule active=1,on=epoch#N@lib -o log.bin -- steps=1
is "$(sed 's/; there.*//' errors)" "ranges: the schedule was never active: 0 of 1 steps; no range matched on=epoch#N@lib" \
	"so is one without such ranges"
run --capture-range save@lib:each -o log.bin -- steps=1
is "$(sed 's/; there.*//' errors)" "ranges: the capture was never on; no range matched save@lib" "by range as well"
run --standby -o log.bin -- steps=1
is "$(sed 's/; there.*//' errors)" "ranges: the capture was never on; nobody started it" "and in standby"

# ---- Steps by name ----

run --schedule wait=3,active=1,repeat=2,on=iter -o log.%c.bin -- named=10
is "$(names log.1.bin):$(names log.2.bin):$(sum)" "iter,load,train 3,forward:iter,load,train 7,forward:80 80" \
	"a range's name can be the step"
run --schedule wait=3,on=ProfilerStep#N,active=2,repeat=1 -o log.bin -- torch=10
is "$(names log.bin)" "ProfilerStep#3,load,train 3,forward,ProfilerStep#4,load,train 4,forward" "PyTorch's numbered steps, too"
run --schedule wait=3,on=ProfilerStep##,active=2,repeat=1 -o log.bin -- torch=10
is "$(names log.bin)" "ProfilerStep#3,load,train 3,forward,ProfilerStep#4,load,train 4,forward" "with # for the number, as the analyzer shows it, too"
run --schedule wait=3,active=1,repeat=1,on=iter@lib -o log.bin -- named=10 domain=10
is "$(names log.bin):$(sum)" "iter,load,train 3,forward:162 162" "of a domain, by a registered string"
run --schedule wait=3,active=1,repeat=1,on=iter@other -o log.bin -- named=10 domain=10
is "$(sed 's/; .*//' errors)" "ranges: the schedule was never active: 0 of 4 steps" "another domain's range of that name is none"

# ---- Ranges ----

run --capture-range iter -o log.bin -- steps=2 named=3
is "$(names log.bin):$(sum)" "iter,load,train 0,forward:38 38" "a capture range gives the first of its name"
run --capture-range iter:each -o log.%c.bin -- named=3
is "$(count_logs):$(names log.3.bin):$(sum)" "3:iter,load,train 2,forward:24 24" "or each"
run --capture-range iter:2 -o log.%c.bin -- named=3
is "$(count_logs):$(names log.2.bin)" "2:iter,load,train 1,forward" "or so many"
run --capture-range iter@lib:2 -o log.%c.bin -- named=3 started=3
is "$(count_logs):$(names log.2.bin):$(sum)" "2:iter,load,train 1,forward:50 50" "start/end ranges as well, by their domain"
run --capture-range iter@lib -o log.%c.bin -- started=3
is "$(count_logs):$(names log.1.bin):$(sum)" "1:iter,load,train 0,forward:26 26" "of start/end ranges the first"
run --capture-range iter@lib:each -o log.%c.bin -- started=3 domain=1
is "$(count_logs):$(names log.3.bin):$(names log.4.bin):$(sum)" "4:iter,load,train 2,forward:iter,load,train 0,forward:36 36" \
	"or each, beside push/pop ranges of the name"
# A range that was started while another one was open has no effect when it ends.
run --capture-range plain:each -o log.%c.bin -- plain=3
is "$(count_logs):$(names log.1.bin):$(names log.2.bin):$(sum)" \
	"2:plain,load,train 0,forward,plain:plain,load,train 2,forward:24 24" "also those of a name that is not registered, which overlap"
run --capture-range plain -o log.%c.bin -- plain=3
is "$(count_logs):$(names log.1.bin):$(sum)" "1:plain,load,train 0,forward,plain:24 24" "the first of these"

# ---- The program's own calls, the clock ----

run -o log.bin -- steps=1 off push=a pop on off on off flush steps=1 on steps=1
is "$(sed '/calls/d' out | tr '\n' ' '):$(count_logs)" "off 0 on 0 off 0 on 0 off 0 flush 0 on 0 :4" \
	"the program stops and starts as it likes, a log each time"
is "$(names log.bin):$(names log.c4.bin)" "$(step 0):step 2,load,train 0,forward" "the steps are numbered as if all were recorded"
is "$(sum)" "23 23" "all is counted"
run --standby -o log.bin -- name steps=1 on on steps=1 off
is "$(names log.c1.bin):$(head -n 3 out | tr '\n' ' ')" "step 1,load,train 0,forward:on 0 on 1 off 0 " \
	"standby: off until the program says so; twice is told"
is "$("$analyzer" dump log.c1.bin | grep -c '^def thread_name .*"named while off"')" 1 "what was named while off is known"
run --standby -o log.bin -- log warm push=outer steps=1 on steps=1 pop off log
is "$(sed '/calls/d' out | tr '\n' ' '):$(names log.c1.bin)" "log 0 3 none 3 warm 0 on 0 off 0 log 1 0 log.c1.bin 3 :(outer),step 1,load,train 0,forward" \
	"a warm-up by the program is dropped, but for what is open; it is told the log's name, if there is room"
is "$(sum):$(echo ./*.bin)" "16 16:./log.c1.bin" "and that name stays"
run --schedule active=1 -o log.bin -- on off
is "$(grep -v calls out | tr '\n' ' ')" "on 2 off 2 " "under a schedule the program does not decide"
run --delay 1h -o log.bin -- steps=1
is "$(sed 's/;.*//' errors):$(echo ./*.bin)" "ranges: the capture was never on:./*.bin" "a delay longer than the program"
run --delay 10ms -o log.bin -- steps=1 sleep=300 steps=1
is "$(names log.bin | sed 's/.*step 1/step 1/'):$(sum)" "step 1,load,train 0,forward:14 14" "after a delay it is on"
run --duration 1s -o log.bin -- steps=1 sleep=2500 steps=1
is "$(names log.bin | sed 's/,step 1.*//'):$(sum)" "$(step 0):14 14" "after its duration it is off"

# ---- Ranges that are open at a switch ----

run --schedule warmup=2,active=1,repeat=1 -o log.bin -- steps=1 push=outer steps=3 pop
is "$(names log.bin):$("$analyzer" dump log.bin | grep -c 'begun name="outer" span=[1-9]')" "(outer),$(step 2 | sed 's/n 2/n 1/'):1" \
	"a range that was opened in the warm-up has its name, and is marked as begun before"
is "$("$analyzer" stats -r ranges --format csv log.bin 2>/dev/null | grep -c outer)" 1 "and is a range like others"

# ---- Threads, forks ----

run --schedule wait=5,warmup=2,active=3,repeat=0 -o log.%c.bin -- threads=8 steps=200 join
is "$(count_logs):$(names log.1.bin | tr ',' '\n' | grep -v -e storm -e inner | tr '\n' ',')" \
	"20:step 7,load,train 7,forward,step 8,load,train 8,forward,step 9,load,train 9,forward," "eight threads at full speed"
is "$(sum | awk '{ print $1 - $2 }')" 0 "all of their calls are counted"
# The buffer is always full, also while the drain goes from one log to the next.
again=$(for _ in 1 2 3 4 5 6 7 8; do printf 'on sleep=5 off sleep=5 '; done)
# shellcheck disable=SC2086 # the words are meant to be split
run --standby --buffer 1M -o log.%c.bin -- hot=4 $again join
is "$(sum | awk '{ print $1 - $2 }')" 0 "what finds no room is counted, whichever log it would have been in"
again=$(for _ in 1 2 3 4 5 6 7 8 9; do printf 'steps=1 sleep=5 '; done)
# shellcheck disable=SC2086 # likewise
run --schedule wait=1,warmup=1,active=1,repeat=0 --buffer 1M -o log.%c.bin -- hot=4 $again join
is "$(sum | awk '{ print $1 - $2 }')" 0 "in a warm-up as well"
# TSan starts no thread in a fork child.
case ${SANITIZERS:-no} in
*thread*) skip "a fork child goes by the schedule itself" "thread sanitizer" ;;
*)
	run --schedule wait=2,active=1,repeat=1 -o log.bin -- steps=10 fork=5
	is "$(count_logs)" 2 "a fork child goes by the schedule itself"
	;;
esac

# ---- Logs of earlier runs ----

# again OPTIONS… -- COMMANDS…: like run, but the logs stay. $said has the messages about names.
again()
{
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # the options are meant to be split
	"$ranges" run $options -- "$stepper" "$@" >out 2>errors
	said=$(sed -n 's/^ranges: \(.* exists: .*\)/\1/p' errors)
}
run --standby -o s.%c.bin -- on steps=1 off on steps=2 off on steps=3 off
cp s.2.bin second
again -f --standby -o s.%c.bin -- on steps=1 named=1 off
cmp -s second s.2.bin
is "$?:$(names s.1.bin):$(echo s.*)" "0:$(step 0),iter,load,train 0,forward:s.1.bin s.2.bin s.3.bin" \
	"-f replaces the cycles that there are, and no other"
is "$(sed -n '1p' errors)" "ranges: s.2.bin and 1 more are still from an earlier run" "those that stay are told"
again -f --standby -o s.%c.bin -- steps=1
is "$(names s.1.bin)" "$(step 0),iter,load,train 0,forward" "none, if it was never on"

run -o log.%c.bin -- steps=1 off on steps=1 off on steps=1
is "$(echo ./*.bin):$(names log.3.bin)" "./log.1.bin ./log.2.bin ./log.3.bin:$(step 2 | sed 's/n 2/n 0/')" \
	"%c is the cycle, too, where the program alone decides"
again -o log.%c.bin -- steps=1 off on steps=1
is "$said:$(echo log.?.1.bin)" "log.1.bin exists: writing log.1.1.bin (-f replaces it):log.1.1.bin log.2.1.bin" \
	"logs of earlier cycles are kept, and that is said"
rm log.1.bin
again --schedule wait=1,active=1 -o log.%c.bin -- steps=6
is "$said:$(echo log.?.2.bin)" "log.2.bin exists: writing log.1.2.bin (-f replaces it):log.1.2.bin log.2.2.bin log.3.2.bin" \
	"the number is one with which none is there"
again --schedule wait=9,active=1 -o log.%c.bin -- steps=6
is "$said:$(echo log.?.3.bin)" ":log.?.3.bin" "nothing is said of a log that was not written"
run --standby -o log.bin -- on steps=1 off
again --standby -o log.bin -- on steps=1 off
is "$said:$(echo log.*)" "log.c1.bin exists: writing log.1.c1.bin (-f replaces it):log.1.c1.bin log.c1.bin" \
	"without %c as well"
again -f -o log.%c.bin -- steps=1 off on steps=1
is "$said:$(echo log.[0-9].bin)" ":log.1.bin log.2.bin" "-f says nothing"
rm -f ./*.bin
"$ranges" run -q -o log.%c.bin -- sh -c '"$1" steps=1; :' sh "$stepper" >out 2>errors
is "$(echo ./*.bin)" ./log.1.bin "the only log has the name that was asked for, whichever process wrote it"
rm -f ./*.bin
"$ranges" run -q -o log.bin -- sh -c '"$1" steps=1 off on steps=1; :' sh "$stepper" >out 2>errors
is "$(echo ./*.bin | sed 's/[.][0-9]*[.]bin/.N.bin/g')" "./log.N.bin ./log.c2.N.bin" "but not the last of several"

# ---- Bad use ----

# refused WHY OPTIONS…: the exit code is 2, and one line has these words.
refused()
{
	why=$1
	shift
	run "$@" -- steps=1
	is "$run_status:$(grep -c . errors):$(grep -c -F -e "$why" errors)" 2:1:1 "refused: $*"
}
refused "active=N is missing or 0" --schedule wait=80
refused "active=N is missing or 0" --schedule active=0
refused "expected a number of steps" --schedule wait=x,active=1
refused "expected a number of steps" --schedule wait=-1,active=1
refused "expected skip, wait, warmup, active, repeat, on, skip_first, each with = and a value" --schedule waits=1,active=1
refused "at least one range" --capture-range iter:0
refused "expected a time" --delay soon
refused "only one of" --schedule active=1 --capture-range iter
refused "only one of" --standby --duration 1s
refused "need a libranges thread" --standby --no-thread
refused "active= is given twice" --schedule active=1,active=2
refused "on= is given twice" --schedule active=1,on=a,on=b
refused "repeat=x: expected a number" --schedule active=1,on=a,b,repeat=x
refused "expected a * only at the end" --schedule 'active=1,on=a*b'
refused "expected a * only at the end" --schedule 'active=1,on=*3'
refused "expected a * only at the end" --capture-range 'i*r'
refused "expected a domain after the @" --schedule 'active=1,on=iter*@'
refused "expected a domain after the @" --capture-range iter@:each
refused '":all": expected :first, :each or a number' --capture-range iter:all
refused "a name has 1 to 127 bytes" --capture-range :first
refused 'expected :first, :each or a number' --capture-range iter:
run --capture-range a::b -o log.bin -- steps=1
is "$run_status" 0 "the colons of C++ belong to a name"

# ---- The environment is for all programs, an option for this one ----

RANGES_STANDBY=on
RANGES_DURATION=1h
export RANGES_STANDBY RANGES_DURATION
run --schedule wait=2,active=1,repeat=1 -o log.bin -- steps=10
is "$run_status:$(names log.bin)" "0:$(step 2)" "a schedule that is given wins over the environment's standby and duration"
run --standby -o log.bin -- steps=1
is "$run_status:$(sed 's/;.*//' errors)" "0:ranges: the capture was never on" "and standby that is given over its duration"
run -o log.bin -- steps=1
is "$run_status:$(sed 's/;.*//' errors | tr '\n' :)" \
	"0:ranges: run: RANGES_STANDBY switches the capture, RANGES_DURATION is ignored:ranges: the capture was never on:" \
	"of two in the environment one decides: that stops no program"
RANGES_THREAD=off run -o log.bin -- steps=1
is "$run_status:$(grep -c 'RANGES_STANDBY is ignored: it needs a libranges thread' errors):$(names log.bin)" "0:1:$(step 0)" \
	"one that cannot be is told, and all is recorded"
RANGES_OUTPUT=%z run -- steps=1
is "$run_status:$(grep -c 'unknown conversion.*; the program runs without capture' errors)" 0:1 "nor does a name that is none"
unset RANGES_STANDBY RANGES_DURATION
RANGES_DELAY=1h
export RANGES_DELAY
run --duration 1s -o log.bin -- steps=1
is "$run_status:$(sed 's/;.*//' errors)" "0:ranges: the capture was never on" "a delay in the environment goes with a duration"
unset RANGES_DELAY
done_testing

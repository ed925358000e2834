#!/bin/sh
# SPDX-License-Identifier: MIT
# `ranges ctl` switches running programs. While the capture is off, we make no system call in the
# program. The launcher runs a command when a cycle's log is complete.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
library=$top_builddir/libranges/.libs/libranges.so
stepper=$top_builddir/tests/capture/stepper
for program in "$ranges" "$analyzer" "$stepper" "$library"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work" "$temp/empty"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID \
	RANGES_DOMAINS RANGES_SCHEDULE RANGES_CAPTURE_RANGE RANGES_DELAY RANGES_DURATION RANGES_STANDBY
RANGES_SPOOL_DIR=$temp/spool
RANGES_EXIT_MS=60000
export RANGES_SPOOL_DIR RANGES_EXIT_MS

names()
{
	"$analyzer" dump "$1" | sed -nE 's/^event .* (push|start) .*name="([^"]*)".*/\2/p' | tr '\n' ','
}

await()
{
	for _ in $(seq 1 6000); do
		[ ! -e "$1" ] || return 0
		sleep 0.01
	done
	return 1
}

# ctl ARGUMENTS…: prints its output without process ids, followed by its status unless that is 0.
ctl()
{
	"$ranges" ctl "$@" >"$temp/ctl.out" 2>"$temp/ctl.errors"
	ctl_status=$?
	sed -E 's/^[0-9]+ //; s/process [0-9]+/process N/; s,: /.*/,: ,' "$temp/ctl.out" "$temp/ctl.errors"
	[ "$ctl_status" -eq 0 ] || echo ":$ctl_status"
}

# line ARGUMENTS…: prints the same in one line.
line()
{
	ctl "$@" | tr -d '\n'
}

# ---- A program that was just started ----

rm -f go.* at.*
"$ranges" run -q --standby -o early.bin -- "$stepper" await=go.1 push=early touch=at.1 await=go.2 pop >out 2>errors &
launcher=$!
line start >early.txt &
starter=$!
sleep 1.5
touch go.1
wait "$starter"
is "$(cat early.txt)" 'stepper: onranges: ctl: a program of "ranges run" has not called NVTX or CUDA yet: waiting up to 10 s' \
	"ctl waits for a program's first call, and says so"
await at.1
touch go.2
wait "$launcher"

# ---- Standby ----

rm -f go.* at.*
"$ranges" run --standby -o log.bin -- "$stepper" push=early touch=at.1 await=go.1 named=1 touch=at.2 await=go.2 named=2 touch=at.3 \
	await=go.3 pop >out 2>errors &
launcher=$!
await at.1
is "$(ctl status)" "stepper: off, cycle 0, 0 events written, 1 outside" "a program in standby is off"
is "$(ctl start)" "stepper: on" "ctl starts it"
is "$(ctl start)" "stepper: was on already" "a second start is told"
touch go.1
await at.2
is "$(ctl flush):$(names log.c1.bin)" "stepper: written:iter,load,train 0,forward," "ctl has written what there is"
is "$(ctl stop)" "stepper: off, 8 events: log.c1.bin" "ctl stops it, and tells the log, which is complete"
"$analyzer" verify log.c1.bin >/dev/null 2>&1
is "$?" 0 "it can be read at once"
is "$(ctl stop)" "stepper: was off already" "a second stop is told"
is "$(ctl start --name stepper)" "stepper: on" "it wakes again, by its name"
touch go.2
await at.3
pid=$(sed -n 's/^\([0-9]*\) .*/\1/p' "$temp/ctl.out")
is "$(ctl stop --pid "$pid"):$(names log.c2.bin)" "stepper: off, 16 events: log.c2.bin:iter,load,train 0,forward,iter,load,train 1,forward," \
	"each time has a log of its own"
touch go.3
wait "$launcher"
is "$(sed 's/(.* in/(… in/' errors)" "ranges: 24 events, 1 thread, 0 lost, 2 outside of 2 cycles: log.c2.bin (… in 2 logs)" "and all is counted"

# By the environment alone, killed while it is on.
rm -f ./*.bin go.* at.*
RANGES_STANDBY=on RANGES_OUTPUT=$PWD/alone.%c.bin NVTX_INJECTION64_PATH=$library "$stepper" named=1 touch=at.1 await=go.1 named=1 touch=at.2 await=go.2 &
program=$!
await at.1
ctl start --pid "$program" >/dev/null
touch go.1
await at.2
is "$(ctl status | sed 's/, [0-9]* events.*//')" "stepper: on, cycle 1" "a program with the environment alone is found, too"
kill -9 "$program"
wait "$program" 2>/dev/null
"$ranges" recover --all >/dev/null 2>&1
is "$(names alone.1.bin)" "iter,load,train 0,forward," "killed while it is on, it loses nothing of that"

# ---- What it costs ----

rm -f ./*.bin go.* at.*
"$ranges" run --standby -o log.bin -- "$stepper" named=1 touch=at.1 await=go.1 >out 2>errors &
launcher=$!
await at.1
program=$(ctl status >/dev/null; sed -n 's/^\([0-9]*\) .*/\1/p' "$temp/ctl.out")
switches()
{
	for task in /proc/"$program"/task/*; do
		[ "$(cat "$task/comm")" != ranges-drain ] || sed -n 's/.*ctxt_switches://p' "$task/status"
	done | awk '{ n += $1 } END { print n }'
}
before=$(switches)
sleep "${RANGES_TEST_OFF_S:-2}"
is "$(switches)" "$before" "while it is off no thread of ours wakes up"
touch go.1
wait "$launcher"

# ---- Handing logs on ----

rm -f ./*.bin done.txt go.* at.*
cat >hand-on <<'END'
#!/bin/sh
# The log is complete when the command gets it, so the command verifies it.
"$ANALYZER" verify "$2" >/dev/null 2>&1 && echo "$1 ${2##*/}" >>done.txt
END
chmod +x hand-on
ANALYZER=$analyzer "$ranges" run --schedule wait=1,active=1,repeat=3 -o log.%c.bin --on-done './hand-on got' -- \
	"$stepper" steps=4 touch=at.1 await=go.1 steps=4 >out 2>errors &
launcher=$!
await at.1
for _ in $(seq 1 6000); do
	[ ! -s done.txt ] || break
	sleep 0.01
done
is "$(head -n 1 done.txt)" "got log.1.bin" "--on-done gets a log while the program goes on"
touch go.1
wait "$launcher"
is "$(tr '\n' , <done.txt)" "got log.1.bin,got log.2.bin,got log.3.bin," "and each of the others, once"
rm -f ./*.bin done.txt
ANALYZER=$analyzer "$ranges" run -o log.bin --on-done './hand-on got' -- "$stepper" steps=4 kill >out 2>errors
is "$(cat done.txt)" "got log.bin" "also the one that is completed after the program's death"
"$ranges" run -f -o log.bin --on-done 'exit 3; :' -- "$stepper" steps=4 >out 2>errors
is "$?:$(grep -c 'for log.bin: exit status 3' errors)" 0:1 "a command that fails is told, and changes no exit code"

# ---- Refused, and not there ----

is "$(line status)" "ranges: ctl: no program of yours is recorded now:3" "nobody is there"
is "$(line start --pid $$ | sed 's/: it was not.*:/:/')" "ranges: ctl: process N is not recorded:3" "a process that is not recorded"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	setpriv --reuid 65534 --clear-groups sleep 600 &
	foreign=$!
	for _ in $(seq 1 1000); do
		[ "$(stat -c %u "/proc/$foreign")" = 0 ] || break
		sleep 0.01
	done
else
	foreign=1
fi
if [ "$(stat -c %u "/proc/$foreign")" != "$(id -u)" ]; then
	is "$(line stop --pid "$foreign")" "ranges: ctl: process N belongs to another user:3" "another user's process, root tells so, too"
else
	skip "another user's process" "there is none"
fi
[ "$foreign" = 1 ] || kill "$foreign"
is "$(line stop --name nobody)" "ranges: ctl: no program named nobody is recorded now:3" "a name that nobody has"
dead=$(sh -c 'echo $$')
is "$(line stop --pid "$dead")" "ranges: ctl: there is no process N:3" "a process that is gone"
for bad in "" "begin" "start stop" "start --pid" "start --pid x" "start --pid 0" "start --all --name x" "start --force" "start --name a --name b" "start --pid 1 --pid 2"; do
	# shellcheck disable=SC2086 # the words are meant to be split
	"$ranges" ctl $bad >/dev/null 2>"$temp/ctl.errors"
	is "$?:$(wc -l <"$temp/ctl.errors")" "2:1" "refused: ctl $bad"
done
rm -f go.* at.*
"$ranges" run --schedule wait=5,active=1 -o log.bin -- "$stepper" steps=3 touch=at.1 await=go.1 >out 2>errors &
launcher=$!
await at.1
is "$(line start)" "ranges: ctl: process N (stepper): its own settings switch it: wait=5,active=1:4" \
	"two controllers: what has a schedule is not switched from outside"
is "$(ctl status)" "stepper: off, cycle 0, 0 events written, 21 outside, step 3 of wait=5,active=1" "status tells the schedule"
"$ranges" run --standby -o other.bin -- "$stepper" steps=1 touch=at.2 await=go.1 >/dev/null 2>&1 &
other=$!
await at.2
is "$(line start | sed 's/;.*:/:/')" "ranges: ctl: several programs are recorded: choose with --pid, --name or --all:2" \
	"several programs must be chosen from"
is "$(ctl status --all | wc -l)" 2 "status lists them"
touch go.1
wait "$launcher" "$other"

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 0777 "$temp" "$temp/work" "$temp/spool"; then
	rm -f go.* at.*
	RANGES_SPOOL_DIR=$temp/spool "$ranges" run --standby -o log.bin -- "$stepper" steps=1 touch=at.1 await=go.1 >out 2>errors &
	launcher=$!
	await at.1
	program=$(ctl status >/dev/null; sed -n 's/^\([0-9]*\) .*/\1/p' "$temp/ctl.out")
	# The tree may be in a folder that other users can't read.
	cp "$ranges" "$temp/ranges" 2>/dev/null
	[ ! -x "$top_builddir/libranges/.libs/ranges" ] || cp "$top_builddir/libranges/.libs/ranges" "$temp/ranges"
	chmod 0755 "$temp/ranges"
	is "$(setpriv --reuid 65534 --regid 65534 --clear-groups "$temp/ranges" ctl stop --pid "$program" 2>&1)" \
		"ranges: ctl: process $program belongs to another user" "another user can't steer it"
	is "$(setpriv --reuid 65534 --regid 65534 --clear-groups sh -c "cat $temp/spool/*/*.spool" 2>/dev/null | wc -c)" 0 "nor read it"
	touch go.1
	wait "$launcher"
else
	skip "another user can't steer it" "needs root"
fi
done_testing

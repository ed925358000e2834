#!/bin/sh
# SPDX-License-Identifier: MIT
# A capture that keeps only its last part: the contents of the log at the end, of snapshots, and of
# the log after a kill. Each log can be read alone, and counts the events that it lacks, to the
# event.

. "${0%/*}/../lib.sh"
. "${0%/*}/stepper.sh"
RANGES_EXIT_MS=60000
RANGES_FLUSH_MS=20
export RANGES_EXIT_MS RANGES_FLUSH_MS

# run OPTIONS… -- COMMANDS…: runs the program in a folder without logs. Its status is $run_status.
run()
{
	rm -f ./*.bin* go.* at.* ../done
	seen=
	for argument; do
		shift
		set -- "$@" "$argument"
		if [ "$argument" = -- ] && [ -z "$seen" ]; then
			set -- "$@" "$stepper"
			seen=1
		fi
	done
	"$ranges" run "$@" >out 2>errors
	run_status=$?
}

await()
{
	for _ in $(seq 1 6000); do
		[ ! -e "$1" ] || return 0
		sleep 0.01
	done
	return 1
}

# calls LOG: prints recorded + lost + outside.
calls()
{
	"$analyzer" dump "$1" | LC_ALL=C grep -E '^end |^event [0-9]+ [0-9]+ [0-9]+ (begun|loss|depth|more)' | awk '
		$1 == "end" { split($2, fact, "="); sum += fact[1] ~ /^(events|lost|outside)$/ ? fact[2] : 0 }
		$1 == "event" && $5 ~ /^(begun|loss|depth|more)$/ { sum-- }
		END { print sum }'
}

# fact LOG KEY
fact()
{
	"$analyzer" dump "$1" | sed -n "s/^capture $2=//p"
}

# sound LOG…: true if each can be read alone.
sound()
{
	for log; do
		"$analyzer" verify "$log" >>verify.out 2>&1 || return 1
	done
}

# sum: prints recorded + lost + outside from the launcher's line, then the program's own count.
sum()
{
	echo "$(($(sed -nE 's/^ranges: ([0-9]+) events?, .* ([0-9]+) lost, ([0-9]+) outside of .*/\1 + \2 + \3/p' errors)))" |
		tr '\n' ' '
	sed -n 's/^calls //p' out
}

# ---- The log of the end ----

run --keep 1M -o log.bin -- push=outer steps=100 pop
is "$run_status:$(echo ./*):$(sum)" "0:./errors ./log.bin ./out:702 702" "what fits is kept whole, and no file is left beside the log"
is "$(calls log.bin):$(fact log.bin snapshot):$(fact log.bin snapshot_by):$(fact log.bin keep)" '702:0:"end":"1M"' "the log says what it is"
is "$(fact log.bin on_ticks)" "" "and begins with the capture"

run --keep 1M -o log.bin -- push=outer push=mid hot=2 sleep=500 join steps=5
size=$(stat -c %s log.bin)
is "$(sum)" "$(set -- "$(sed -n 's/^calls //p' out)" && echo "$1 $1")" "at full speed recorded + lost + outside are the calls"
is "$(calls log.bin)" "$(sed -n 's/^calls //p' out)" "in the log itself, too"
[ "$size" -le 1200000 ] && [ "$(sed -nE 's/.* ([0-9]+) outside of the window.*/\1/p' errors)" -gt 0 ]
ok $? "the log is no larger than what is to be kept" || diag "$size bytes: $(cat errors)"
is "$("$analyzer" dump log.bin | sed -nE 's/^event .* (begun|push) name="(outer|mid)".*/\2/p' | tr '\n' ' ')" "outer mid " \
	"ranges that were opened before have their names"
is "$("$analyzer" dump log.bin | grep -cE '^event .* step payload')" 5 "what came last is there"
sound log.bin
ok $? "it reads alone"

# A thread that loses events in between keeps the ranges that were open before.
run --keep 1M --buffer 1M -o log.bin -- push=outer push=mid steps=400000 pop steps=1
if [ "$(sed -nE 's/.* ([0-9]+) lost.*/\1/p' errors)" = 0 ] && ! "$analyzer" dump log.bin | grep -q '^event .* loss '; then
	skip "ranges that were opened before a loss have their names" "nothing was lost"
else
	is "$("$analyzer" dump log.bin | sed -nE 's/^event .* begun name="(outer|mid)".*/\1/p' | tr '\n' ' '):$(sum)" \
		"outer mid :2800010 2800010" "ranges that were opened before a loss have their names"
fi

# By time: events older than the window are dropped, younger ones are there. At the end a sanitizer
# scans the memory and stops all threads, on a busy machine for longer than a short window.
window=200
[ "${SANITIZERS:-no}" = no ] || window=3000
run --keep ${window}ms -o log.bin -- push=outer named=3 threads=2 sleep=$((5 * window)) snapshot join torch=4
"$analyzer" dump log.bin >text
is "$(grep -c 'push name="iter"' text):$(grep -c 'push name="ProfilerStep#' text)" "0:4" "by time: old events are gone, the last ones are there"
is "$(sum)" "$(set -- "$(sed -n 's/^calls //p' out)" && echo "$1 $1")" "and all are counted"
[ $(($(fact log.bin taken_mono_ns) - $(fact log.bin window_mono_ns))) -ge ${window}000000 ]
ok $? "the window is as long as it is to be"
is "$(sed -n 's/^snapshot //p' out):$(fact log.s1.bin snapshot):$(fact log.s1.bin snapshot_by)" '0:1:"api"' "a snapshot by the program"
sound log.bin log.s1.bin
ok $? "both read alone"
"$analyzer" info log.bin | grep -qE '^window +[0-9.]+m?s, from [0-9.]+m?s to [0-9.]+m?s after its start$'
ok $? "info tells how much was kept, from when to when"

# Events older than the window do not count as unseen.
[ "${SANITIZERS:-no}" != no ] || window=100
run --keep ${window}ms -o log.bin -- steps=5 sleep=$((10 * window))
is "$(head -1 errors):$(sed -n 2p errors | cut -d: -f2):$(calls log.bin)" \
	"ranges: the part that is kept has no events: all events are older: 0 events, 1 thread, 0 lost, 35 outside of the window:35" \
	"a window with nothing in it says so, with the sum"

# However long events may wait to be written, a short window has short pieces, and each piece is
# complete.
RANGES_FLUSH_MS=60000
[ "${SANITIZERS:-no}" != no ] || window=500
run --keep ${window}ms -o log.bin -- steps=5 slow=$window slow=$window slow=$window steps=1
RANGES_FLUSH_MS=20
is "$("$analyzer" dump log.bin | sed -nE 's/^event .* step payload=u64:([0-9]+)$/\1/p' | sed '/[67]/d' | tr '\n' ' '):$(sum)" \
	"8 :$(set -- "$(sed -n 's/^calls //p' out)" && echo "$1 $1")" "nothing waits for longer than a piece of the window"

# ---- Snapshots ----

run --keep 1M -o log.bin -- steps=10 snapshot steps=10 snapshot=no/such.bin snapshot=second.bin snapshot=second.bin push=open snapshot=no/such.bin
is "$(sed -n 's/^snapshot //p' out | tr '\n' ' '):$(calls log.s1.bin) $(calls second.bin) $(calls log.bin)" "0 5 0 0 5 :70 140 141" \
	"snapshots have the calls up to there, and the capture goes on"
is "$(fact second.bin snapshot):$(tail -1 errors)" "3:ranges: 3 snapshots, 0 skipped" "a file of that name is replaced, and those that failed do not count"

rm -f ./*.bin
RANGES_KEEP=1M "$ranges" run -o log.bin -- "$stepper" push=hangs steps=3 touch=at.1 await=go.1 >out 2>errors &
launcher=$!
await at.1
"$ranges" ctl snapshot >ctl.out 2>&1
is "$?:$(sed 's/^[0-9]* //; s,: /.*/,: ,' ctl.out)" "0:stepper: snapshot: log.s1.bin" "ctl has a snapshot written"
"$ranges" ctl snapshot -o mine.bin >ctl.out 2>&1
is "$?:$(sed 's/^[0-9]* //; s,: /.*/,: ,' ctl.out):$(fact mine.bin snapshot_by)" '0:stepper: snapshot: mine.bin:"ctl"' "under the name it wants"
"$ranges" ctl snapshot -o no/such.bin >ctl.out 2>&1
is "$?:$(wc -l <ctl.out)" "3:1" "a place that cannot be written is told"
for piece in ./log.bin.keep-*; do
	"$ranges" ctl snapshot -o "$piece" >ctl.out 2>&1
	is "$?:$(sed 's/.*log.bin.keep-[0-9]*[.][0-9]* //' ctl.out)" "3:is in use for what the capture keeps: take another name" "nor onto what is kept"
done
"$ranges" ctl status -o mine.bin >ctl.out 2>&1
is "$?:$(head -1 ctl.out)" "2:ranges: ctl: -o is for snapshot; see \"ranges ctl --help\"" "-o goes with snapshot only"
touch go.1
wait "$launcher"
is "$(calls log.s1.bin) $(calls mine.bin) $(calls log.bin)" "22 22 22" "they hold what was recorded"
sound log.s1.bin mine.bin log.bin
ok $? "and read alone"

# Over several pieces.
rm -f ./*.bin* at.* go.*
RANGES_KEEP=1M "$ranges" run -o log.bin -- "$stepper" steps=20000 touch=at.1 await=go.1 >out 2>errors &
launcher=$!
await at.1
"$ranges" ctl flush >ctl.out 2>&1
"$ranges" ctl status >ctl.out 2>&1
is "$(echo ./log.bin.keep-* | wc -w | sed 's/^[2-9]$/some/'):$(sed "s,^[0-9]* ,,; s,$PWD/,," ctl.out)" \
	"some:stepper: on, cycle 1, 140000 events kept, 0 outside, keeps 1M: log.bin" "ctl status counts all that is kept"
touch go.1
wait "$launcher"

run -o log.bin -- steps=1 snapshot touch=at.1
is "$(head -1 out)" "snapshot 4" "without a window there is nothing to be written"

# ---- Conditions that are met ----

# why LOG: prints the reason why it was written, without figures.
why()
{
	fact "$1" snapshot_why | sed -E 's/[0-9]+\.[0-9]+ ms/T/g'
}

# The bounds are absolute and far apart, because any step may be slow on a loaded machine.
run --keep 30s --when 'step > 1s' --on-done 'echo >>../done' -o log.bin -- push=outer steps=30 slow=1 slow=1500 slow=1 sleep=200 pop
is "$(sort ../done | sed 's,.*/,,' | tr '\n' ' '):$(why log.s1.bin):$(tail -1 errors)" \
	'log.bin log.s1.bin :"step > 1s: T":ranges: 1 snapshot, 0 skipped' "a slow step has one snapshot written, and --on-done gets it, too"
"$analyzer" dump log.s1.bin | awk '/ step payload=u64:31$/ { from = $4 } / step payload=u64:32$/ { to = $4 } END { exit !(from > 0 && to > from) }'
ok $? "which has the whole of that step"
"$analyzer" log.s1.bin 2>&1 | grep -q '^note: snapshot 1, by trigger (step > 1s: .* ms): [0-9.]*m*s, from .* to .* after its start$'
ok $? "the footer says why it was written, and from when to when it is"
is "$("$analyzer" stats -f json log.s1.bin | grep -o '"snapshot":1')" '"snapshot":1' "so does JSON"

run --keep 30s --when 'step > 40 * median' -o log.bin -- slow=20 slow=20 slow=20 slow=20 slow=20 slow=20 slow=20 slow=20 slow=20 slow=20 \
	slow=2000 slow=20
is "$(why log.s1.bin):$(tail -1 errors)" '"step > 40 * median: T, median T":ranges: 1 snapshot, 0 skipped' \
	"so has one that is slow for its program, also when that ends at once"

run --keep 30s --when 'range slow > 1s; counter length@queue > 10' --when 'counter length@other > 1' --cool-down 0 -o log.bin -- \
	sample=5 slow=1200 sleep=300 sample=15 sleep=300 sample=3
is "$(why log.s1.bin):$(why log.s2.bin):$(tail -1 errors)" \
	'"range slow > 1s: T":"counter length@queue > 10: about 15":ranges: 2 snapshots, 0 skipped' "ranges and counters"

run --keep 30s --when 'gap step > 1s' -o log.bin -- push=train steps=4 push='in here' sleep=1800 pop steps=2 pop
is "$(why log.s1.bin):$("$analyzer" dump log.s1.bin | sed -nE 's/^event .* push name="(.*)".*/\1/p' | tail -1):$(tail -1 errors)" \
	'"gap step > 1s: T":in here:ranges: 1 snapshot, 0 skipped' "a hang: the snapshot names the place"
"$analyzer" log.s1.bin 2>&1 | grep -q '^open at the end: .*"in here"'
ok $? "the analyzer says what is open"
run --keep 30s --when 'gap range iter > 1h; gap range step > 1h; gap itre > 1h' -o log.bin -- named=3
is "$(sed 1d errors)" "ranges: gap range iter > 1h: never met
ranges: gap range step > 1h: no range of this name was seen
ranges: gap itre > 1h: no range of this name was seen" "a gap of a range may be called so"

run --keep 30s --when 'range slow > 100ms' --cool-down 1h -o log.bin -- slow=200 sleep=300 slow=200 slow=200
is "$(tail -1 errors)" "ranges: 1 snapshot, 2 skipped" "within the cool-down none is written, and that is counted"
run --keep 30s --when 'range slow > 100ms' --cool-down 0 --snapshots 1 -o log.bin -- slow=200 sleep=300 slow=200 slow=1
is "$(tail -1 errors):$(fact log.bin skipped)" "ranges: 1 snapshot, 1 skipped:1" "nor are more than are to be"
run --keep 4s --before 200ms --when 'range slow > 100ms' -o log.bin -- steps=5 threads=1 sleep=1500 slow=200 sleep=300 join
"$analyzer" dump log.s1.bin >text
is "$(grep -c ' push name="slow"' text):$(grep -c ' step payload=u64:0$' text)" "1:0" "--before leaves out what is older"
is "$(sum)" "$(set -- "$(sed -n 's/^calls //p' out)" && echo "$1 $1")" "all is counted"
run --keep 60s --before 500ms --when 'range slow > 100ms' -o log.bin -- steps=5 threads=1 sleep=2500 slow=200 sleep=300 join
is "$("$analyzer" dump log.s1.bin | grep -c ' step payload=u64:0$')" 0 "also where the window is much longer than that"
run --keep 30s --when 'range slow > 100ms; range slow > 50ms' -o log.bin -- slow=200
is "$(tail -1 errors)" "ranges: 1 snapshot, 1 skipped" "a second condition that is met at once is counted"
run --keep 30s --when 'range slow > 100ms' -o log.bin -- slow=200
is "$(sed -nE '2,$s/[0-9]+\.[0-9]+ ms/T/p' errors)" "ranges: snapshot 1, by trigger (range slow > 100ms: T): log.s1.bin" "the end names snapshots, and why they were written"

# Conditions that were never met, or never can be.
run --keep 30s --when 'step > 3 * median; range iter > 60s; range itre > 1s; counter length > 3; gap step > 1s; gap itre > 1s' -o log.bin -- named=3
is "$(sed 1d errors)" "ranges: step > 3 * median: no step was seen; call ranges_step(), or name the range that is a step: range NAME > 3 * median
ranges: range iter > 60s: never met in 3 ranges
ranges: range itre > 1s: no range of this name was seen
ranges: counter length > 3: no value of this counter was seen
ranges: gap step > 1s: no step was seen; call ranges_step(), or name the range that is a step: gap NAME > 1s
ranges: gap itre > 1s: no range of this name was seen" "conditions that were not met are told, and those that never can be"
run --keep 30s --when 'step > 90 * median; gap step > 60s' -o log.bin -- steps=5
is "$(sed 1d errors)" "ranges: step > 90 * median: never met in 4 steps: the median needs more of them
ranges: gap step > 60s: never met" "a median takes some steps"
run --keep 30s --no-thread --when 'range slow > 100ms' -o log.bin -- slow=200 sleep=300
is "$(why log.s1.bin)" '"range slow > 100ms: T"' "without a thread of ours, too"
sound ./*.bin
ok $? "each reads alone"

# ---- More threads than exist at a time ----

window=200
[ "${SANITIZERS:-no}" = no ] || window=3000
run --keep ${window}ms -o log.bin -- push=outer short=300 sleep=$((10 * window)) short=5 steps=2 snapshot
is "$(for log in log.bin log.s1.bin; do "$analyzer" dump "$log" | grep -c '^def stream '; done | tr '\n' ' ')" "6 6 " \
	"a log lists the threads that are in it, not all that there ever were"
is "$(sed -nE 's/.* events?, ([0-9]+) threads, .*/\1/p' errors):$(sum):$(calls log.bin)" "306:$(set -- "$(sed -n 's/^calls //p' out)" && echo "$1 $1:$1")" \
	"the sums are of all"
sound log.bin log.s1.bin
ok $? "both read alone"

# ---- More names than the limit ----

# nameless LOG
nameless()
{
	"$analyzer" dump "$1" | grep -c 'push name="(name table full)"'
}
run -o log.bin -- new=150000
is "$("$analyzer" dump log.bin | sed -nE 's/.* push name="(new [0-9]+)".*/\1/p' | sort -u | wc -l)" 150000 "150,000 names are as many names"
RANGES_NAMES_MAX=64
export RANGES_NAMES_MAX
run -o log.bin -- new=200
is "$(sed -nE 's/.* 0 lost, ([0-9]+) without a name: .*/\1/p' errors):$(sed -n 2p errors)" \
	"$(nameless log.bin):ranges: there were more names than RANGES_NAMES_MAX or RANGES_NAMES_BYTES allow: events with further names have no name" \
	"events that lost their name are told"
run --keep 30s --when 'gap new * > 2s; range new * > 100s; range load > 100s; gap load > 100s' -o log.bin -- steps=2 new=100 \
	sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 \
	sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 sleep=250 new=1 steps=2
is "$(sed 1,2d errors)" "ranges: gap new * > 2s: $(nameless log.bin) ranges without a name may match, and were not checked
ranges: range new * > 100s: $(nameless log.bin) ranges without a name may match, and were not checked
ranges: range load > 100s: never met in 4 ranges
ranges: gap load > 100s: never met" "no condition takes ranges without a name for a gap, and says what it did not look at"
run --keep 30s --when 'gap new * > 1s' -o log.bin -- new=100 sleep=2500
is "$(tail -1 errors)" "ranges: 1 snapshot, 0 skipped" "what is a gap for certain is told all the same"
window=200
[ "${SANITIZERS:-no}" = no ] || window=3000
run --keep ${window}ms -o log.bin -- new=100 sleep=$((10 * window)) new=10
is "$(sed -nE 's/.* outside of the window, ([0-9]+) without a name: .*/\1/p' errors):$(nameless log.bin)" "10:10" "of a window those in it are told"
unset RANGES_NAMES_MAX

# ---- However it ends ----

run --keep 300ms -o log.bin -- push=outer threads=2 sleep=900 steps=4 kill
"$analyzer" dump log.bin >text
is "$run_status:$(echo ./*.bin*):$(grep -cE '^event .* step payload' text)" "137:./log.bin:4" "SIGKILL leaves the last part"
is "$(fact log.bin snapshot_by):$(grep -c ' begun name="outer"' text)" '"death":1' "which says so, with what was open"
"$analyzer" log.bin 2>&1 | grep -q ', by death: .* after its start, the last moment that is known of it$'
ok $? "and until when"
sound log.bin
ok $? "and reads alone"

# mono: prints CLOCK_MONOTONIC in ns.
mono()
{
	python3 -c 'import time; print(time.monotonic_ns())'
}

# Its writer may come at any time.
rm -f ./*.bin* at.* go.*
"$ranges" run --keep 10s -o log.bin -- "$stepper" push=outer steps=4 touch=at.1 await=go.1 >out 2>errors &
launcher=$!
await at.1
pid=$("$ranges" ctl status | cut -d' ' -f1)
kill -KILL "$launcher"
wait "$launcher" 2>>errors
kill -KILL "$pid"
while kill -0 "$pid" 2>>errors; do
	sleep 0.01
done
at=$(mono)
"$ranges" recover --all >recover.out 2>&1
is "$(fact log.bin snapshot_by):$(($(fact log.bin taken_mono_ns) <= at))" '"death":1' "a death that is found later is not taken for later" ||
	diag "$(cat recover.out)"

# killed OPTIONS…: kills a program that has made 20,000 steps, or has run $commands. It leaves
# pieces, and a spool, which is in $spool.
killed()
{
	rm -f ./*.bin* at.* go.*
	# shellcheck disable=SC2086 # words
	"$ranges" run "$@" -- "$stepper" push=outer ${commands-steps=20000} touch=at.1 await=go.1 >out 2>errors &
	launcher=$!
	await at.1
	pid=$("$ranges" ctl status | cut -d' ' -f1)
	"$ranges" ctl flush >ctl.out 2>&1
	kill -KILL "$launcher"
	wait "$launcher" 2>>errors
	kill -KILL "$pid"
	while kill -0 "$pid" 2>>errors; do
		sleep 0.01
	done
	spool=$(find "$temp/spool" -name "$pid-*.spool")
}
# By then its last part is long over. The log still has everything that the program had kept.
commands='threads=2 sleep=600'
killed --keep 400ms -o log.bin
unset commands
sleep 0.6
"$ranges" recover "$spool" >recover.out 2>&1
is "$?:$(($(fact log.bin taken_mono_ns) - $(fact log.bin window_mono_ns) > 200000000))" "0:1" \
	"the window ends with the program, not when it is recovered" || diag "$(cat recover.out)"
# The first piece, one in the middle, or all pieces were removed.
for gone in 1 2 '1,$'; do
	killed --keep 1M -o log.bin
	pieces=$(find . -name 'log.bin.keep-*' | wc -l)
	find . -name 'log.bin.keep-*' | sort -t. -k 4n | sed -n "${gone}p" | xargs rm -f
	"$ranges" recover "$spool" >recover.out 2>&1
	cp recover.out errors
	missing=$(sed -nE "s/^ranges: pieces of what was kept were .*: ([0-9]+) events of process $pid .* missing in log.bin$/\1/p" recover.out)
	lost=$("$analyzer" dump log.bin | sed -n 's/^end .*lost=\([0-9]*\).*/\1/p')
	is "$((pieces > 2)):$(sum | cut -d' ' -f1):$(calls log.bin):$((missing > 0)):$lost" "1:140001:140001:1:$missing" "events of a piece that somebody removed are told and counted ($gone)" ||
		diag "$(cat recover.out)"
done
mkdir elsewhere
killed --keep 1M -o log.bin
"$ranges" recover "$spool" -o elsewhere/mine.bin >recover.out 2>&1
is "$?:$(calls elsewhere/mine.bin):$(echo ./*.bin* elsewhere/*)" "0:140001:./*.bin* elsewhere/mine.bin" \
	"its log is made of all pieces, also under another name" || diag "$(cat recover.out)"
# There is no more room where its pieces are.
name="so it is where there is no more room where the pieces are"
if mkdir small && unshare -rm mount -t tmpfs none small 2>unshare.out; then
	cat >fill.sh <<'END'
mount -t tmpfs -o size=1m none small
"$ranges" run --keep 64M -o small/log.bin -- "$stepper" push=outer hot=2 sleep=300 join steps=2 >out 2>errors
"$ranges" recover "$(find "$RANGES_SPOOL_DIR" -name '*.spool')" -o elsewhere/full.bin >recover.out 2>&1
ls small >left
END
	ranges=$ranges stepper=$stepper unshare -rm sh fill.sh
	sound elsewhere/full.bin
	is "$?:$(calls elsewhere/full.bin):$(cat left)" "0:$(sed -n 's/^calls //p' out):" "$name" || diag "$(cat errors recover.out)"
else
	skip "$name" "none can be mounted"
fi
rm -rf elsewhere
run --keep 1M -o log.bin -- steps=4 segv
is "$((run_status > 0)):$(calls log.bin)" "1:28" "so does a segfault"
bad=
for ms in 0 1 3 6 12 25; do
	RANGES_EXIT_MS=$ms
	run --keep 1M -o log.bin -- push=outer hot=2 sleep=150 join steps=2
	[ "$(echo ./*.bin*):$(calls log.bin)" = "./log.bin:$(sed -n 's/^calls //p' out)" ] && sound log.bin || bad="$bad $ms: $(ls)"
done
RANGES_EXIT_MS=60000
is_empty "$bad" "a program that does not wait for its log has it completed, and no piece is left"

# A piece that was just opened is closed under its first number. A piece that is dropped is removed.
if [ "${SANITIZERS:-no}" = no ] &&
	"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC "$top_srcdir/tests/capture/kill-at.c" -o "$temp/kill-at.so" -ldl 2>cc.txt; then
	bad=
	deaths=0
	for call in close unlink; do
		for at in 1 2 3 4 5 6 7 8 12 16; do
			rm -f ./*.bin*
			KILL_WHO=stepper KILL_CALL=$call KILL_AT=$at LD_PRELOAD=$temp/kill-at.so \
				"$ranges" run --keep 1M --buffer 1M -o log.bin -- "$stepper" push=outer hot=1 sleep=200 join >out 2>errors
			[ "$?" -ne 137 ] || deaths=$((deaths + 1))
			case $(echo ./*.bin*) in
			./log.bin) sound log.bin || bad="$bad $call $at: verify" ;;
			'./*.bin*') ;; # nothing was recorded yet
			*) bad="$bad $call $at: $(echo ./*.bin*)" ;;
			esac
		done
	done
	is "$bad:$([ $deaths -gt 10 ] && echo many)" ":many" "a death while a piece is made or dropped leaves none ($deaths)"
	# The program is killed while the log is made from its pieces, and pieces are dropped.
	# Threads have ended before the last piece. The fifth file exists only if the machine was
	# fast enough for one more piece.
	bad=
	for at in 1 2 3 4 5; do
		rm -f ./*.bin*
		KILL_WHO=stepper KILL_CALL=unlink KILL_AT=$at LD_PRELOAD=$temp/kill-at.so "$ranges" run --keep 8s -o log.bin -- \
			"$stepper" push=outer threads=2 sleep=100 join sleep=900 steps=2 >out 2>errors
		status=$?
		[ $at -lt 5 ] || [ $status -ne 0 ] || status=137
		[ "$status:$(echo ./*.bin*):$(calls log.bin)" = "137:./log.bin:$(sed -n 's/^calls //p' out)" ] && sound log.bin ||
			bad="$bad at $at: status $status, $(ls ./*.bin*), $(calls log.bin) of $(sed -n 's/^calls //p' out)"
	done
	is_empty "$bad" "nor does one when it is made of them, and no call is taken for lost"
else
	skip "deaths while pieces are made and dropped" "no library can be preloaded"
	skip "deaths when the log is made of them" "no library can be preloaded"
fi
run --keep 1M -o log.bin -- fork=3 steps=2
is "$(for log in ./*.bin; do calls "$log"; done | sort -n | tr '\n' ' ')" "14 21 " "a fork child has a window of its own"
run --keep 1M --no-thread -o log.bin -- hot=1 sleep=200 join steps=3
is "$(calls log.bin):$(echo ./*.bin*)" "$(sed -n 's/^calls //p' out):./log.bin" "so has a program without a thread of ours"

# ---- Switched on and off ----

run --standby --keep 1M -o log.bin -- steps=1 snapshot on steps=5 snapshot off log steps=3 on push=x hot=2 sleep=200 join pop steps=2
is "$(sed -n 's/^snapshot //p' out | tr '\n' ' '):$(echo ./*.bin*)" "4 0 :./log.c1.bin ./log.c1.s1.bin ./log.c2.bin" \
	"each time that it is on has a window, and its log the last part"
is "$(sum)" "$(set -- "$(sed -n 's/^calls //p' out)" && echo "$1 $1")" "over the logs, lost and outside are all calls"
sound ./*.bin
ok $? "all read alone"

# ---- Bad use ----

bad()
{
	"$ranges" run "$@" -- true >out 2>errors
	echo "$?:$(head -1 errors | sed 's/; see "ranges.*//')"
}
is "$(bad --keep 10)" "2:ranges: run: --keep: RANGES_KEEP=10 is not valid: expected a time of 100ms or more such as 30s, a size of 1M or more such as 64M, or both with a comma between" \
	"a bound without a unit is refused"
is "$(bad --keep 30s,64M,1h | cut -d: -f1):$(bad --keep 1ms | cut -d: -f1):$(bad --keep 10s,20s | cut -d: -f1):$(bad --keep 99999999999M | cut -d: -f1)" "2:2:2:2" \
	"so are too many, too little, one twice, and too much"

is "$(bad --keep 1ms):$(bad --keep 100000h):$(bad --keep 10K):$(bad --keep 2048G)" \
	"2:ranges: run: --keep: RANGES_KEEP=1ms is not valid: expected a time of 100ms or more:2:ranges: run: --keep: RANGES_KEEP=100000h is not valid: expected a time of 366 days (8784h) or less:2:ranges: run: --keep: RANGES_KEEP=10K is not valid: expected a size of 1M or more:2:ranges: run: --keep: RANGES_KEEP=2048G is not valid: expected a size of 1048576M (1 TiB) or less" \
	"and each says what may be"
is "$(bad --keep 3s --before 30s --when 'step > 3s')" "2:ranges: run: --before is longer than --keep, which is: 3s" \
	"what led to a step can't be more than is kept"

is "$(bad --when 'step > 3s')" "2:ranges: run: --when needs --keep, which says how much is kept" "a condition without a window is refused"
is "$(bad --keep 1M --before 5s):$(bad --cool-down 5s):$(bad --keep 1M --snapshots 5)" \
	"2:ranges: run: this option needs --when: --before:2:ranges: run: this option needs --when: --cool-down:2:ranges: run: this option needs --when: --snapshots" \
	"so is what says how a condition's snapshots are written"
"$ranges" run -f --keep 30s --when 'step>2s;range iter>2s' -o log.bin -- "$stepper" steps=1 >out 2>errors
is "$?:$(grep -c 'step>2s' errors)" "0:1" "conditions need no blanks"
RANGES_WHEN='step > 3s' "$ranges" run -o log.bin -- "$stepper" steps=1 >out 2>errors
is "$?:$(head -1 errors)" "0:ranges: run: RANGES_WHEN is ignored: it needs RANGES_KEEP, which says how much is kept" \
	"in the environment, which is for all programs, it is told"
condition()
{
	bad --keep 1M --when "$1" | sed 's/.*is not valid: //'
}
is "$(condition nonsense)" '"nonsense": expected step, range NAME, counter NAME or gap NAME, then > and a limit' "a condition that is none"
is "$(condition 'step > soon')" '"soon": expected a time such as 20ms, or 3 * median' "a limit that is none"
is "$(condition 'gap step > 3 * median')" '"3 * median": expected a time such as 1s or 500ms' "a gap has no median"
is "$(condition 'counter x > y')" '"y": expected a number' "a counter's limit is a number"
is "$(condition 'range x')" '"range x": expected > and a limit after it' "a limit that is missing"
is "$(condition 'range  > 1s')" 'a name has 1 to 127 bytes' "a name that is missing"
is "$(condition 'step x > 1s')" '"step" has no name, but "x" follows it; "range NAME" has one' "a name too many"
is "$(condition 'step >> 1s')" '"step" has no name, but ">" follows it; "range NAME" has one' "so is what belongs to no sign"

done_testing

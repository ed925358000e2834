#!/bin/sh
# SPDX-License-Identifier: MIT
# Recovery does no harm and loses nothing. The cases are other files with the log's name, moved
# logs, several recoveries at once, living programs of other containers, and kills during recovery.
# shellcheck disable=SC2016,SC2317 # texts for inner shells; functions that until_true calls

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
emit=$top_builddir/tests/nvtx/emit
analyzer=$top_builddir/analyzer/analyzer
for program in "$ranges" "$emit" "$analyzer"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID
RANGES_SPOOL_DIR=$temp/spool
RANGES_FLUSH_MS=3600000 # events stay in the spool until they fill a chunk
export RANGES_SPOOL_DIR RANGES_FLUSH_MS

# until_true COMMAND…: repeats it until it succeeds, half a minute at most.
until_true()
{
	tries=0
	until "$@" || [ $tries -ge 1500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
}

# begin LOG ARGUMENTS…: starts a program under `ranges run`, with `up` after its arguments, and
# waits for its file $ready. $launcher and $program are the processes. $directory has its spool and
# no other.
ready=up
begin()
{
	log=$1
	shift
	rm -f up pid
	"$ranges" run -o "$log" sh -c 'echo $$ >pid; exec "$@"' sh "$emit" "$@" touch=up wait=never \
		2>launcher.txt &
	launcher=$!
	until_true test -e "$ready"
	program=$(cat pid)
	directory=$(echo "$temp"/spool/ranges-*)
}

# has_events LOG COUNT
has_events()
{
	[ "$("$analyzer" dump "$1" 2>/dev/null | grep -cE ' (push|pop)')" -ge "$2" ]
}

# orphan LOG ARGUMENTS…: does the same, then kills the program and its launcher.
orphan()
{
	begin "$@"
	kill -s KILL "$launcher"
	wait "$launcher" 2>wait.txt
	kill -s KILL "$program"
	until_true has_gone "$program"
}

has_gone()
{
	# A zombie remains until its parent has waited for it, and its threads may still be ending.
	! cat "/proc/$1/task"/*/status 2>wait.txt | grep -q '^State:[[:blank:]]*[^ZX[:blank:]]'
}

# recover ARGUMENTS…: sets $status and $err (sizes as N).
recover()
{
	"$ranges" recover "$@" >out.txt 2>err.txt
	status=$?
	err=$(sed -E 's/[0-9.]+ (B|kB|MB)/N \1/; s/ (k|M)B/ B/' err.txt)
}

# events LOG: prints the number of events that verify counts in a sound log.
events()
{
	"$analyzer" verify "$1" >verify.txt 2>&1 && "$analyzer" dump "$1" 2>/dev/null | grep -cE '(push|pop)'
}

clean()
{
	rm -rf ./* "$temp"/spool/*
}

# ---- Another file has the log's name ----

orphan a.bin 700
"$ranges" run -f -o a.bin "$emit" 5 2>/dev/null
cp a.bin kept
recover "$directory"
cmp -s a.bin kept
ok $? "a log that took the name in the meantime stays as it is"
other=$(sed -n 's/.* in \(a\.[0-9]*\.bin\)$/\1/p' err.txt)
is "$status:$(events "${other:-none}"):$(ls "$temp/spool")" "0:1400:" \
	"and all events of the earlier run are in a log of another name"
clean
orphan a.bin 700
rm a.bin
echo "a text of the user's" >a.bin
recover "$directory"
is "$status:$(cat a.bin):$(events a.*.bin)" "0:a text of the user's:1400" "a text file of that name as well"
clean
orphan a.bin 700
cat a.bin >copy
rm a.bin
mkdir a.bin
recover "$directory"
is "$status:$(events a.*.bin)" "0:1400" "and a directory"
clean
begin a.bin 700
first=$launcher
dying=$program
RANGES_SPOOL_DIR=$temp/work "$ranges" run -f -o a.bin "$emit" 5 touch=up2 wait=go 5 2>second.txt &
second=$!
until_true test -e up2
kill -s KILL "$dying"
wait "$first"
touch go
wait "$second"
is "$?:$(events a.bin):$(events a.*.bin)" "0:20:1400" \
	"a launcher does not write into the log of another program that lives"
clean

# ---- The log is elsewhere ----

ready=part
begin a.bin 10000 touch=part wait=go 700
ready=up
until_true has_events a.bin 16384
mv a.bin moved.bin
touch go
until_true test -e up
kill -s KILL "$launcher"
wait "$launcher" 2>wait.txt
kill -s KILL "$program"
until_true has_gone "$program"
gone=$("$analyzer" dump moved.bin 2>/dev/null | grep -cE '(push|pop)')
left=$((21400 - gone))
cp "$temp"/spool/ranges-*/*.spool copy.spool
recover "$directory"
is "$status:$err" "0:ranges: a.bin was moved, deleted or replaced: $gone events of process $program that were in it are missing in a.bin
ranges: $left events, 1 thread, $gone lost: a.bin (N B, completed after the program's death)" \
	"without a log that was moved, what is left becomes a log, and what is missing is told"
recover copy.spool -o new.bin
is "$status:$(tail -n 1 err.txt | sed 's/(.*//')" "0:ranges: $left events, 1 thread, $gone lost: new.bin " \
	"-o works then"
"$analyzer" stats new.bin 2>&1 | grep -q 'events are missing'
ok $? "the log says itself what is missing"
is "$("$analyzer" dump moved.bin 2>/dev/null | grep -cE '(push|pop)')" "$gone" "the log that was moved is as it was"
clean
orphan a.bin 700
cp a.bin kept
recover "$directory" -o new.bin
is "$status:$(events new.bin)" "0:1400" "-o gives a complete log where the one that was begun is there, too"
cmp -s a.bin kept
ok $? "which stays as it is"
clean

# ---- One at a time ----

good=0
rounds=${RANGES_TEST_RACES:-4}
for round in $(seq "$rounds"); do
	orphan a.bin 3000
	"$ranges" recover "$directory" 2>1.txt &
	one=$!
	"$ranges" recover "$directory" 2>2.txt &
	two=$!
	"$ranges" recover "$directory" 2>3.txt
	wait $one
	wait $two
	[ "$(events a.bin):$(cat 1.txt 2.txt 3.txt | grep -c '6000 events')" != 6000:1 ] ||
		[ -n "$(ls "$temp/spool")" ] || good=$((good + 1))
	clean
done
is "$good" "$rounds" "of three recoveries at once one completes the log ($round times)"

if unshare --fork --pid --mount-proc true 2>wait.txt; then
	rm -f up
	unshare --fork --pid --mount-proc --kill-child "$ranges" run -o a.bin "$emit" 700 touch=up wait=go 5 \
		2>launcher.txt &
	launcher=$!
	until_true test -e up
	recover "$temp"/spool/ranges-*
	is "$status:$(echo "$err" | cut -d ";" -f 1):$(find "$temp"/spool/ranges-* -type f | wc -l | tr -d " ")" \
		"0:ranges: 1 process of the program still runs:1" "a program of another pid namespace is left alone"
	touch go
	wait "$launcher"
	is "$?:$(events a.bin)" "0:1410" "and ends in order"
	clean
else
	skip "a program of another pid namespace is left alone" "no pid namespace can be made"
fi
# ---- Groups ----

# Three processes in a group of their own. The first one, the program, ends before the others.
good=0
for round in $(seq "${RANGES_TEST_GROUPS:-5}"); do
	rm -f up*
	"$ranges" run -o a.bin setsid sh -c 'echo $$ >pid
		for i in 1 2 3; do "$1" 700 touch=up$i wait=never & done
		wait' sh "$emit" 2>err.txt &
	launcher=$!
	for i in 1 2 3; do until_true test -e up$i; done
	kill -s KILL -- "-$(cat pid)"
	wait "$launcher"
	[ "$?:$(find . -name "*.bin" | wc -l | tr -d " "):$(grep -c '4200 events, 3 threads, 0 lost in 3 processes' err.txt):$(ls "$temp/spool")" != 137:3:1: ] ||
		good=$((good + 1))
	clean
done
is "$good" "$round" "when a group is killed, ranges run ends with complete logs ($round times)"

# ---- No room ----

orphan a.bin 20000
cp -a "$directory" "$temp/saved"
cp -p a.bin saved.bin
bad=
refused=0
for blocks in 1 2 4 8 16 32 64; do
	(ulimit -f $blocks && exec "$ranges" recover -- "$directory") >out.txt 2>err.txt
	status=$?
	[ $status -lt 128 ] || bad="$bad $blocks:$status"
	if [ -d "$directory" ]; then
		refused=$((refused + 1))
		[ -s err.txt ] || bad="$bad $blocks:silent"
		"$ranges" recover "$directory" 2>err.txt || bad="$bad $blocks:again"
	fi
	[ "$(events a.bin)" = 40000 ] && [ ! -e "$directory" ] || bad="$bad $blocks"
	cp -a "$temp/saved" "$directory"
	cat saved.bin >a.bin # the same file
done
is "$bad:$([ $refused -gt 0 ] && echo refused)" ":refused" \
	"recovery without room for the log says so, keeps the spool, and can be repeated"
rm -rf "$temp/saved"
clean

# ---- Kills during recovery ----

mkdir "$temp/spool/ranges-abcdef"
: >"$temp/spool/ranges-abcdef/77-0.spool"
truncate -s 1100000 "$temp/spool/ranges-abcdef/78-0.spool"
recover "$temp/spool/ranges-abcdef"
is "$status:$(ls "$temp/spool")" "0:" "spools that were not finished are removed"
if ${CC:-cc} -D_GNU_SOURCE -shared -fPIC "$top_srcdir/tests/capture/kill-at.c" -o "$temp/kill-at.so" -ldl 2>cc.txt &&
	[ "${SANITIZERS:-no}" = no ]; then
	# in_turn WHO: kills WHO at each of its calls in turn, until it reaches its end, and then
	# recovers. Each time the log has all of the events, or none if none had been made yet.
	bad=
	deaths=0
	step=1
	while [ ! -e left ] && [ $step -lt 400 ]; do
		KILL_WHO=emit KILL_AT=$step KILL_LEFT=left LD_PRELOAD=$temp/kill-at.so \
			"$ranges" run -q -o a.bin "$emit" 3 2>err.txt
		deaths=$((deaths + 1))
		[ -z "$(ls "$temp/spool")" ] || bad="$bad $step:spool"
		for log in a*.bin; do
			[ ! -e "$log" ] || "$analyzer" verify "$log" >verify.txt 2>&1 || bad="$bad $step:log"
		done
		rm -rf a*.bin "$temp"/spool/*
		step=$((step + 1))
	done
	is "$bad:$([ $deaths -gt 10 ] && echo many)" ":many" \
		"a program is killed at each of its calls, from the first one on ($deaths): log or no log, no spool"
	rm -f left
	orphan a.bin 700
	cp -a "$directory" "$temp/saved"
	cp -p a.bin saved.bin
	bad=
	step=1
	while [ ! -e left ] && [ $step -lt 400 ]; do
		KILL_WHO=ranges KILL_AT=$step KILL_LEFT=left LD_PRELOAD=$temp/kill-at.so \
			"$ranges" recover -- "$directory" 2>err.txt
		if [ -d "$directory" ]; then
			"$ranges" recover "$directory" 2>err.txt || bad="$bad $step:again"
		fi
		[ "$(events a.bin)" = 1400 ] && [ ! -e "$directory" ] || bad="$bad $step"
		cp -a "$temp/saved" "$directory"
		cat saved.bin >a.bin # the same file
		step=$((step + 1))
	done
	is "$bad:$([ $step -gt 10 ] && echo many)" ":many" \
		"a recovery is killed at each of its calls ($step), and the next one completes the log"
else
	skip "deaths at each call" "no library can be preloaded"
fi
done_testing

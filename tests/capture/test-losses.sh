#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls = events in the log + losses that the log states, to the event, whatever goes wrong. The
# line at the end has the same figures. The test prints a table of all cases.
# shellcheck disable=SC2016 # texts for inner shells

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
capture=$top_builddir/tests/capture
emit=$top_builddir/tests/nvtx/emit
analyzer=$top_builddir/analyzer/analyzer
for program in "$ranges" "$emit" "$analyzer" "$capture/pusher" "$capture/endings" "$capture/count-log"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
cd "$temp" || exit 1
mkdir spool small out
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID
export RANGES_SPOOL_DIR="$temp/spool" # the spools of this test alone
factor=${RANGES_TEST_LOSSES:-1}       # multiple of the usual number of calls

# begin: sets the counters to zero, and removes the log.
begin()
{
	rm -rf out/* calls
	truncate -s 8192 calls
}

# counter N: prints this counter of the file in which a program counts its calls.
counter()
{
	od -An -t u8 -j $((64 * ($1 + 1))) -N 8 calls | tr -d ' '
}

# judge WHAT CALLS [MORE]: checks the logs and err.txt. MORE is the number of further calls that may
# have begun.
judge()
{
	"$capture/count-log" out/*.bin >counts 2>&1 || echo "damaged 0 0" >>counts
	read -r recorded lost open <counts
	said=$(sed -nE 's/^ranges: ([0-9]+) events, .*\b([0-9]+) lost.*/\1 \2/p' err.txt | tail -n 1)
	good=no
	[ "$recorded" != damaged ] && [ $((recorded + lost)) -ge "$2" ] &&
		[ $((recorded + lost)) -le $(($2 + ${3:-0})) ] && [ "$open" = 0 ] && good=yes
	printf '# %-34s %9s %9s %9s\n' "$1" "$2" "$recorded" "$lost"
	[ "$recorded" = damaged ] || for log in out/*.bin; do
		"$analyzer" verify "$log" | sed -E 's/.* ([0-9,]+) events.*/\1 0/'
		"$analyzer" info "$log" | sed -nE 's/^events +([0-9]+) of .*/0 \1/p'
	done | awk -v all="$recorded" '{ sum += $1; told += $2 } END { exit sum != all || told != all }' ||
		good="no: verify or info counts others"
	is "$good" yes "$1: recorded + lost = calls"
	is "$said" "$recorded $lost" "$1: the line at the end says so"
	[ "$good" = yes ] || diag "$(cat counts err.txt)"
}

# run OPTIONS PROGRAM…
run()
{
	"$ranges" run -o out/a.bin "$@" 2>err.txt
}

diag "$(printf '%-34s %9s %9s %9s' "" calls recorded lost)"
pairs=$((100000 * factor))
[ "${SANITIZERS:-no}" = no ] || pairs=$((pairs / 4))
begin
run --buffer 1M "$capture/pusher" calls 4 $pairs
judge "overload, 4 threads" $((8 * pairs))
begin
run --buffer 1M "$capture/pusher" calls 64 $((pairs / 16))
judge "overload, 64 threads" $((128 * (pairs / 16)))
begin
run --buffer 1M --on-full block "$capture/pusher" calls 4 $pairs
judge "block, 4 threads" $((8 * pairs))
is "$lost" 0 "block, 4 threads: nothing is lost"
begin
run --buffer 1M --on-full block "$capture/pusher" calls 64 $((pairs / 16))
judge "block, 64 threads" $((128 * (pairs / 16)))
is "$lost" 0 "block, more threads than blocks: nothing is lost"
"$analyzer" verify out/a.bin >verify.txt 2>&1
ok $? "block, more threads than blocks: the log is sound, each event has its name"
begin
run --buffer 1M "$capture/endings" calls handler
judge "signals, a handler that calls" "$(counter 0)"
begin
run --buffer 1M --on-full block "$capture/endings" calls handler
judge "signals and block" "$(counter 0)"
is "$lost" 0 "signals and block: nothing is lost"
if [ "${SANITIZERS:-no}" = no ]; then
	begin
	run --buffer 1M "$capture/endings" calls jump
	judge "jumps out of handlers" "$(counter 0)" "$(counter 1)"
	begin
	run --buffer 1M --on-full block "$capture/endings" calls jump
	judge "jumps and block" "$(counter 0)" "$(counter 1)"
else
	skip "jumps out of handlers" "a sanitizer does not know them"
fi
begin
run sh -c 'ulimit -f 64 && exec "$@"' sh "$emit" $((10 * pairs))
judge "files of 64 blocks at most" $((20 * pairs))
begin
run sh -c 'ulimit -f 4096 && exec "$@"' sh "$emit" $((10 * pairs))
judge "files of 4096 blocks at most" $((20 * pairs))

# in_small SIZE DIRECTORY COMMAND: runs it with a file system of that size there.
in_small()
{
	unshare -rm sh -c 'mount -t tmpfs -o "size=$1" none "$2" && eval "$3"' sh "$@"
}

if in_small 64k small true 2>wait.txt; then
	export ranges capture emit pairs
	begin
	in_small 3M small 'RANGES_SPOOL_DIR=$PWD/small "$ranges" run -o out/a.bin "$capture/pusher" calls 4 $pairs 2>err.txt'
	judge "small file system for the buffer" $((8 * pairs))
	grep -q "$lost lost because the buffer was full (.*, limited by free space of the spool's file system): RANGES_SPOOL_DIR names" err.txt
	ok $? "... and a line says why, and what to do"
	begin
	in_small 64k small 'RANGES_SPOOL_DIR=$PWD/small "$ranges" run -o out/a.bin "$capture/pusher" calls 4 $pairs 2>err.txt'
	judge "none for the buffer" $((8 * pairs))
	begin
	in_small 1M small 'dd if=/dev/zero of=small/ballast bs=1k count=1000 2>wait.txt
		"$ranges" run --buffer 8M -o small/a.bin "$emit" $((30 * pairs)) 2>first.txt
		rm small/ballast
		"$ranges" recover "$RANGES_SPOOL_DIR"/ranges-*/*.spool 2>err.txt
		cp small/*.bin out'
	judge "disk full, recovered with room" $((60 * pairs))
	grep -q 'events stay in the spool' first.txt
	ok $? "disk full: ranges run says that events are left"
	begin
	export library="$top_builddir/libranges/.libs/libranges.so"
	in_small 1M small 'dd if=/dev/zero of=small/ballast bs=1k count=1000 2>wait.txt
		RANGES_BUFFER=8M RANGES_OUTPUT=small/a.bin NVTX_INJECTION64_PATH=$library "$emit" $((30 * pairs)) 2>first.txt
		rm small/ballast
		eval "$(sed -n "s/.*events are left in the spool; .ranges\(.*spool\).*/\"\$ranges\" \1/p" first.txt)" 2>err.txt
		cp small/*.bin out'
	judge "disk full without a launcher, recovered as the last line says" $((60 * pairs))
	begin
	in_small 128k small 'RANGES_SPOOL_DIR=$PWD/small "$ranges" run --buffer 1M -o small/a.bin "$emit" $((30 * pairs)) 2>err.txt
		cp small/*.bin out'
	judge "disk full, buffer without a file" $((60 * pairs))
	[ "$lost" -gt 0 ]
	ok $? "disk full, buffer without a file: there was no room for all"
else
	skip "small file systems" "none can be mounted"
fi

# delete: removes the log in the middle of the run. That many calls are made before and after.
delete()
{
	begin
	rm -f up go
	"$@" "$emit" $pairs touch=up wait=go $pairs 2>err.txt &
	until [ -e up ] && [ -s out/a.bin ]; do sleep 0.02; done
	rm out/a.bin
	touch go
	wait $!
}
delete "$ranges" run -o out/a.bin
grep -q "with $((4 * pairs)) events, is no longer at out/a.bin" err.txt
ok $? "log deleted during the run: the line at the end says how much was in it"
delete env NVTX_INJECTION64_PATH="$top_builddir/libranges/.libs/libranges.so" RANGES_OUTPUT="$temp/out/a.bin" \
	RANGES_SPOOL_DIR="$temp/spool"
grep -q "it is no longer at $temp/out/a.bin" err.txt && grep -q "$((4 * pairs)) events, 0 lost" err.txt
ok $? "without a launcher, too"
is "$(find spool -name "*.spool")" "" "no buffer is left behind"
done_testing

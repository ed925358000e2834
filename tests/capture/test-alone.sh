#!/bin/sh
# SPDX-License-Identifier: MIT
# A program is recorded by NVTX's variable alone; one run ends by itself, another is killed. UNDER
# names an emulator of the program's processor (tests/tools/aarch64.sh); all of our programs run
# under it, too.

. "${0%/*}/../lib.sh"
need_temp
pusher=$top_builddir/tests/capture/pusher
[ -x "$pusher" ] || skip_all "tests/capture/pusher is not built"
cd "$temp" || exit 1
mkdir spool
export RANGES_SPOOL_DIR="$temp/spool"

# under PROGRAM...: runs it directly, or emulated.
under()
{
	# shellcheck disable=SC2086 # a command and its options
	${UNDER:-} "$@"
}

# recorded LOG PAIRS: execs the program, with 4 threads.
recorded()
{
	NVTX_INJECTION64_PATH=$top_builddir/libranges/.libs/libranges.so
	RANGES_OUTPUT=$temp/$1
	export NVTX_INJECTION64_PATH RANGES_OUTPUT
	# shellcheck disable=SC2086 # a command and its options
	exec ${UNDER:-} "$pusher" calls 4 "$2"
}

# The pusher's shared file (pushing.h): a line of 64 bytes with the threads that have begun, one per thread.
new_calls()
{
	dd if=/dev/zero of=calls bs=64 count=65 2>/dev/null
}

begun()
{
	od -A n -t u4 -N 4 calls | tr -d ' '
}

returned()
{
	od -A n -t u8 -v -w64 -j 64 -N 256 calls | awk '{ sum += $1 } END { printf "%d\n", sum }'
}

new_calls
(recorded end.bin 20000)
is $? 7 "the exit code is the program's"
is "$(under "$top_builddir/tests/capture/count-log" end.bin)" "160000 0 0" "each of its calls is in the log"
is_empty "$(find spool -name '*.spool')" "no spool is left"

new_calls
(recorded killed.bin 1000000000) &
program=$!
while [ "$(begun)" != 4 ]; do
	kill -0 $program 2>/dev/null || break
done
kill -KILL $program
wait $program 2>/dev/null
is $? 137 "a program is killed amid its calls"
under "$top_builddir/libranges/ranges" recover --all >out.txt 2>err.txt
is $? 0 "its log is completed"
calls=$(returned)
events=$(under "$top_builddir/tests/capture/count-log" killed.bin)
[ "${events#* }" = "0 0" ] && [ "${events%% *}" -ge "$calls" ] && [ "${events%% *}" -le $((calls + 4)) ]
ok $? "with each call that had returned, and one per thread at most that had not"
diag "calls $calls, in the log $events"
under "$top_builddir/analyzer/analyzer" verify killed.bin 2>&1 | grep -q '^killed.bin: sound'
ok $? "and is sound"
is_empty "$(find spool -name '*.spool')" "no spool is left of it either"
done_testing

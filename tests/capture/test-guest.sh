#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs with little memory or few rights: their output and exit status are the same with
# libranges and without.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
[ -x "$ranges" ] || skip_all "$ranges is not built"
cd "$temp" || exit 1
mkdir spool
unset RANGES_SPOOL_DIR
flags=
case ${SANITIZERS:-no} in
no) ;;
*) flags="-fsanitize=$SANITIZERS" ;;
esac
# shellcheck disable=SC2086 # no flags or one
${CC:-cc} -O1 -D_GNU_SOURCE $flags -I"$top_srcdir/libranges/include" "$top_srcdir/tests/capture/guest.c" -o guest \
	-lpthread -ldl 2>cc.txt || {
	diag "$(cat cc.txt)"
	skip_all "the program cannot be built here"
}

# with PROGRAM...: runs it without libranges, then with it (and `options`). Sets plain and ours to
# "code:output".
options=
with()
{
	plain=$("$@" 2>plain.err)
	plain=$?:$plain
	# shellcheck disable=SC2086 # options are words
	ours=$("$ranges" run -f -o guest.bin $options -- "$@" 2>err.txt)
	ours=$?:$ours
}

# fact KEY: prints this fact of the log.
fact()
{
	"$analyzer" info guest.bin 2>/dev/null | sed -n "s/^$1 *//p" | tr -d '"'
}

# are_counted SENTENCE: recorded and lost events add up to the calls that the program has printed.
are_counted()
{
	made=$(sed -n 's/^calls //p' err.txt)
	told=$(sed -n 's/^ranges: \([0-9]*\) events.* \([0-9]*\) lost.*/\1 + \2/p' err.txt)
	# shellcheck disable=SC2004 # a sum in a text
	is "$(($told))" "$made" "$1"
}

# ---- A memory cgroup: v1, where one can be made ----

own=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup 2>/dev/null)
group=/sys/fs/cgroup/memory${own%/}/ranges-test-$$
why=
[ "${SANITIZERS:-no}" = no ] || why="sanitizers take more memory than that"
[ -n "$why" ] || { mkdir "$group" && echo 256M >"$group/memory.limit_in_bytes"; } 2>/dev/null ||
	why="no memory cgroup can be made here"
if [ -n "$why" ]; then
	rmdir "$group" 2>/dev/null
	skip "a program in a memory cgroup ends as without us" "$why"
	skip "the log tells what the buffer is bounded by" "$why"
	skip "what found no room is counted" "$why"
else
	cat >in-group <<EOT
#!/bin/sh
echo \$\$ >"$group/cgroup.procs"
exec "\$@"
EOT
	chmod +x in-group
	with ./in-group ./guest memory 120
	is "$ours" "3:120 MiB" "a program in a memory cgroup ends as without us"
	is "$(fact buffer_bound)" "limit of the memory cgroup" \
		"the log tells what the buffer is bounded by"
	are_counted "what found no room is counted"
	rmdir "$group"
fi

# ---- ulimit -v ----

if [ "${SANITIZERS:-no}" != no ]; then
	skip "a program with ulimit -v has the addresses that it needs" "sanitizers need all addresses"
	skip "the log tells of ulimit -v" "sanitizers need all addresses"
else
	# shellcheck disable=SC2016 # for the shell inside
	with sh -c 'ulimit -v 600000; exec ./guest addresses'
	is "$plain $ours" "3:300 MiB of addresses 3:300 MiB of addresses" \
		"a program with ulimit -v has the addresses that it needs"
	is "$(fact buffer_bound)" "limit of the address space" "the log tells of ulimit -v"
fi

# ---- Sandboxes: no thread of ours, no unexpected system call ----

# in_place MODE SENTENCE [WHY]: the program does the same with libranges, and the log is sound.
in_place()
{
	why=${3:-}
	rm -rf empty scratch
	if [ -n "$why" ]; then
		skip "$2" "$why"
		skip "$2: recorded" "$why"
		return
	fi
	plain=$(./guest "$1" 2>plain.err)
	plain=$?:$plain
	rm -rf empty scratch
	case $plain in
	77:*)
		skip "$2" "this machine does not let it"
		skip "$2: recorded" "this machine does not let it"
		return
		;;
	esac
	# shellcheck disable=SC2086 # options are words
	ours=$("$ranges" run -f -o guest.bin $options -- ./guest "$1" 2>err.txt)
	is "$?:$ours" "$plain" "$2"
	[ "$("$analyzer" verify guest.bin 2>&1 | grep -c '^guest.bin: sound')" -eq 1 ]
	ok $? "$2: recorded"
}

sanitized=
[ "${SANITIZERS:-no}" = no ] || sanitized="sanitizers make system calls of their own"
options=--no-thread
in_place filter "--no-thread: a filter of system calls after the first event" "$sanitized"
in_place filter-all "--no-thread: the same for all threads" "$sanitized"
in_place namespace "--no-thread: a user namespace of its own" "$sanitized"
for options in "" --no-thread; do
	name=${options:-with a thread}
	in_place chroot "$name: another root directory" "$sanitized"
	case $plain:$sanitized in
	3:*:) are_counted "$name: recorded and lost are all calls after that" ;;
	*) skip "$name: recorded and lost are all calls after that" "it cannot here, or with sanitizers" ;;
	esac
	if [ -z "$options" ] && [ "$plain:$sanitized" = "3:another root:" ]; then
		is "$(grep -c ' 0 lost' err.txt)" 1 "its first burst is recorded: the buffer grows for it"
	fi
	in_place closed "$name: all files closed, and the numbers used again" "$sanitized"
	in_place drop "$name: privileges dropped" "$sanitized"
	in_place small "$name: the first event on a stack of 8 KiB" "$sanitized"
done

# ---- A sandbox that can be foreseen: the program is linked with libseccomp ----

linked=no
echo 'int seccomp_load(void *context) { return context != 0; }' >seccomp.c
# shellcheck disable=SC2086 # no flags or one
${CC:-cc} $flags -shared -fPIC -Wl,-soname,libseccomp.so.2 seccomp.c -o libseccomp.so.2 2>cc.txt &&
	${CC:-cc} -O1 -D_GNU_SOURCE $flags -I"$top_srcdir/libranges/include" "$top_srcdir/tests/capture/guest.c" \
		-o linked -Wl,--no-as-needed ./libseccomp.so.2 -Wl,-rpath,"$temp" -lpthread -ldl 2>>cc.txt && linked=yes
mv guest plain-guest
if [ $linked = yes ]; then
	cp linked guest
else
	: "${sanitized:=libseccomp cannot be stood in for}"
fi
options=
in_place filter-all "libseccomp: a filter for all threads after the first event" "$sanitized"
if [ -n "$sanitized" ]; then
	skip "and a line says that there is no thread" "$sanitized"
	skip "RANGES_THREAD=on is obeyed" "$sanitized"
else
	grep -q 'linked with libseccomp: recorded without a libranges thread' err.txt
	ok $? "and a line says that there is no thread"
	is "$(RANGES_THREAD=on "$ranges" run -f -o guest.bin -- ./guest threads 2>&1 | sed -n 's/^Threads:[[:space:]]*//p')" 2 \
		"RANGES_THREAD=on is obeyed"
fi

# CUDA's runtime is linked statically by default. Only an error's name in the program shows this.
# runtime_in WHERE ARGUMENT…: a program that contains the name has a thread of ours, which CUDA
# needs.
runtime_in()
{
	where=$1
	shift
	rm -f guest
	# shellcheck disable=SC2086
	${CC:-cc} -O1 -D_GNU_SOURCE $flags -I"$top_srcdir/libranges/include" "$top_srcdir/tests/capture/guest.c" \
		-o guest -Wl,--no-as-needed ./libseccomp.so.2 "$@" -Wl,-rpath,"$temp" -lpthread -ldl 2>>cc.txt
	is "$("$ranges" run -f -o guest.bin -- ./guest threads 2>err.txt | sed -n 's/^Threads:[[:space:]]*//p'):$(grep -c 'linked with libseccomp' err.txt)" \
		2:0 "libseccomp, and CUDA's runtime in the $where: there is a thread of ours"
}
if [ -n "$sanitized" ]; then
	skip "libseccomp, and CUDA's runtime in the program" "$sanitized"
	skip "libseccomp, and CUDA's runtime in a library" "$sanitized"
else
	printf 'const char runtime_text[] __attribute__((used)) = "cudaErrorInsufficientDriver";\n' >runtime.c
	# shellcheck disable=SC2086
	${CC:-cc} $flags -shared -fPIC runtime.c -o libkernels.so 2>>cc.txt
	runtime_in program runtime.c
	runtime_in library ./libkernels.so
fi
mv plain-guest guest
[ "${SANITIZERS:-no}" != no ] || sanitized=

# ---- A program that may not read the clock ----

options=
with ./guest clock
case $plain:$sanitized in
3:timeless:)
	is "$ours" "$plain" "a program that has forbidden itself the clock runs"
	grep -q PR_SET_TSC err.txt
	ok $? "and a line says that nothing is recorded"
	;;
*)
	skip "a program that has forbidden itself the clock runs" "it cannot here, or with sanitizers"
	skip "and a line says that nothing is recorded" "it cannot here, or with sanitizers"
	;;
esac

# ---- No thread at all ----

if [ -n "$sanitized" ]; then
	skip "--no-thread: the program has its own threads only" "$sanitized"
else
	options=--no-thread
	with ./guest threads
	is "$ours" "$plain" "--no-thread: the program has its own threads only"
fi
"$ranges" run -f -o guest.bin --no-thread -- ./guest memory 30 >out.txt 2>err.txt
are_counted "--no-thread: recorded and lost are all calls"
"$ranges" run -f -o guest.bin --no-thread --buffer 1M --on-full block -- ./guest memory 3 >out.txt 2>err.txt
are_counted "--no-thread, block: recorded are all calls"
is "$(grep -c ' 0 lost' err.txt)" 1 "--no-thread, block: nothing is lost"
rm -f exit.bin
case ${SANITIZERS:-no} in
no)
	RANGES_THREAD=off RANGES_OUTPUT=exit.bin RANGES_SPOOL_DIR=$temp/spool \
		NVTX_INJECTION64_PATH=$top_builddir/libranges/.libs/libranges.so ./guest threads >out.txt 2>err.txt
	is "$?:$("$analyzer" verify exit.bin 2>&1 | sed 's/[0-9]* chunks, //')" "3:exit.bin: sound, 2000 events" \
		"without a launcher the exit writes the log"
	;;
*) skip "without a launcher the exit writes the log" "a sanitizer must be loaded first" ;;
esac
is_empty "$(find spool -name '*.spool')" "and leaves no spool"

# ---- The first call of a program with threads ----

for options in "" --no-thread; do
	with ./guest files
	is "$ours" "$plain" "${options:-as ever}: the program's table of files does not grow"
done
options=

# ---- A daemon that lives longer than the launcher ----

rm -f go
mkdir daemons
RANGES_SPOOL_DIR=$temp/daemons
export RANGES_SPOOL_DIR
ours=$(RANGES_EXIT_MS=60000 "$ranges" run -f -o daemon.bin -- ./guest daemon 2>err.txt)
is "$?:$ours" "3:parent" "a daemon is started as without us"
: >go
# If a daemon's first event comes after the launcher's end, the run's folder is gone. The daemon
# then uses the user's folder, which stays for others.
left_over()
{
	find daemons -mindepth 1 ! -path "daemons/ranges-$(id -u)"
}
i=0
while [ $i -lt 3000 ] && [ -n "$(left_over)" ]; do
	i=$((i + 1))
	sleep 0.02
done
is_empty "$(left_over)" "its spool and the run's folder are gone when it has ended"
is "$("$analyzer" verify daemon*.bin 2>&1 | grep -c sound)" 2 "both logs are complete"
done_testing

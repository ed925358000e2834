#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs in places with little room: what they print and how they end is the same with us and without.

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

# with PROGRAM...: runs it without us and with us (and `options`); sets plain and ours to "code:output".
options=
with()
{
	plain=$("$@" 2>plain.err)
	plain=$?:$plain
	# shellcheck disable=SC2086 # options are words
	ours=$("$ranges" run -f -o guest.bin $options -- "$@" 2>err.txt)
	ours=$?:$ours
}

# fact KEY: of the log.
fact()
{
	"$analyzer" info guest.bin 2>/dev/null | sed -n "s/^$1 *//p" | tr -d '"'
}

# are_counted SENTENCE: recorded and lost are the calls that the program says it has made.
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
	with ./in-group ./guest memory 200
	is "$ours" "3:200 MiB" "a program in a memory cgroup ends as without us"
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
done_testing

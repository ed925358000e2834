# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# TAP for test scripts, and the two folders each of them needs. Source it: . "${0%/*}/../lib.sh"
#
# A script runs alone from any directory. It finds
#   $top_srcdir    the sources: from make check, else the folder above the script's
#   $top_builddir  where they were built: from make check, else the working directory or
#                  build/ or the sources, whichever was configured
#   $temp          an empty folder of its own, removed at the end (after `need_temp`)

# There are no colours and no pager on terminals, unless a test is about them. Tables are as wide as
# needed, with full names, as in a format for programs.
export NO_COLOR=1 PAGER=cat RANGES_WIDTH=0
export LC_ALL=C

test_dir=$(cd "$(dirname "$0")" && pwd)
while [ "$test_dir" != / ] && [ ! -f "$test_dir/lib.sh" ]; do
	test_dir=$(dirname "$test_dir")
done
if [ -z "${top_srcdir:-}" ]; then
	top_srcdir=$test_dir
	while [ "$top_srcdir" != / ] && [ ! -f "$top_srcdir/configure.ac" ]; do
		top_srcdir=$(dirname "$top_srcdir")
	done
fi
if [ -z "${top_builddir:-}" ]; then
	for top_builddir in "$PWD" "$top_srcdir/build" "$top_srcdir"; do
		[ ! -x "$top_builddir/config.status" ] || break
	done
fi

tap_count=0
tap_failed=0

# diag TEXT: prints remarks for people, one on each line.
diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# pass SENTENCE, fail SENTENCE, skip SENTENCE WHY: one test point.
pass()
{
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s\n' "$tap_count" "$*"
}

fail()
{
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_count" "$*"
}

skip()
{
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# ok STATUS SENTENCE: passes if the status is 0.
ok()
{
	tap_status=$1
	shift
	if [ "$tap_status" -eq 0 ]; then
		pass "$@"
	else
		fail "$@"
	fi
}

# is GOT WANTED SENTENCE: passes if the two texts are the same.
is()
{
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3"
		diag "wanted: $2"
		diag "got:    $1"
	fi
}

# is_empty TEXT SENTENCE: passes if TEXT, the list of faults, is empty; else shows it.
is_empty()
{
	if [ -z "$1" ]; then
		pass "$2"
	else
		fail "$2"
		diag "$1"
	fi
}

# skip_all WHY: skips the whole script.
skip_all()
{
	echo "1..0 # SKIP $*"
	exit 0
}

# done_testing: prints the plan and ends the script, with 1 if a point failed.
done_testing()
{
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ] || exit 1
	exit 0
}

need_temp()
{
	temp=$(mktemp -d)
	trap 'rm -rf "$temp"' EXIT
	trap 'exit 1' HUP INT TERM
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# The command lines give the results in tests/cli/: each NAME.sh there prints NAME.out and NAME.err,
# and exits with NAME.exit (absent: 0).
#
# usage: tests/commands/test-cli.sh [NAME...]; with UPDATE_GOLDEN=1 in the environment it writes what is printed
# into the three files instead. A case runs by `sh -u` in an empty folder with tests/cli/lib sourced
# before; the sentence in its second line is what it shows. Exit status 77 means that it cannot run
# here; the last line of its output says why.

# RANGES_TEST_CLI_WITHOUT: patterns, with | between, of cases to be left out.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
cases=$top_srcdir/tests/cli
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the logs, is missing"

mkdir "$temp/bin"
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${UNDER:-}" "$analyzer" >"$temp/bin/analyzer"
printf '#!/bin/sh\nexec python3 -S "%s" "$@"\n' "$top_srcdir/tests/tools/text-log.py" >"$temp/bin/text-log"
printf '#!/bin/sh\nexec python3 -S "%s" "$@"\n' "$top_srcdir/tests/tools/screen.py" >"$temp/bin/on-screen"
chmod +x "$temp/bin/analyzer" "$temp/bin/text-log" "$temp/bin/on-screen"

# is_left_out NAME
is_left_out()
{
	left=
	set -f
	IFS='|'
	for pattern in ${RANGES_TEST_CLI_WITHOUT:-}; do
		# shellcheck disable=SC2254 # it is a pattern
		case $1 in
		$pattern) left=yes ;;
		esac
	done
	set +f
	unset IFS
	[ -n "$left" ]
}

# run_case NAME: writes out, err, exit to $temp.
run_case()
{
	rm -rf "$temp/room"
	mkdir "$temp/room"
	printf '%s\n' 0 >"$temp/wanted.exit"
	(
		cd "$temp/room" || exit 99
		PATH=$temp/bin:$PATH
		# shellcheck disable=SC1090,SC1091 # the case is chosen at run time
		. "$cases/lib" && set -u && . "$cases/$1.sh"
	) >"$temp/out" 2>"$temp/err" </dev/null
	echo $? >"$temp/exit"
}

# is_same WHAT NAME: compares with the stored text. An absent file stands for an empty text, or exit
# 0.
is_same()
{
	wanted=$cases/$2.$1
	if [ ! -f "$wanted" ]; then
		wanted=$temp/wanted.$1
	fi
	if cmp -s "$wanted" "$temp/$1"; then
		return 0
	fi
	diag "$1 of $2 is not what tests/cli/$2.$1 says:"
	diag "$(diff -u "$wanted" "$temp/$1" | sed -e 1,2d -e 40q)"
	return 1
}

# store WHAT NAME: empty texts and exit status 0 need no file.
store()
{
	if cmp -s "$temp/wanted.$1" "$temp/$1"; then
		rm -f "$cases/$2.$1"
	else
		cp "$temp/$1" "$cases/$2.$1"
	fi
}

: >"$temp/wanted.out"
: >"$temp/wanted.err"
[ $# -gt 0 ] || set -- "$cases"/*.sh
for name in "$@"; do
	name=${name##*/}
	name=${name%.sh}
	! is_left_out "$name" || continue
	sentence=$(sed -n '2s/^# //p' "$cases/$name.sh")
	run_case "$name"
	if [ "$(cat "$temp/exit")" = 77 ]; then
		skip "$name: $sentence" "$(tail -n 1 "$temp/out")"
		continue
	fi
	if [ -n "${UPDATE_GOLDEN:-}" ]; then
		for what in out err exit; do
			store "$what" "$name"
		done
		continue
	fi
	same=0
	for what in out err exit; do
		is_same "$what" "$name" || same=1
	done
	ok "$same" "$name: $sentence"
done
done_testing

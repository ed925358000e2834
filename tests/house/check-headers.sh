#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone; the installed ones also compile in strict C and in C++. Every source
# file states its subject.

. "${0%/*}/../lib.sh"
need_temp
cd "$top_srcdir" || exit 1
: "${CC:=cc}" "${CXX:=c++}"
command -v "${CC%% *}" >/dev/null 2>&1 || skip_all "there is no C compiler"

warnings="-Wall -Wextra -Werror -fsyntax-only"
paths="-I $top_srcdir -I $top_srcdir/libranges/include -I $top_builddir"

# compiles LANGUAGE COMPILER FLAGS HEADER: includes the header twice in one file, so that its guard
# is tested as well.
compiles()
{
	printf '#include "%s"\n#include "%s"\n' "$4" "$4" >"$temp/alone.$1"
	# shellcheck disable=SC2086 # compilers and flags are meant to be split
	$2 $3 $warnings $paths "$temp/alone.$1" 2>"$temp/errors"
	ok $? "$4 compiles alone ($2 ${3%% *})"
	[ ! -s "$temp/errors" ] || diag "$(head -n 10 "$temp/errors")"
}

for header in $(find format libranges analyzer tests -name '*.h' | sort); do
	case $header in
	libranges/include/*)
		installed=${header#libranges/include/}
		compiles c "$CC" "-std=c99 -pedantic" "$installed"
		if command -v "${CXX%% *}" >/dev/null 2>&1; then
			compiles cc "$CXX" "-std=c++11 -pedantic" "$installed"
		else
			skip "$installed compiles alone in C++" "there is no C++ compiler"
		fi
		;;
	*)
		compiles c "$CC" "-std=gnu11 -D_GNU_SOURCE" "$header"
		;;
	esac
done

guards=$(find format libranges analyzer tests -name '*.h' -exec awk '
	FNR == 1 { seen = 0 }
	/^#ifndef/ && !seen { seen = 1; print $2 }
	FNR > 15 { nextfile }' {} +)
is_empty "$(printf '%s\n' "$guards" | sort | uniq -d)" "every header has a guard of its own"
is_empty "$(printf '%s\n' "$guards" | grep '^_')" "no guard begins with an underscore"
is_empty "$(find format libranges analyzer tests bench examples -name '*.[ch]' \
	-exec awk 'FNR == 2 { if ($0 !~ "^/[*]") { print FILENAME }; nextfile }' {} +)" \
	"every source file says its subject in its second line"
done_testing

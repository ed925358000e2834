#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone; the installed ones also compile in strict C and in C++. A header that
# its own source file includes before all else was compiled alone when the build made that file's
# object. Every source file states its subject.

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

# The headers that the build compiled alone: their own source includes them first, and has an object.
find format libranges analyzer tests -name '*.c' -exec awk '
	/^[ \t]*#/ {
		header = substr(FILENAME, 1, length(FILENAME) - 1) "h"
		if ($0 == "#include \"" header "\"") {
			print header
		}
		nextfile
	}' {} + | while read -r header; do
	object=$top_builddir/${header%.h}
	if [ -e "$object.lo" ] || [ -e "$object.o" ]; then
		echo "$header"
	fi
done | sort >"$temp/built"

find format libranges analyzer tests -name '*.h' ! -path 'libranges/include/*' | sort >"$temp/inner"
comm -23 "$temp/inner" "$temp/built" >"$temp/others"
for header in $(cat "$temp/others") $(find libranges/include -name '*.h' | sort); do
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
# Such a header is empty when it is included again.
# shellcheck disable=SC2046 # names
is_empty "$(awk '
	function finish() { if (depth > 0 || bad || guard == "") { print name } }
	FNR == 1 { if (NR > 1) { finish() }; name = FILENAME; directives = depth = bad = ended = 0; guard = "" }
	ended && /[^ \t]/ { bad = 1 }
	/^#/ { directives++ }
	directives == 0 && !/^[ \t]*(\/?[*]|$)/ { bad = 1 }
	/^#/ && directives == 1 { guard = $1 == "#ifndef" ? $2 : "" }
	/^#/ && directives == 2 && ($1 != "#define" || $2 != guard) { bad = 1 }
	/^# *if/ { depth++ }
	/^# *endif/ { ended = --depth == 0 }
	END { finish() }' $(comm -12 "$temp/inner" "$temp/built"))" \
	"the guard of each header that was not compiled twice holds all of it"
is_empty "$(find format libranges analyzer tests bench examples -name '*.[ch]' \
	-exec awk 'FNR == 2 { if ($0 !~ "^/[*]") { print FILENAME }; nextfile }' {} +)" \
	"every source file says its subject in its second line"
done_testing

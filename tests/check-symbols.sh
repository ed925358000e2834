#!/bin/sh
# SPDX-License-Identifier: MIT
# A symbol's name tells where it is defined: <layer>_<file>_<verb>, read from the objects by nm.

. "${0%/*}/lib.sh"
need_temp
command -v nm >/dev/null 2>&1 || skip_all "nm is missing"
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a sanitizer adds names of its own" ;;
esac
cd "$top_srcdir" || exit 1

# objects_of SOURCE: those built from it; automake may put a target's name before the file's.
objects_of()
{
	stem=$(basename "$1" .c)
	folder=$top_builddir/$(dirname "$1")
	for object in "$folder/.libs/$stem.o" "$folder/.libs/"*"-$stem.o" "$folder/$stem.o" \
		"$folder/"*"_la-$stem.o" "$folder/"*"r-$stem.o" "$folder/"*"s-$stem.o"; do
		if [ -f "$object" ]; then
			echo "$object"
			return
		fi
	done
}

# prefixes_of SOURCE: what its symbols may begin with, as alternatives of a regular expression. The
# files of one subject (reader.c, reader-scan.c) may share its first words.
prefixes_of()
{
	stem=$(basename "$1" .c | tr - _)
	case $1 in
	format/*) layer=rlog ;;
	libranges/*) layer=rcap ;;
	*) layer=ra ;;
	esac
	prefixes=
	while :; do
		prefixes="$prefixes${prefixes:+|}${layer}_$stem"
		case $stem in
		cmd_* | out_*) prefixes="$prefixes|$stem" ;;
		*_*) ;;
		*) break ;;
		esac
		case $stem in
		*_*) stem=${stem%_*} ;;
		*) break ;;
		esac
	done
	# What the files of a folder share may have a header and no file of its own.
	for header in "$(dirname "$1")"/*.h; do
		stem=$(basename "$header" .h)
		[ -f "${header%.h}.c" ] || prefixes="$prefixes|${layer}_$(echo "$stem" | tr - _)"
	done
	printf '%s' "$prefixes"
}

# Names that others prescribe: the injection entry points, our exported API, NVTX's own functions in
# the drop-in library, and main.
exceptions='main|ranges_[a-z0-9_]+|InitializeInjection.*|nvtx[A-Z].*'

objects=0
symbols=0
: >"$temp/bad"
: >"$temp/writable"
for source in $(find format libranges analyzer -name '*.c' | sort); do
	object=$(objects_of "$source")
	[ -n "$object" ] || continue
	objects=$((objects + 1))
	nm -g --defined-only "$object" | awk '{ print $NF }' >"$temp/symbols"
	symbols=$((symbols + $(wc -l <"$temp/symbols")))
	grep -vE "^(($(prefixes_of "$source"))(_[a-z0-9_]+)?|$exceptions)\$" "$temp/symbols" |
		sed "s|^|$source: |" >>"$temp/bad"
	case $source in
	format/*) nm "$object" | awk -v source="$source" '$2 ~ /^[bBCD]$/ {
		print source ": " $NF }' >>"$temp/writable" ;;
	esac
done
[ "$objects" -gt 0 ] || skip_all "nothing is built in $top_builddir"

is_empty "$(cat "$temp/bad")" "$symbols symbols of $objects objects are named <layer>_<file>_…"
is_empty "$(cat "$temp/writable")" "format/ has no variables that outlive a call"
done_testing

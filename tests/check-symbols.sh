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
# files of one subject (reader.c, reader-scan.c) may share its first words. What the folder says the
# file need not: compat/hta/streams.c has ra_hta_streams_…, its report-streams.c
# ra_report_hta_streams, reports/launch.c ra_report_launch.
prefixes_of()
{
	stem=$(basename "$1" .c | tr - _)
	case $1 in
	format/*) layer=rlog ;;
	libranges/*) layer=rcap ;;
	*) layer=ra ;;
	esac
	mode=${1#analyzer/compat/}
	mode=${mode%%/*}
	prefixes=$(shorter "$stem")
	case $1 in
	analyzer/compat/*/report-*) prefixes="$prefixes|$(shorter "report_${mode}_${stem#report_}")" ;;
	analyzer/compat/*) prefixes="$prefixes|$(shorter "${mode}_$stem")" ;;
	analyzer/reports/*) prefixes="$prefixes|$(shorter "report_$stem")" ;;
	esac
	printf '%s' "$prefixes$headers_alone"
}

# shorter STEM: the stem as a prefix of symbols, and what is left of it without its last words.
shorter()
{
	part=$1
	alternatives=
	while :; do
		alternatives="$alternatives${alternatives:+|}${layer}_$part"
		case $part in
		cmd_* | out_*) alternatives="$alternatives|$part" ;;
		esac
		case $part in
		*_*) part=${part%_*} ;;
		*) break ;;
		esac
	done
	printf '%s' "$alternatives"
}

# What several files share may have a header and no file of its own.
headers_alone=$(find format libranges analyzer -name '*.h' ! -path '*/include/*' | while read -r header; do
	[ -f "${header%.h}.c" ] || printf '|[a-z]+_%s' "$(basename "$header" .h | tr - _)"
done)

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

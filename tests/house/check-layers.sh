#!/bin/sh
# SPDX-License-Identifier: MIT
# The layers point one way. This test reads the #include lines of every source file and the symbols
# of the objects. tests/house/folders has the order of the folders.

. "${0%/*}/../lib.sh"
need_temp
cd "$top_srcdir" || exit 1

# Each line of includes.txt has a file, a tab, and a project header that it includes. A header
# without a folder is in the file's folder.
find format libranges analyzer -name '*.[ch]' | sort >"$temp/files"
# shellcheck disable=SC2046 # none of our file names has a space
awk '/^[ \t]*#[ \t]*include[ \t]*"/ {
	header = $0
	sub(/^[^"]*"/, "", header)
	sub(/".*/, "", header)
	folder = FILENAME
	sub(/[^\/]*$/, "", folder)
	if (header == "config.h" || header ~ /^cuda|^nvtx3\// || header ~ /^\.\.\//)
		next
	print FILENAME "\t" (header ~ /\// ? header : folder header)
}' $(cat "$temp/files") >"$temp/includes"

# none_matches SENTENCE AWK-CONDITION: $1 is the file, $2 what it includes.
none_matches()
{
	is_empty "$(awk -F '\t' "$2 { print \$1 \" includes \" \$2 }" "$temp/includes")" "$1"
}

pass "$(wc -l <"$temp/files") source files have $(wc -l <"$temp/includes") project includes"
none_matches "libranges/ does not know the reader" \
	"\$1 ~ /^libranges\\// && \$2 ~ /^format\\/read\\/reader/"
# A part of a log is a log.
none_matches "analyzer/ does not know the writer, but for analyzer/part" \
	"\$1 ~ /^analyzer\\// && \$1 !~ /^analyzer\\/part\\// && \$2 ~ /^format\\/write\\/writer/"
# To continue a log, the writer has to read it.
none_matches "the reader and the writer do not know each other, but for writer-resume.c" \
	"(\$1 ~ /^format\\/read\\/reader/ && \$2 ~ /^format\\/write\\/writer/) ||
	 (\$1 ~ /^format\\/write\\/writer/ && \$2 ~ /^format\\/read\\/reader/ && \$1 !~ /writer-resume/)"
none_matches "the installed headers include only each other" \
	"\$1 ~ /^libranges\\/include\\// && \$2 !~ /^ranges\\//"
# shellcheck disable=SC2046
is_empty "$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"\.\.?/' $(cat "$temp/files"))" \
	"project headers are named from the top, never by ../"
# shellcheck disable=SC2046
is_empty "$(grep -nE 'include[[:space:]]*<(pthread|threads|stdatomic|unistd)\.h>' \
	$(grep '^format/' "$temp/files" | grep -v '/writer\|/reader\|/emit'))" \
	"format/ uses no threads, and only reader, writer and emit touch files"

if ! command -v nm >/dev/null 2>&1 || ! command -v python3 >/dev/null 2>&1; then
	skip "a folder uses only what stands below it" "nm or python3 is missing"
	skip "no circle has more than three units" "nm or python3 is missing"
else
	python3 tests/house/graph.py "$top_builddir" tests/house/folders >"$temp/graph"
	diag "$(head -n 1 "$temp/graph"):" \
		"$(grep -c '^back' "$temp/graph") arrows back," \
		"$(grep -c '^circle' "$temp/graph") circles of more than three"
	is_empty "$(grep -E '^unlisted' "$temp/graph")" "every folder has its place in tests/house/folders"
	is_empty "$(awk '!/^#/ { print $1 "/README.md" }' tests/house/folders |
		while read -r page; do [ -f "$page" ] || echo "$page"; done)" \
		"every folder says in a README.md what it is"
	is_empty "$(awk '!/^#/ { print $1 }' tests/house/folders | while read -r folder; do
		[ "$(find "$folder" -maxdepth 1 -name '*.[ch]' | wc -l)" -le 25 ] ||
			tr '\n' ' ' <"$folder/README.md" | grep -qi 'more than 25 files' ||
			echo "$folder"
	done)" "a folder of more than 25 files says why in its README.md"
	is_empty "$(grep -E '^back' "$temp/graph")" \
		"a folder uses only what stands below it, by includes and by symbols"
	is_empty "$(grep -E '^circle' "$temp/graph")" \
		"no circle has more than three units"
fi
done_testing

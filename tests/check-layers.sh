#!/bin/sh
# SPDX-License-Identifier: MIT
# The layers point one way: reads the #include lines of every source file.

. "${0%/*}/lib.sh"
need_temp
cd "$top_srcdir" || exit 1

# The file, a tab, the included project header; a header without a folder is the file's neighbour.
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
none_matches "format/ includes nothing but format/" \
	"\$1 ~ /^format\\// && \$2 !~ /^format\\//"
none_matches "libranges/ includes nothing of analyzer/" \
	"\$1 ~ /^libranges\\// && \$2 ~ /^analyzer\\//"
none_matches "libranges/ does not know the reader" \
	"\$1 ~ /^libranges\\// && \$2 ~ /^format\\/reader/"
none_matches "analyzer/ includes nothing of libranges/" \
	"\$1 ~ /^analyzer\\// && \$2 ~ /^(libranges|ranges)\\//"
none_matches "analyzer/ does not know the writer" \
	"\$1 ~ /^analyzer\\// && \$2 ~ /^format\\/writer/"
# To continue a log the writer has to learn what is in it.
none_matches "the reader and the writer do not know each other, but for writer-resume.c" \
	"(\$1 ~ /^format\\/reader/ && \$2 ~ /^format\\/writer/) ||
	 (\$1 ~ /^format\\/writer/ && \$2 ~ /^format\\/reader/ && \$1 !~ /writer-resume/)"
none_matches "the installed headers include only each other" \
	"\$1 ~ /^libranges\\/include\\// && \$2 !~ /^ranges\\//"
none_matches "the model includes nothing of the analyzer but its own parts" \
	"\$1 ~ /^analyzer\\/(model|gpu|occupancy)[.]h\$/ && \$2 ~ /^analyzer\\// && \$2 !~ /^analyzer\\/(gpu|occupancy)[.]h\$/"
none_matches "outputs do not load files nor know the command line" \
	"\$1 ~ /^analyzer\\/out-/ && \$2 ~ /^analyzer\\/(load|cmd|main)/"
none_matches "hierarchy, link and metrics know neither outputs nor commands" \
	"\$1 ~ /^analyzer\\/(hierarchy|link|metric)/ && \$2 ~ /^analyzer\\/(out|cmd|main)/"
# shellcheck disable=SC2046
is_empty "$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"\.\.?/' $(cat "$temp/files"))" \
	"project headers are named from the top, never by ../"
# shellcheck disable=SC2046
is_empty "$(grep -nE 'include[[:space:]]*<(pthread|threads|stdatomic|unistd)\.h>' \
	$(grep '^format/' "$temp/files" | grep -v '/writer\|/reader\|/emit'))" \
	"format/ uses no threads, and only reader, writer and emit touch files"
done_testing

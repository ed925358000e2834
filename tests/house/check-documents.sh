#!/bin/sh
# SPDX-License-Identifier: MIT
# No line of a document has more than 100 columns, if it can be broken. Documents are README.md,
# NEWS, the pages of doc/, folders' README.md, and the hand-written parts of man pages.

. "${0%/*}/../lib.sh"
need_temp

# documents: prints the paths of the sources' documents, one on each line.
documents()
{
	cd "$top_srcdir" || exit 1
	printf '%s\n' README.md CONTRIBUTING.md NEWS
	for folder in analyzer bench contrib doc examples format libranges python tests tools; do
		if [ -d "$folder" ]; then
			find "$folder" -name '*.md' -o -path 'doc/*.[1-9]'
		fi
	done
}

# find_long NAME: prints the lines of standard input that are too long, each as "NAME:LINE". It
# leaves out lines that cannot be broken. In Markdown these are tables, headings, code, comments,
# targets of links, and lines of one word. In man pages these are generated parts, examples,
# requests, and the head of a paragraph. It counts characters, not bytes.
find_long()
{
	case $1 in
	*.[1-9]) kind="man" ;;
	*) kind="text" ;;
	esac
	LC_ALL=C tr -d '\200-\277' | LC_ALL=C awk -v name="$1" -v kind=$kind '
	kind == "man" && /^\.\\" (--|usage$|reports$|outputs$|variables$)/ { is_kept = 1 }
	kind == "man" && /^\.\\" \.$/ { is_kept = 0 }
	kind == "man" && /^\.(EX|nf)/ { is_kept = 1 }
	kind == "man" && /^\.(EE|fi)/ { is_kept = 0 }
	kind == "man" { is_head = was_tag; was_tag = /^\.T[PQ]/ }
	kind == "text" && /^ *```/ { is_kept = !is_kept }
	kind == "text" && /^[^ ]/ { is_list = /^([*+-]|[0-9]+\.) / }
	length($0) <= 100 || is_kept || is_head { next }
	kind == "man" && /^\.[^\\]/ { next }
	kind == "text" && (/^ *\||^#|^ *<|^\[[^]]*\]: / || (/^    / && !is_list)) { next }
	/^ *([*+-] +)?[^ ]+$/ { next }
	{ print name ":" NR }'
}

documents | sort >"$temp/documents"
while read -r document; do
	find_long "$document" <"$top_srcdir/$document"
done <"$temp/documents" >"$temp/long"
is_empty "$(cat "$temp/long")" "no document has a line of more than 100 columns that can be broken"
is "$(grep -cE '^(README\.md|NEWS|doc/analyzer\.1|doc/guide/read\.md|format/README\.md)$' "$temp/documents")" 5 \
	"all kinds of documents are looked at"

# The check itself.
words=$(printf 'word %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
long="$words longer"
# shellcheck disable=SC2016 # the quotes are Markdown's
is "$(printf '%s\n' "$long" "$words äöü" '```' "$long" '```' "| $long |" "    $long" "* $long" "    $long" "# $long" |
	find_long a.md)" "a.md:1
a.md:8
a.md:9" "a long paragraph and a long item are found; characters count, not bytes"
is "$(printf '%s\n' "$long" '.\" --names' "$long" '.\" .' ".BR $long" .TP "$long" "$long" .EX "$long" .EE |
	find_long a.1)" "a.1:1
a.1:8" "in a man page what is written by hand is found"
done_testing

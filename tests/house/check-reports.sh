#!/bin/sh
# SPDX-License-Identifier: MIT
# Each report of the program is in the index of doc/metrics.md, and in the section that the index
# names. The index has no other reports. Contents and links agree with the sections.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
text=$top_srcdir/doc/metrics.md
[ -x "$analyzer" ] || skip_all "the analyzer is not built"

# Rows of the index: NAME, then the sections of the four modes, each as x and a number. The quotes
# are Markdown's.
# shellcheck disable=SC2016
sed -n 's/^| `\([a-z_-]*\)` | \([][0-9]*\) *| *\([][0-9]*\) *| *\([][0-9]*\) *| *\([][0-9]*\) *|$/\1 x\2 x\3 x\4 x\5/p' \
	"$text" | tr -d '[]' >"$temp/index"
is "$(cut -d' ' -f1 "$temp/index")" "$(cut -d' ' -f1 "$temp/index" | sort -u)" \
	"the index of doc/metrics.md is in alphabetical order"

# reports_of MODE: prints the names of the mode's reports.
reports_of()
{
	"$analyzer" stats --list --compat="$1" | sed -n 's/^\([a-z][a-z_-]*\)   *[^ ].*/\1/p'
}

# Prints the body of one section.
section()
{
	awk -v start="## $1. " '/^## / { on = index($0, start) == 1 } on' "$text"
}

column=1
for mode in none tb hta torch; do
	column=$((column + 1))
	reports_of $mode >"$temp/names"
	awk -v c=$column '$c != "x" { print $1 " " substr($c, 2) }' "$temp/index" >"$temp/there"
	is "$(cut -d' ' -f1 "$temp/there")" "$(sort "$temp/names")" \
		"the index has the reports of --compat=$mode"
	wrong=
	while read -r name number; do
		section "$number" | grep -qF "\`$name\`" || wrong="$wrong $name: $number;"
	done <"$temp/there"
	is_empty "$wrong" "each of them stands in the section that the index names"
done
is "$(reports_of torch)" "$(reports_of torch-old)" "torch-old has the reports of torch"

# Contents and links: their numbers and anchors are those that GitHub makes from the headings.
sed -n 's/^## \([0-9]*\)\. .*/\1/p' "$text" >"$temp/sections"
sed -n '/^By subject/,/^Reports by name/p' "$text" | grep -o '\[[0-9]*\]' | tr -d '[]' | sort -n >"$temp/contents"
is_empty "$(diff "$temp/sections" "$temp/contents")" "the contents name each section once"
sed -n 's/^## \([0-9]*\)\. /\1 &/p' "$text" | sed 's/ ## / /' | tr '[:upper:]' '[:lower:]' |
	sed 's/[^a-z0-9_ -]//g; s/ /-/g; s/-/ /' >"$temp/anchors"
sed -n 's/^\[\([0-9]*\)\]: #/\1 /p' "$text" >"$temp/links"
is_empty "$(diff "$temp/anchors" "$temp/links")" "their links are the sections' headings"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# The analyzer's help, its man page and the completion for bash name the same commands and options.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
page=$top_srcdir/doc/analyzer.1
completion=$top_srcdir/doc/completion/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"

# The programs that completions ask.
PATH=$(cd "$top_builddir" && pwd)/analyzer:$(cd "$top_builddir" && pwd)/libranges:$PATH
export PATH

# Prints the page's section of one command, with plain hyphens.
section_of()
{
	sed 's/\\-/-/g' "$page" | awk -v start=".SS $1" '/^\.S[SH]/ { on = $0 == start } on'
}

# offers WORD...: prints bash's completions of the last word.
offers()
{
	(
		cd "$temp" || exit 1
		bash -c '. "$1"; shift
			COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
			"_$1"; printf "%s\n" "${COMPREPLY[@]}"' sh "$completion" "$@" 2>/dev/null | sort -u
	)
}

"$analyzer" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' >"$temp/commands"
is "$(sed -n 's/^\.SS \([a-z]*\)$/\1/p' "$page" | sort)" "$(sort "$temp/commands")" \
	"the man page has a section for each command"
while read -r command; do
	section_of "$command" >"$temp/section"
	for option in $("$analyzer" "$command" --options | cut -f 1); do
		grep -qe "$option\\>" "$temp/section"
		ok $? "the man page explains $command $option"
	done
done <"$temp/commands"

# Forms, options and reports in the page are those of the program's own help.
generator=$top_srcdir/tools/man-page
"$generator" "$analyzer" "$page" >"$temp/page"
is "$?$(diff "$page" "$temp/page" | head -n 20)" 0 "the man page is what make update-man writes"
awk '/^\.\\" --limit$/ { off = 1 } !off; /^\.\\" \.$/ { off = 0 }' "$page" >"$temp/less"
"$generator" "$analyzer" "$temp/less" >"$temp/page"
is "$?$(diff "$page" "$temp/page" | grep -c '^> \.\\" --limit')" \
	"0$(for command in stats sql search diff; do echo "$command"; done | wc -l)" \
	"an option without an entry gets one, at the end of its command's"
awk '{ print } /^\.SS merge$/ { print ".\\\" --nothing\n.\\\" ." }' "$page" >"$temp/more"
"$generator" "$analyzer" "$temp/more" >"$temp/page" 2>"$temp/said"
is "$? $(sed 's/.*more:[0-9]*: //' "$temp/said")" "1 merge has no option --nothing: remove its entry" \
	"an entry whose option is gone is named"
awk '{ print } /^\.SS merge$/ { print ".\\\" --output\n.\\\" ." }' "$page" >"$temp/twice"
"$generator" "$analyzer" "$temp/twice" >"$temp/page" 2>"$temp/said"
is "$? $(sed 's/.*twice:[0-9]*: //' "$temp/said")" "1 merge has a second entry for --output" "so is a second one"
sed '/^\.SS merge/,/^\.SS/{/^\.\\" --$/,/^\.\\" \.$/d}' "$page" >"$temp/endless"
"$generator" "$analyzer" "$temp/endless" >"$temp/page" 2>"$temp/said"
is "$? $(sed 's/.*endless:[0-9]*: //' "$temp/said")" "1 merge lacks the mark that ends its options" \
	"so is a command without an end of its options"

# The command accepts each value that completions offer.
while read -r command; do
	"$analyzer" "$command" --options | awk -F '\t' '$4 != "" && $3 != "KEY=VALUE" { n = split($4, words, " ")
		for (i = 1; i <= n; i++) print $1, words[i] }' | while read -r option word; do
		"$analyzer" "$command" "$option" "$word" none none 2>&1 | grep -e "^analyzer: $option: \"$word\"" | sed "s/^/$command: /"
	done
done <"$temp/commands" >"$temp/bad"
is_empty "$(cat "$temp/bad")" "each value that is offered is taken"

if command -v groff >/dev/null 2>&1; then
	for file in "$page" "$top_srcdir/doc/ranges-log.5"; do
		is_empty "$(groff -man -Tutf8 -ww -z "$file" 2>&1)" "groff has nothing to complain of in ${file##*/}"
	done
else
	skip "groff has nothing to complain of" "there is no groff"
fi

if command -v bash >/dev/null 2>&1; then
	: >"$temp/trace.bin"
	: >"$temp/other.txt"
	mkdir "$temp/folder"
	is "$(offers analyzer '' | grep -vxe folder -e trace.bin)" "$(sort "$temp/commands")" \
		"bash offers the commands"
	while read -r command; do
		is "$(offers analyzer "$command" --)" \
			"$({ "$analyzer" "$command" --options | cut -f 1; echo --help; echo --version; } | sort -u)" \
			"bash offers the options of $command"
	done <"$temp/commands"
	is "$(offers analyzer dump t)" trace.bin "bash offers logs"
	is "$(offers analyzer trace.bin --to '' | tr '\n' ' ')" "events events-csv folded folded-gpu page perfetto pftrace speedscope sqlite " "bash offers outputs"
	is "$(offers analyzer stats --group-by name,p | tr '\n' ' ')" "name,path name,payload " \
		"bash offers more words for a list"
	is "$(offers analyzer info --format '' | tr '\n' ' ')" "json text " "bash offers formats"
	ranges=$top_builddir/libranges/ranges
	if [ -x "$ranges" ]; then
		for command in run compare recover ctl top; do
			is "$(offers ranges "$command" --)" "$("$ranges" "$command" --options | cut -f 1 | sort)" \
				"bash offers the options of ranges $command"
		done
		is "$(offers ranges run --gpu-metrics power,cl)" power,clocks "bash offers the values of an option of ranges"
	fi
	is "$(offers ranges r | tr '\n' ' ')" "record recover run " "bash offers the commands of ranges"
else
	skip "bash completes" "there is no bash"
fi
done_testing

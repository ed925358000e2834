#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion for bash, zsh and fish offers what the program lists: commands, options, reports.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer
completion=$(cd "$top_srcdir" && pwd)/doc/completion
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
ranges=$(cd "$top_builddir" && pwd)/libranges/ranges
[ -x "$ranges" ] || skip_all "ranges is not built"
PATH=${analyzer%/*}:${ranges%/*}:$PATH
export PATH HOME="$temp"

"$analyzer" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | sort >"$temp/commands"
"$analyzer" diff --options | cut -f 1 >"$temp/options"
{ cat "$temp/options"; echo --help; echo --version; } | sort -u >"$temp/of-diff"
"$analyzer" stats --list | sed -n 's/^\([^ ][^ ]*\)   *[^ ].*/\1/p' | sort >"$temp/reports"

for command in run compare recover; do
	"$ranges" "$command" --options | cut -f 1 | sort >"$temp/of-$command"
done
{ cat "$temp/commands"; printf '%s\n' run record compare recover ctl top; } | sort >"$temp/of-ranges"

# with_fish LINE: prints fish's completions of its end.
with_fish()
{
	(cd "$temp" && fish --no-config -c "source $completion/analyzer.fish; source $completion/ranges.fish; complete -C '$1'" | cut -f 1 | sort -u)
}

# with_zsh WORD...: does the same for zsh, whose own functions print their arguments. A program that
# searches for leaks at its end can wait for ever there: zsh continues jobs by SIGCONT, which
# cancels the SIGSTOP of the sanitizer.
with_zsh()
{
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 zsh -f -c '
		_describe() { while [[ $1 == -* ]]; do [[ $1 != -t ]] || shift; shift; done
			print -l -- "${(@)${(P)argv[-1]}%%:*}" }
		_files() { }
		_command_names() { }
		compset() { }
		file=$1; shift
		words=("$@"); CURRENT=$#
		fpath=(${file:h} $fpath)
		source $file' zsh "$completion/_$1" "$@" | sort -u
}

# with_bash WORD...: does the same for bash.
with_bash()
{
	# shellcheck disable=SC2016 # bash expands it
	bash --norc -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _analyzer
		printf "%s\n" "${COMPREPLY[@]}"' "$completion/analyzer" "$@" | sort -u
}

if command -v bash >/dev/null 2>&1; then
	is "$(with_bash analyzer stats -r '')" "$({ cat "$temp/reports"; echo all; } | sort)" "bash offers the reports"
	is "$(with_bash analyzer stats -r gpu,thr)" "gpu,threads" "bash offers more reports for a list"
	is "$(with_bash analyzer diff --)" "$(cat "$temp/of-diff")" "bash offers the options of a command"
	is "$(with_bash analyzer stats --kernel-name '')" "$(printf '%s\n' base full mangled short)" "bash offers the values of an option"
	is "$(with_bash analyzer stats --attribute origin,s)" origin,sequence "bash offers more values for a list"
else
	skip "bash completes" "there is no bash"
fi
if command -v fish >/dev/null 2>&1; then
	is "$(with_fish 'analyzer ' | grep -xf "$temp/commands")" "$(cat "$temp/commands")" "fish offers the commands"
	is "$(with_fish 'analyzer diff --')" "$(cat "$temp/of-diff")" "fish offers the options of a command"
	is "$(with_fish 'analyzer stats -r ')" "$(cat "$temp/reports")" "fish offers the reports"
	is "$(with_fish 'analyzer stats -r gpu,thr')" "gpu,threads" "fish offers more reports for a list"
	is "$(with_fish 'ranges ' | grep -xf "$temp/of-ranges")" "$(cat "$temp/of-ranges")" "fish offers the commands of ranges, and of analyzer"
	for command in run compare recover; do
		is "$(with_fish "ranges $command --")" "$(cat "$temp/of-$command")" "fish offers the options of ranges $command"
	done
	is "$(with_fish 'ranges --')" "$(cat "$temp/of-run")" "fish offers them without the word run, too"
	is "$(with_fish 'ranges run -- ./app --')" "" "fish offers none of them for the program"
	is "$(with_fish 'ranges stats -r ')" "$(cat "$temp/reports")" "fish offers the reports of ranges stats"
else
	skip "fish completes" "there is no fish"
fi
if command -v zsh >/dev/null 2>&1; then
	is "$(with_zsh analyzer '' | grep -v -e '^$')" "$(cat "$temp/commands")" "zsh offers the commands"
	is "$(with_zsh analyzer diff --)" "$(cat "$temp/of-diff")" "zsh offers the options of a command"
	is "$(with_zsh analyzer stats -r '')" "$(cat "$temp/reports")" "zsh offers the reports"
	is "$(with_zsh ranges '')" "$(cat "$temp/of-ranges")" "zsh offers the commands of ranges, and of analyzer"
	for command in run compare recover; do
		is "$(with_zsh ranges "$command" --)" "$(cat "$temp/of-$command")" "zsh offers the options of ranges $command"
	done
	is "$(with_zsh ranges --)" "$(cat "$temp/of-run")" "zsh offers them without the word run, too"
	is "$(with_zsh ranges run -- ./app --)" "" "zsh offers none of them for the program"
	is "$(with_zsh ranges stats -r '')" "$(cat "$temp/reports")" "zsh offers the reports of ranges stats"
else
	skip "zsh completes" "there is no zsh"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion for bash, zsh and fish offers what the program lists: commands, options, reports.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer
completion=$(cd "$top_srcdir" && pwd)/doc/completion
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
PATH=${analyzer%/*}:$PATH
export PATH HOME="$temp"

"$analyzer" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | sort >"$temp/commands"
"$analyzer" diff --help | sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' >"$temp/options"
{ cat "$temp/options"; echo --help; echo --version; } | sort -u >"$temp/of-diff"
"$analyzer" stats --list | sed -n 's/^\([^ ][^ ]*\)   *[^ ].*/\1/p' | sort >"$temp/reports"

# with_fish LINE: what fish offers for its end.
with_fish()
{
	(cd "$temp" && fish --no-config -c "source $completion/analyzer.fish; complete -C '$1'" | cut -f 1 | sort -u)
}

# with_zsh WORD...: the same of zsh, whose own functions say what they were given. A program that looks for
# leaks at its end can wait for ever there: zsh continues jobs by SIGCONT, which takes back the SIGSTOP of the sanitizer.
with_zsh()
{
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 zsh -f -c '
		_describe() { while [[ $1 == -* ]]; do [[ $1 != -t ]] || shift; shift; done
			print -l -- "${(@)${(P)argv[-1]}%%:*}" }
		_files() { }
		compset() { }
		file=$1; shift
		words=("$@"); CURRENT=$#
		source $file' zsh "$completion/_analyzer" "$@" | sort -u
}

# with_bash WORD...: the same of bash.
with_bash()
{
	# shellcheck disable=SC2016 # bash expands it
	bash --norc -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _analyzer
		printf "%s\n" "${COMPREPLY[@]}"' "$completion/analyzer" "$@" | sort -u
}

if command -v bash >/dev/null 2>&1; then
	is "$(with_bash analyzer stats -r '')" "$({ cat "$temp/reports"; echo all; } | sort)" "bash offers the reports"
	is "$(with_bash analyzer stats -r gpu,thr)" "gpu,threads" "bash offers more reports for a list"
else
	skip "bash completes" "there is no bash"
fi
if command -v fish >/dev/null 2>&1; then
	is "$(with_fish 'analyzer ' | grep -xf "$temp/commands")" "$(cat "$temp/commands")" "fish offers the commands"
	is "$(with_fish 'analyzer diff --')" "$(cat "$temp/of-diff")" "fish offers the options of a command"
	is "$(with_fish 'analyzer stats -r ')" "$(cat "$temp/reports")" "fish offers the reports"
	is "$(with_fish 'analyzer stats -r gpu,thr')" "gpu,threads" "fish offers more reports for a list"
else
	skip "fish completes" "there is no fish"
fi
if command -v zsh >/dev/null 2>&1; then
	is "$(with_zsh analyzer '' | grep -v -e '^$')" "$(cat "$temp/commands")" "zsh offers the commands"
	is "$(with_zsh analyzer diff --)" "$(cat "$temp/of-diff")" "zsh offers the options of a command"
	is "$(with_zsh analyzer stats -r '')" "$(cat "$temp/reports")" "zsh offers the reports"
else
	skip "zsh completes" "there is no zsh"
fi
done_testing

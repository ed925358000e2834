#!/bin/sh
# SPDX-License-Identifier: MIT
# Options of the analyzer and of ranges that exclude each other are refused, by the rows of a table.
# Combinations without a row are accepted.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
ranges=$top_builddir/libranges/ranges
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
RANGES_SPOOL_DIR=$temp
export RANGES_SPOOL_DIR

# The words of a command, for a line of the test.
call()
{
	program=${1##*/}
	shift
	echo "$program $*"
}

# refuses LINE PROGRAM WORD...: the program ends with 2 and prints only LINE, before it looks for
# its inputs.
refuses()
{
	wanted=$1
	shift
	said=$("$@" 2>&1 >/dev/null </dev/null)
	is "$?:$said" "2:$wanted" "$(call "$@") is refused"
}

# takes PROGRAM WORD...: the program goes on, and finds that there is no such file.
takes()
{
	"$@" >/dev/null 2>"$temp/said" </dev/null
	is "$?:$(grep -c 'No such file' "$temp/said")" 3:1 "$(call "$@") is not"
}

# shellcheck disable=SC2016 # backquotes as they are printed
refuses 'analyzer: --steps needs --output: `analyzer stats` prints reports of steps; see analyzer --help' "$analyzer" analyze no --steps 3
refuses 'analyzer: --to needs --output; see analyzer --help' "$analyzer" analyze no --to page
refuses 'analyzer: --without-log needs --output; see analyzer --help' "$analyzer" analyze no --without-log
refuses 'analyzer: --width: not with --output: it shapes the summary, which -o does not write; see analyzer --help' \
	"$analyzer" analyze no -o x.html -w 80
takes "$analyzer" analyze no --width 80 --brief
refuses 'analyzer: --slices: not with --all; see analyzer dump --help' "$analyzer" dump no --all --slices
refuses 'analyzer: --slices: not with --by-time; see analyzer dump --help' "$analyzer" dump no --slices --by-time
takes "$analyzer" dump no --all --by-time
refuses 'analyzer: --align needs --timeline, which draws the timeline; see analyzer batch --help' \
	"$analyzer" batch no -o out --align step
refuses 'analyzer: --brief: not with --format csv: it is of tables for people; see analyzer stats --help' \
	"$analyzer" stats no --brief -f csv
refuses 'analyzer: --brief: not with --format json: it is of tables for people; see analyzer search --help' \
	"$analyzer" search no --format json --brief=4000
refuses 'analyzer: --brief: not with --format json: it is of text for people; see analyzer check --help' \
	"$analyzer" check no no -f json --brief
refuses 'analyzer: --brief: not with --json: it is of text for people; see analyzer info --help' "$analyzer" info no --brief --json
refuses 'analyzer: --brief: not with --by; see analyzer stats --help' "$analyzer" stats no --by rank --brief
refuses 'analyzer: --brief: not with --output; see analyzer diff --help' "$analyzer" diff no no --brief -o x.txt
takes "$analyzer" stats no --brief --format table
takes "$analyzer" stats no --format json -f table --brief
refuses "analyzer: --graph-capture: not with --compat hta, whose figures are other tools'; see analyzer stats --help" \
	"$analyzer" stats no --compat=hta --graph-capture no
takes "$analyzer" stats no --compat none --graph-capture no
refuses 'analyzer: --baseline: not with --compat tb; see analyzer diff --help' "$analyzer" diff no no --compat tb --baseline no
takes "$analyzer" diff no no --compat none --fail-on 5%

# An abbreviation stands for its option. If an option is given twice, the last value counts.
refuses 'analyzer: --slices: not with --all; see analyzer dump --help' "$analyzer" dump no --sl --al
refuses 'analyzer: --brief: not with --format csv: it is of tables for people; see analyzer stats --help' \
	"$analyzer" stats no -f table --brief -fcsv

if [ -x "$ranges" ]; then
	refuses 'ranges: recover: --delete needs --older; see "ranges recover --help"' "$ranges" recover --all --delete
	refuses 'ranges: ctl: --pid: not with --name; see "ranges ctl --help"' "$ranges" ctl stop --pid 4 --name x
	refuses 'ranges: ctl: --name: not with --all; see "ranges ctl --help"' "$ranges" ctl stop --all --name x
	refuses 'ranges: ctl: one --pid is enough; see "ranges ctl --help"' "$ranges" ctl stop --pid 4 --pid 5
	refuses 'ranges: compare: --force: not with --add; see "ranges compare --help"' "$ranges" compare -a -f -- x ::: y
fi

is "$("$analyzer" dump --options | cut -f 1,8 | tr '\t\n' '  ')" "--by-time  --slices not with --all, --by-time --all  --strict  " \
	"--options tells the rules"
done_testing

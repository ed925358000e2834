#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program twice, under nvtx-count and under `ranges run`, and compares the calls that each of
# them saw.
#
# usage: compare.sh [-t] [-k DIR] RANGES ANALYZER COMMAND [ARG...]
#   RANGES, ANALYZER	the two programs of a libranges build
#   -t		compare the totals of each thread too (only where work is dealt out to threads alike
#		in every run)
#   -k DIR	keep what was written (counts, traces, dumps, output of the program) in DIR
#
# environment: NVTX_COUNT_LIB	a built libnvtxcount.so; else it is built here with $CC (cc) and
#				the NVTX headers of $NVTX_INCLUDE (the folder above nvtx3/)
#
# COMMAND may begin with `env NAME=VALUE`. Each (kind, domain, name) has to have the same count on both
# sides; kinds are mark, push, pop, start, end, and pop and end go by domain only.
# stdout: a line per difference, then one line of result.
# Exit: 0 the same, 1 not the same, 2 usage or tools missing, 3 the program failed in one of the runs.

set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
keep=
with_threads=
tab=$(printf '\t')
usage='usage: compare.sh [-t] [-k DIR] RANGES ANALYZER COMMAND [ARG...]'

die()
{
	status=$1
	shift
	printf 'compare.sh: %s\n' "$*" >&2
	exit "$status"
}

#--------------------------------------------------------------------------------------------------
# events_of_dump: the only part that knows the format of `analyzer dump`. Reads a dump on stdin,
# writes a line `thread TAB kind TAB domain TAB name` for each event of the five kinds, names
# escaped as nvtx-count does (\\ \t \n \r); pop and end have an empty name, the default domain is
# empty.
#
# An event's line is `event STREAM ORDINAL TICKS OP key=value…`; texts are quoted, absent ones are empty.
events_of_dump()
{
	awk '
	function value(key,    at, rest, i, c, text)
	{
		at = index(" " $0, " " key "=")
		if (at == 0)
			return ""
		rest = substr($0, at + length(key) + 1)
		if (substr(rest, 1, 1) != "\"") {
			sub(/[ \t].*/, "", rest)
			return rest
		}
		text = ""
		for (i = 2; i <= length(rest); i++) {
			c = substr(rest, i, 1)
			if (c == "\"")
				break
			if (c == "\\") {
				c = substr(rest, ++i, 1)
				if (c == "\\" || c == "t" || c == "n" || c == "r")
					c = "\\" c
			}
			text = text c
		}
		return text
	}
	{
		kind = $5
		if ($1 != "event" || kind !~ /^(mark|push|pop|start|end)$/)
			next
		name = kind == "pop" || kind == "end" ? "" : value("name")
		printf "%s\t%s\t%s\t%s\n", $2, kind, value("domain"), name
	}'
}
#--------------------------------------------------------------------------------------------------

# sum_by FIRST LAST: adds up the last column of stdin by the columns FIRST to LAST.
sum_by()
{
	awk -F '\t' -v first="$1" -v last="$2" '
	{
		key = $first
		for (i = first + 1; i <= last; i++)
			key = key "\t" $i
		n[key] += $NF
	}
	END {
		for (key in n)
			printf "%s\t%d\n", key, n[key]
	}' | sort
}

# thread_totals: prints the five totals of each thread, sorted, from lines `thread kind domain name
# count`.
thread_totals()
{
	awk -F '\t' '
	{
		threads[$1] = 1
		n[$1, $2] += $NF
	}
	END {
		for (t in threads)
			printf "mark=%d push=%d pop=%d start=%d end=%d\n",
				n[t, "mark"], n[t, "push"], n[t, "pop"], n[t, "start"], n[t, "end"]
	}' | sort
}

# differences: joins the sorted files counted and captured, prints the keys whose counts differ.
differences()
{
	awk -F '\t' '
	{
		key = $1 "\t" $2 "\t" $3
		seen[key] = 1
		if (FILENAME ~ /counted$/)
			counted[key] = $NF
		else
			captured[key] = $NF
	}
	END {
		for (key in seen)
			if (counted[key] + 0 != captured[key] + 0)
				printf "%s\tcounted=%d\tcaptured=%d\n", key, counted[key], captured[key]
	}' "$1" "$2" | sort
}

build_counter()
{
	${CC:-cc} -std=c11 -O2 -shared -fPIC -fvisibility=hidden \
		${NVTX_INCLUDE:+-isystem "$NVTX_INCLUDE"} \
		"$here/nvtx-count.c" "$here/nvtx-count-table.c" -o "$1" -pthread -ldl \
		2>"$work/build.err" ||
		die 2 "cannot build nvtx-count (NVTX_INCLUDE?): $(tail -n 1 "$work/build.err")"
}

while getopts tk: option; do
	case $option in
	t) with_threads=yes ;;
	k) keep=$OPTARG ;;
	*) die 2 "$usage" ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 3 ] || die 2 "$usage"
ranges=$1
analyzer=$2
shift 2

if [ -n "$keep" ]; then
	mkdir -p "$keep"
	work=$(cd "$keep" && pwd)
	rm -f "$work"/count "$work"/count.* "$work"/trace*.bin
else
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
fi
counter=${NVTX_COUNT_LIB:-}
if [ -z "$counter" ]; then
	counter=$work/libnvtxcount.so
	build_counter "$counter"
fi

NVTX_COUNT_OUT=$work/count NVTX_INJECTION64_PATH=$counter "$@" >"$work/counted.out" 2>&1 ||
	die 3 "status $? under nvtx-count: $(tail -n 1 "$work/counted.out")"
"$ranges" run -o "$work/trace.bin" -- "$@" >"$work/captured.out" 2>&1 ||
	die 3 "status $? under ranges run: $(tail -n 1 "$work/captured.out")"
[ -f "$work/count" ] || die 3 'the program never called NVTX under nvtx-count'
[ -f "$work/trace.bin" ] || die 3 'ranges run wrote no trace'

# The root process and its children: nvtx-count writes count[.PID], ranges writes trace[.PID].bin.
# Thread numbers are made unique by the file they come from.
: >"$work/counted.all"
for file in "$work"/count.threads "$work"/count.*.threads; do
	[ ! -f "$file" ] || sed "s|^|${file##*/}:|" "$file" >>"$work/counted.all"
done
: >"$work/captured.all"
for file in "$work"/trace.bin "$work"/trace.*.bin; do
	[ -f "$file" ] || continue
	"$analyzer" dump "$file" >"$file.dump" || die 3 "status $? of analyzer dump"
	events_of_dump <"$file.dump" | sed "s|^|${file##*/}:|; s|\$|${tab}1|" | sum_by 1 4 \
		>>"$work/captured.all"
done
sum_by 2 4 <"$work/counted.all" >"$work/counted"
sum_by 2 4 <"$work/captured.all" >"$work/captured"
differences "$work/counted" "$work/captured" >"$work/differences"
if [ -n "$with_threads" ]; then
	thread_totals <"$work/counted.all" >"$work/counted.threads"
	thread_totals <"$work/captured.all" >"$work/captured.threads"
	diff "$work/counted.threads" "$work/captured.threads" |
		sed -n 's/^< /thread counted: /p; s/^> /thread captured: /p' >>"$work/differences"
fi

cat "$work/differences"
events=$(awk -F '\t' '{ n += $NF } END { printf "%d", n }' "$work/counted")
keys=$(wc -l <"$work/counted")
threads=$(cut -f 1 "$work/counted.all" | sort -u | wc -l)
if [ -s "$work/differences" ]; then
	printf 'different: events=%d keys=%d threads=%d\n' "$events" "$keys" "$threads"
	exit 1
fi
printf 'same: events=%d keys=%d threads=%d\n' "$events" "$keys" "$threads"

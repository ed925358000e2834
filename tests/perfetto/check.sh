#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the result of Perfetto's trace processor for one trace of CPU ranges.
#
# usage: check.sh TRACE.json[.gz] [DUMP.tsv]
#        check.sh -c TRACE...
#
# With -c only faults are reported. TRACE.faults has a line for each fault, with its name and count;
# TRACE.slices has a line for each slice: ts, dur, name. One engine, which takes a second to start,
# reads all traces.
#
# Each fact is a sentence on stdout; one that must not be so begins with "FAILED: ". With DUMP.tsv
# the slices that the engine holds on the rows of threads must be exactly the dump's lines, in any
# order: pid, tid, depth, start_ns, dur_ns, name, separated by tabs. start_ns counts from the ts zero of
# the trace; in a name \\ \t \n \r \xNN stand for these characters; a first line of column names is
# allowed. Perfetto shows a range with an empty name as "[No name]"; so the dump's are taken.
#
# Exit: 0 all as it must be, 1 something FAILED, 2 nothing could be checked (stderr says why),
# 77 there is no node or no engine (stdout says which).

set -eu
export LC_ALL=C

here=$(dirname "$0")
shown=5 # lines of detail after a sentence

counts=
if [ "${1:-}" = -c ]; then
	counts=yes
	shift
fi
if [ $# -lt 1 ] || { [ -z "$counts" ] && [ $# -gt 2 ]; }; then
	echo "usage: check.sh TRACE.json[.gz] [DUMP.tsv] | check.sh -c TRACE..." >&2
	exit 2
fi
trace=$1
dump=
[ -n "$counts" ] || dump=${2:-}
if [ -n "$dump" ] && [ ! -r "$dump" ]; then
	echo "check: cannot read $dump" >&2
	exit 2
fi
if [ -f "$trace" ] && [ ! -s "$trace" ]; then
	echo "FAILED: The trace has no bytes." # the engine would take it for an empty trace
	exit 1
fi
if ! command -v node >/dev/null 2>&1; then
	echo "SKIP: node is not installed"
	exit 77
fi

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 2' HUP INT TERM

failed=0

fact()
{
	printf '%s\n' "$*"
}

fail()
{
	failed=1
	printf 'FAILED: %s\n' "$*"
}

# Prints the rows of one query, which begin with the tag $1, without the tag.
rows_of()
{
	awk -F '\t' -v tag="$1" '$1 == tag { print substr($0, length(tag) + 2) }' "$temp/answers"
}

indent_first()
{
	awk -v shown="$shown" 'NR <= shown { print "    " $0 } END { if (NR > shown)
		print "    ... and " NR - shown " more" }'
}

# expect_none TAG SENTENCE_IF_NONE SENTENCE_IF_ANY: the query TAG must have no rows.
expect_none()
{
	rows_of "$1" >"$temp/rows"
	if [ -s "$temp/rows" ]; then
		fail "$3"
		indent_first <"$temp/rows"
	else
		fact "$2"
	fi
}

# The queries; the first column of each row is the tag of its query.
write_queries()
{
	cat >"$temp/checks.sql" <<'SQL'
create perfetto view thread_slices as
select s.*, p.pid, t.tid, p.name as process_name, t.name as thread_name
from slice s join thread_track tt on s.track_id = tt.id
	join thread t using (utid) left join process p using (upid);

select 'error', name || ': ' || value from stats
where severity in ('error', 'data_loss') and value > 0;

select 'log', name || ' at ' || coalesce(ts, 'no') || ' ns' from _trace_import_logs;

select 'flow', name || ': ' || value from stats where name glob 'flow_*' and value > 0;

select 'open', 'ts ' || ts || ', dur ' || dur || ': ' || coalesce(name, '') from slice
where dur < 0;

select distinct 'thread', 'pid ' || pid || ', tid ' || tid from thread_slices
where thread_name is null;

select distinct 'process', 'pid ' || pid from thread_slices where process_name is null;

-- Past its depth limit the engine starts again at depth 0, without any error.
select 'root', 'pid ' || pid || ', tid ' || tid || ', ts ' || ts || ': ' || name from (
	select *, max(ts + dur) over (partition by track_id order by ts, id
		rows between unbounded preceding and 1 preceding) as last_end
	from thread_slices where depth = 0
) where ts < last_end;

select 'homeless', 'track ' || coalesce(t.name, '') || ' (' || t.type || '): ' || count(*)
from slice s join track t on s.track_id = t.id
where t.type <> 'legacy_chrome_global_instants'
	and t.id not in (select id from thread_track) and t.id not in (select id from process_track)
group by t.id;

select 'sums', (select count(*) from thread_slices),
	(select count(distinct track_id) from thread_slices),
	(select coalesce(max(depth), 0) from thread_slices),
	(select count(*) from slice join process_track pt on track_id = pt.id),
	(select count(*) from flow);
SQL
	if [ -n "$dump" ]; then
		cat >>"$temp/checks.sql" <<'SQL'
select 'slice', pid, tid, depth, ts, dur, name from thread_slices;
SQL
	fi
}

# The engine's answers.
ask()
{
	write_queries
	node "$here/tp.mjs" "$trace" "$temp/checks.sql" >"$temp/answers" 2>"$temp/errors"
}

# count_faults TRACE...: leaves TRACE.faults and TRACE.slices of each.
count_faults()
{
	write_queries
	echo "select 'span', ts, dur, name from slice;" >>"$temp/checks.sql"
	status=0
	node "$here/tp.mjs" --each "$temp/checks.sql" "$@" 2>"$temp/errors" || status=$?
	for trace; do
		[ -f "$trace.tsv" ] || continue
		awk -F '\t' -v slices="$trace.slices" '
			BEGIN { printf "" >slices }
			/^span\t/ { print substr($0, 6) >slices; next }
			/^sums\t/ { read = 1; next }
			/^(error|flow)\t/ { split($2, part, ": "); n[part[1]] = part[2]; next }
			/^(open|thread|process|root|homeless)\t/ { n[$1]++ }
			END { for (name in n) print name, n[name]; if (!read) print "not loaded" }' "$trace.tsv" | sort >"$trace.faults"
		rm -f "$trace.tsv"
	done
	case $status in
	0)	;;
	2)	cat "$temp/errors" >&2 # a trace that did not load has this fault
		status=0
		;;
	77)	sed 's/^tp: /SKIP: /' "$temp/errors" ;;
	*)	cat "$temp/errors" >&2
		status=2
		;;
	esac
	return "$status"
}

say_sums()
{
	rows_of sums >"$temp/rows"
	IFS='	' read -r slices rows depth process_slices flows <"$temp/rows"
	fact "The engine holds $slices slices on $rows rows of threads, the deepest at depth $depth."
	fact "The engine holds $process_slices slices on rows of processes."
	fact "The engine holds $flows arrows."
}

check_import()
{
	expect_none error "The engine reports no import error." \
		"The engine reports import errors:"
	if [ -s "$temp/rows" ]; then
		rows_of log | indent_first
	fi
	expect_none flow "The engine lost no arrow." "The engine lost arrows:"
	expect_none open "No slice is open or negative." "Slices are open or negative:"
	expect_none thread "Each thread that owns slices has a name." \
		"Threads that own slices have no name:"
	expect_none process "Each process whose threads own slices has a name." \
		"Processes whose threads own slices have no name:"
	expect_none root "No two slices without a parent overlap on one row." \
		"Slices without a parent overlap on one row:"
	expect_none homeless "Each slice belongs to a thread or a process." \
		"Slices belong to no thread and no process:"
}

count_lines()
{
	awk 'END { print NR }' "$temp/$1"
}

compare_dump()
{
	rows_of slice | sort >"$temp/engine"
	awk -F '\t' -v OFS='\t' 'NR == 1 && $1 == "pid" { next }
		NF == 6 && $6 == "" { $6 = "[No name]" } { print }' "$dump" | sort >"$temp/dump"
	comm -23 "$temp/dump" "$temp/engine" >"$temp/dump-only"
	comm -13 "$temp/dump" "$temp/engine" >"$temp/engine-only"
	if [ ! -s "$temp/dump-only" ] && [ ! -s "$temp/engine-only" ]; then
		fact "The $(count_lines dump) ranges of the dump are exactly the engine's slices."
		return
	fi
	fail "The ranges of the dump are not the engine's slices (pid tid depth start_ns dur_ns name)."
	fact "Only in the dump: $(count_lines dump-only) lines"
	indent_first <"$temp/dump-only"
	fact "Only in the engine: $(count_lines engine-only) lines"
	indent_first <"$temp/engine-only"
}

if [ -n "$counts" ]; then
	count_faults "$@" || exit $?
	exit 0
fi
status=0
ask || status=$?
case $status in
0)	;;
2)	fail "The engine does not load the trace."
	indent_first <"$temp/errors"
	exit 1
	;;
77)	sed 's/^tp: /SKIP: /' "$temp/errors"
	exit 77
	;;
*)	cat "$temp/errors" >&2
	exit 2
	;;
esac
say_sums
check_import
if [ -n "$dump" ]; then
	compare_dump
fi
exit "$failed"

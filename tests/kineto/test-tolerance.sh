#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces with common faults: each fault is skipped and counted, and no other event is lost.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer

# ops LAST: events named op0 … opLAST, 5 µs each, one a line.
ops()
{
	i=0
	while [ "$i" -le "$1" ]; do
		echo "{\"ph\":\"X\",\"name\":\"op$i\",\"pid\":1,\"tid\":1,\"ts\":$((i * 10)),\"dur\":5},"
		i=$((i + 1))
	done
}

# put LINE: writes op0 … op4, the LINE and op5 … op9 as a trace.
put()
{
	ops 9 | sed -n '1,5p'
	printf '%s\n' "$1"
	ops 9 | sed -n '6,$p' | sed '$s/,$//'
}

trace()
{
	printf '{"traceEvents":[\n'
	put "$1"
	printf '],"displayTimeUnit":"ms"}\n'
}

# reads CALLS ODDITY FINDING SENTENCE: the trace has CALLS ranges. The footer has the ODDITY in
# JSON, verify has the FINDING, and the trace that is written again is JSON.
reads()
{
	"$analyzer" stats -r ranges -f csv "$temp/t.json" >"$temp/out" 2>"$temp/err"
	"$analyzer" stats -r ranges -f json "$temp/t.json" >"$temp/json" 2>/dev/null
	"$analyzer" verify "$temp/t.json" >"$temp/verify" 2>&1
	"$analyzer" "$temp/t.json" -o "$temp/again.json" >/dev/null 2>&1
	calls=$(awk -F , 'NR > 1 { sum += $(NF - 3) } END { print sum + 0 }' "$temp/out")
	if [ "$calls" -eq "$1" ] && grep -qF "$2" "$temp/json" && grep -qF "$3" "$temp/verify" &&
		{ ! command -v python3 >/dev/null 2>&1 || python3 -m json.tool "$temp/again.json" >/dev/null; }; then
		pass "$4"
	else
		fail "$4"
		diag "$calls calls: $(cat "$temp/err")"
		diag "$(cat "$temp/verify")"
		diag "$(grep -o '"complete".*' "$temp/json" | cut -c1-600)"
	fi
}

x='"ph":"X","pid":1,"tid":1,"ts":47,"dur":1'
trace "{\"name\":\"a$(printf '\001\t')b\",$x}," >"$temp/t.json"
reads 11 '"control_texts":1' 'control characters that are not escaped' "control characters in a name are read"
trace "{\"name\":\"a$(printf '\377\303')b\",$x}," >"$temp/t.json"
reads 11 '"not_utf8":1' 'a text is not in UTF-8' "and bytes that are no UTF-8"
trace "{\"name\":\"C:\\dir\\q\",$x}," >"$temp/t.json"
reads 11 '"literal_backslashes":2' 'a backslash begins no escape' "a backslash that begins no escape is one"
grep -qF 'C:\dir\q' "$temp/out"
ok $? "and the path is as it was meant"
trace "{\"name\":\"half\\ud83d\",$x}," >"$temp/t.json"
reads 11 '"repaired_surrogates":1' 'half of a surrogate pair' "half a surrogate pair is U+FFFD"
trace '{"ph":"X","name":"n","pid":1,"tid":1,"ts":+47,"dur":.5},' >"$temp/t.json"
reads 11 '"odd_numbers":2' 'a number is not written as in JSON' "odd numbers are read"
grep -q '^n,.*,500,' "$temp/out"
ok $? "as what they mean"
trace '{"ph":"X","name":"n","pid":"1","tid":"1","ts":"1726026120000123.456","dur":"2.5"},' >"$temp/t.json"
reads 11 '"text_times":2' 'the time is a text' "times that are texts are read"
"$analyzer" dump --slices "$temp/t.json" 2>/dev/null | grep -q 1726026120000123456
ok $? "to the nanosecond"
trace "{\"name\":\"n\",$x,\"args\":{\"x\":NaN,\"y\":-Infinity,}}," >"$temp/t.json"
reads 11 '"repaired_words":2,"repaired_commas":1' 'a word such as NaN' "so are NaN, and a comma too many"
trace "{\"name\":\"n\" $x}" >"$temp/t.json"
reads 11 '"repaired_commas":2' 'a comma too many or too few' "commas that are missing are none"

damage='this is not JSON: all up to the next event was left out'
trace "{\"name\":\"say \"hi\" now\",$x}," >"$temp/t.json"
reads 10 '"missing_rows":1' "$damage" "a quote within a name costs its event"
trace "{\"name\":\"n\",ttid\": 0,$x}," >"$temp/t.json"
reads 10 '"missing_rows":1' "$damage" "so does a broken key"
is "$(sed 's/^analyzer: [^ ]*: //' "$temp/err" | grep left)" \
	'offset 313: a key was expected: 1 event left out, 64 bytes in all; the rest is shown' \
	"which one line tells of"
grep -q 'read: 10 events, all of them in the reports; 1 more could not be read' "$temp/err"
ok $? "and the footer says what became of it"
"$analyzer" stats --strict -r ranges "$temp/t.json" >/dev/null 2>&1
is "$?" 4 "for --strict the trace is incomplete"
trace '{"ph":"X","name":"half",' >"$temp/t.json"
reads 10 '"missing_rows":1' "$damage" "half an event costs no other"
trace '{"ph":"X","args":{"list":[' >"$temp/t.json"
reads 10 '"missing_rows":1' "$damage" "even with brackets that are open"
trace '{"ph":"X","name":"half' >"$temp/t.json"
reads 10 '"missing_rows":1' "$damage" "or a text"
trace '}}]x' >"$temp/t.json"
reads 10 '"damaged_stretches":1' "$damage" "brackets too many cost none"
{
	trace "{\"name\":\"n\",$x}," | tr -d '\n'
	printf '['
	put "{\"name\":\"n\",$x},"
	printf ']'
} >"$temp/t.json"
reads 22 '"documents":1' 'another document begins' "documents may stand behind one another"
{
	printf '\357\273\277'
	trace "{\"name\":\"n\",$x},"
} >"$temp/t.json"
reads 11 '"complete":true' 'sound, a trace, 11 events' "and a byte order mark before them"
trace '{"ph":"X","name":"n","pid":1,"tid":1,"ts":null,"dur":1},' >"$temp/t.json"
reads 10 '"no_time":1' 'the event has no usable time' "an event without a time is in no report"
grep -q 'complete' "$temp/err"
is "$?" 1 "and then the footer does not say that all is complete"
grep -q 'read: 11 events, 10 of them in the reports, 1 without a usable time in none' "$temp/err"
ok $? "but what became of it"

# footer SENTENCE: the footer says it of the trace, and not that the trace is complete.
footer()
{
	"$analyzer" stats -r ranges -f csv "$temp/t.json" 2>&1 >/dev/null | grep '^analyzer: [rc][eo]' >"$temp/err"
	is "$(cat "$temp/err")" "analyzer: $1" "the footer says: $1"
}

trace '{"ph":"Q","name":"n","pid":1,"tid":1,"ts":47},{"name":"n","pid":1,"tid":1,"ts":47},' >"$temp/t.json"
footer "read: 12 events, 10 of them in the reports, 2 of an unknown kind in none"
trace '{"name":"n","pid":1},{"ph":"X","name":"n","pid":1,"tid":1,"dur":1},' >"$temp/t.json"
footer "read: 12 events, 10 of them in the reports, 1 without a usable time and 1 of an unknown kind in none"
trace '1,"a",null,[1],{},' >"$temp/t.json"
footer "read: 10 events, all of them in the reports; 5 entries that are not events were ignored"
trace '[],' >"$temp/t.json"
footer "read: 10 events, all of them in the reports; 1 entry that is not an event was ignored"
marker='{"kind":3,"operation":0,"thread_id":1,"start_timestamp":10,"end_timestamp":20}'
printf '{"rocprofiler-sdk-tool":[{"buffer_records":{"marker_api":[%s,5,%s,null]}}]}' "$marker" "$marker" >"$temp/t.json"
footer "read: 2 events, all of them in the reports; 2 entries that are not events were ignored"

trace '}' >"$temp/t.json"
footer "read: 10 events, all of them in the reports"
trace 'ph":"X","name":"n","ts":1},' >"$temp/t.json"
footer "read: 10 events, all of them in the reports; 1 more could not be read"

{
	printf '{"traceEvents":[\n'
	ops 4
	printf '{"ph":"X","name":"n","ts":'
} | tee "$temp/cut.json" >"$temp/t.json"
footer "read: 5 events, all of them in the reports; 1 more could not be read"
{
	printf '{"traceEvents":[\n'
	ops 4
} >"$temp/t.json"
footer "read: 5 events, all of them in the reports"
gzip <"$temp/cut.json" >"$temp/whole.gz"
head -c "$(($(wc -c <"$temp/whole.gz") - 4))" "$temp/whole.gz" >"$temp/t.json"
footer "read: 5 events, all of them in the reports; 1 more could not be read"

{
	printf '{"deviceProperties"{"id":0}],"traceEvents":[\n'
	put "{\"name\":\"n\",$x},"
	printf ']}'
} >"$temp/t.json"
reads 11 '"damaged_stretches":1' "$damage" "a bracket that is missing before the events costs none"
grep -q 'offset 19: a colon was expected: 0 events left out, 0 bytes in all; the rest is shown' "$temp/err"
ok $? "and one line tells of it though no byte is left out"

trace "{\"name\":\"n\",ttid\": 0,$x}," | gzip >"$temp/t.json.gz"
"$analyzer" stats -r ranges "$temp/t.json.gz" 2>&1 >/dev/null | grep -q 'left out.*offset of the unpacked text'
ok $? "of packed text it is said which offset is meant"
gunzip -c "$temp/t.json.gz" | "$analyzer" stats -r ranges -f csv - >"$temp/piped" 2>/dev/null
"$analyzer" stats -r ranges -f csv "$temp/t.json.gz" >"$temp/packed" 2>/dev/null
cmp "$temp/piped" "$temp/packed"
ok $? "a pipe gives the same"
done_testing

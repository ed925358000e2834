#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/format.md and the code agree on the numbers of chunks, events and causes, on keys, and on
# limits.

. "${0%/*}/../lib.sh"
need_temp
cd "$top_srcdir" || exit 1
spec=doc/format.md
wire=format/wire.h

# constants ENUM PREFIX: prints "number name" of each enumerator, with the name in the text's
# spelling.
constants()
{
	awk -v start="enum $1 {" -v prefix="$2" '
		$0 == start { inside = 1; next }
		/^}/ { inside = 0 }
		inside && $2 == "=" {
			name = $1
			sub("^" prefix, "", name)
			value = $3
			sub(/,.*/, "", value)
			if ($4 == "<<")
				value = 2 ^ ($5 + 0)
			print value, tolower(name)
		}' "$wire" | sort
}

# section N: prints the text from "## N." to the next heading of that level.
section()
{
	awk -v start="## $1." 'index($0, "## ") == 1 { inside = index($0, start) == 1 } inside' "$spec"
}

# rows [AWK-CONDITION]: prints "number name" of the table rows on stdin that begin with a number.
rows()
{
	awk -F '|' '$2 ~ /^ *[0-9]+ *$/ && $3 !~ /^ *$/ {
		name = tolower($3)
		gsub(/^ +| +$/, "", name)
		gsub(/ /, "_", name)
		print $2 + 0, name
	}' | sort
}

is "$(section 5 | awk '/^\| id \| type/ { on = 1 } /^$/ { on = 0 } on' | rows)" \
	"$(constants rlog_chunk_type RLOG_CHUNK_)" "chunk types have the same numbers in text and code"
is "$(section 3 | awk '/^\| flag/ { on = 1 } on' | rows)" \
	"$(constants rlog_flag RLOG_FLAG_ | grep -v 's_refused$' | grep -v rlog_flags)" \
	"flags have the same numbers in text and code"
is "$(section 5 | awk '/^\| kind/ { on = 1 } on' | rows)" \
	"$(constants rlog_def_kind RLOG_DEF_)" "kinds of definition have the same numbers in text and code"
is "$(section 6 | rows)" \
	"$(constants rlog_op RLOG_OP_)" "events have the same numbers in text and code"
is "$(section 8 | awk '/^\| oddity/ { exit } 1' | rows)" \
	"$(constants rlog_cause RLOG_CAUSE_)" "causes of loss have the same numbers in text and code"
# shellcheck disable=SC2016 # the back quotes are the text's
is "$(section 8 | awk '/^\| oddity/ { on = 1 } on' | rows)" \
	"$(constants rlog_oddity RLOG_ODDITY_ | sed 's/\([a-z_]*\)$/`odd_\1`/')" "oddities have the same numbers in text and code"
is "$(section 6 | sed -n 's/.*NVTX payload type: \([^|]*\)|.*/\1/p' | tr ',' '\n' |
	awk 'NF == 2 { print $1, $2 }' | sort)" \
	"$(constants rlog_payload_type RLOG_PAYLOAD_)" "payload types have the same numbers in text and code"

# The table of section 14, from which the analyzer's table is made. It is in the order of the
# numbers, because the analyzer searches it by number. The numbers are the slots of the capture's
# lists.
section 14 | awk -F '|' '$2 ~ /^ *0x/ { print $2 }' | grep -o '0x[0-9A-F]*' >"$temp/numbers"
is "$(sort -u "$temp/numbers")" "$(cat "$temp/numbers")" \
	"the $(wc -l <"$temp/numbers") numbers of NVTX's functions ascend"
# list_calls MODULE NUMBER: prints "0xNNNN nvtxName" of each call in one of the lists. The number of
# an extension is 0x1M.
list_calls()
{
	printf '#include "libranges/nvtx/nvtx-calls.h"\nRCAP_NVTX_%s_CALLS(ROW)\n' "$1" |
		${CC:-cc} -E -P -I. - | grep -o 'ROW([A-Z0-9_]*, [^"]*, "[^,]*' | tr -d '"() ' | awk -F , -v module="$2" '{
			count = split($2, parts, "+") # wide names: number + 1
			printf "0x%s%02X nvtx%s\n", module, parts[1] + (count > 1), $3
		}'
}

{
	list_calls CORE 01 && list_calls CUDA 02 && list_calls OPENCL 03 && list_calls CUDART 04
	list_calls CORE2 05 && list_calls SYNC 06
	list_calls MEM 11 && list_calls PAYLOAD 12 && list_calls COUNTERS 14
} | sort >"$temp/slots"
is_empty "$(section 14 | sed -n -e 's/^| \(0x[0-9A-F]*\) | \([A-Za-z0-9]*\) .*/\1 \2/p' \
	-e 's/^| \(0x[0-9A-F]*\), \(0x[0-9A-F]*\) | \(nvtx[A-Za-z0-9]*\)A, W .*/\1 \3A\n\2 \3W/p' |
	sort | comm -23 - "$temp/slots")" \
	"they and their names are among the $(wc -l <"$temp/slots") of the capture"

# number MACRO: prints its value in wire.h.
number()
{
	value=$(awk -v name="$1" '$1 == "#define" && $2 == name { $1 = $2 = ""; print }' "$wire" |
		sed 's,/\*.*,,; s/\([0-9]\)u/\1/g')
	eval "echo \$(($value))"
}

is "$(sed -n 's/^# The libranges log, format version //p' "$spec")" "$(number RLOG_FORMAT_VERSION)" \
	"the text is about the version that the code writes"
is "$(sed -n 's/^## 3\. Chunk header, \([0-9]*\) bytes$/\1/p' "$spec")" "$(number RLOG_HEADER_BYTES)" \
	"the header has the same size in text and code"
is "$(section 9 | sed -n 's/^\*\*Trailer\*\*, \([0-9]*\) bytes.*/\1/p')" "$(number RLOG_TRAILER_BYTES)" \
	"the trailer has the same size in text and code"
section 3 | grep -q "raw .*≤ $(number RLOG_MAX_RAW_BYTES) "
ok $? "the limit of a payload is the same in text and code"
grep -q "at most $(number RLOG_MAX_STRING_BYTES) bytes" "$spec"
ok $? "the limit of a string is the same in text and code"
grep -q "nesting ≤ $(number RLOG_MAX_NESTING)" "$spec"
ok $? "the limit of nesting is the same in text and code"

# Keys: every word in back quotes in the text.
# shellcheck disable=SC2016
tr -c '`a-z0-9_' '\n' <"$spec" | sed -n 's/^`\([a-z][a-z0-9_]*\)`$/\1/p' | sort -u >"$temp/words"
section 5 | sed -n '/^\*\*CAPTURE keys/,/^\*\*DEFS/p' | awk -F '|' 'NF > 3 { print $2 }' |
	tr -c 'a-z0-9_' '\n' | grep -v '^$' | grep -vx key | sort -u >"$temp/capture-keys"

# The facts that the capture writes: "key" in a call or a table of rlog_fact.
find libranges -name '*.c' -exec grep -hE 'fact|FACT' {} + |
	grep -oE '"[a-z][a-z0-9_]*"' | tr -d '"' | sort -u >"$temp/written"
if [ -s "$temp/written" ]; then
	is_empty "$(comm -23 "$temp/written" "$temp/words")" \
		"every key that libranges writes stands in the text ($(wc -l <"$temp/written"))"
else
	skip "every key that libranges writes stands in the text" "it writes none yet"
fi
# The keys and columns that format/ reads or writes. A word in a comment is none.
find format -name '*.c' -exec sed -E 's,/\*.*|//.*,,; /^[[:space:]]*\*( |$)/d' {} + |
	grep -oE '"[a-z][a-z0-9_]*"' | tr -d '"' | sort -u >"$temp/columns"
if [ -s "$temp/columns" ]; then
	is_empty "$(comm -23 "$temp/columns" "$temp/words")" \
		"every key that format/ handles stands in the text ($(wc -l <"$temp/columns"))"
else
	skip "every key that format/ handles stands in the text" "it handles none yet"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# NVTX's extensions: each call is in the log with its arguments, and no argument does harm.

. "${0%/*}/../lib.sh"
need_temp
command -v python3 >/dev/null 2>&1 || skip_all "python3, which reads the logs, is missing"
library=$top_builddir/libranges/.libs/libranges.so
[ -f "$library" ] || skip_all "libranges.so is not built"
# A library with a sanitizer can't be loaded into a program without one. Payloads are read wherever
# the program says, even where the sanitizer knows of no object: its check is off there.
sanitize=
case ${SANITIZERS:-no} in
no) ;;
*thread*) skip_all "the thread sanitizer does not bear addresses where nothing is" ;;
*)
	sanitize=-fsanitize=$SANITIZERS
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:replace_intrin=0
	export ASAN_OPTIONS
	;;
esac
mkdir "$temp/spool"
cd "$temp" || exit 1
unset RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID RANGES_DOMAINS
RANGES_SPOOL_DIR=$temp/spool
NVTX_INJECTION64_PATH=$library
export RANGES_SPOOL_DIR NVTX_INJECTION64_PATH
source=$top_srcdir/tests/nvtx

# build PROGRAM FLAG…: builds it from the source of its name.
build()
{
	program=$1
	shift
	# shellcheck disable=SC2086 # CC is a command with arguments
	${CC:-cc} -O1 -Wall -Wextra $sanitize "$@" -o "$program" -ldl -lpthread >build.txt 2>&1
}

# capture PROGRAM ARGUMENT…: runs it. out.txt is its output, log.bin its log.
capture()
{
	rm -f log*.bin
	RANGES_OUTPUT=log.bin "$@" >out.txt 2>err.txt
}

# told [WORD…]: prints the log as text.
told()
{
	python3 "$top_srcdir/tests/tools/read-log.py" "${log:-log.bin}" "$@"
}

# --- every call, with sensible arguments ---

build ./program -I"$top_srcdir/libranges/include" "$source/extensions.c"
is_empty "$(cat build.txt)" "a program that calls every function of the extensions compiles"
capture ./program
is "$?" 0 "it runs"
is "$(cat out.txt)" "$(sed -n 's/^out: //p' "$source/extensions.txt")" "it gets ids, depths and handles"
told | grep -v '^def-stream\|^def-types' >told.txt
sed -n '/^out: /!p' "$source/extensions.txt" >wanted.txt
is_empty "$(diff wanted.txt told.txt)" "the log has each call, with all its arguments, and each definition"
is "$(told def-types)" "$(printf 'def-types - id=0 name="" [28 4 1 1 1 1 2 2 2 2 4 4 4 4 8 8 8 8 8 8 8 8 1 1 1 1 2 2 2 2 4 4 4 4 8 8 8 8 4 4 8 8 16 16 8 8 8 8 4 4 1 1 2 2 4 4]')" \
	"it has what the compiler says of C's types"

if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
if [ ! -f "${CUDA_INCLUDE:-}/nvtx3/nvToolsExtMemCudaRt.h" ]; then
	skip "with NVIDIA's headers it is the same" "there are none"
else
	# This macro lacks a parenthesis in CUDA 13.0.
	build ./program -DNVIDIA -isystem "$CUDA_INCLUDE" \
		'-DNVTX_POINTER_AS_PAYLOAD_ULLVALUE(p)=((uint64_t)(uintptr_t)(p))' "$source/extensions.c"
	capture ./program
	told | grep -v '^def-stream\|^def-types' >told.txt
	is_empty "$(diff wanted.txt told.txt)" "with NVIDIA's headers it is the same"
fi

# --- domains that are left out ---

build ./program -I"$top_srcdir/libranges/include" "$source/extensions.c"
RANGES_DOMAINS=-lib capture ./program
is "$(told | grep -c ' lib ')" 0 "of a domain that is left out there is no event"
is "$(sed -n '1,3p;s/^handles.*/&/p' out.txt | paste -sd ' ')" \
	"schema 0 0 enum 0 same 1 enabled 0 push -2 handles 0 0" "the program sees no tool there"

# --- unknown calls and arguments ---

# slots MODULE: prints the number of calls in the list of an extension.
slots()
{
	printf '#include "libranges/nvtx/nvtx-calls.h"\nRCAP_NVTX_%s_CALLS(ROW)\n' "$1" |
		${CC:-cc} -E -P -I"$top_srcdir" - | grep -o 'ROW(' | wc -l
}

build ./program "$source/unknown-extension.c"
capture ./program
is "$(cat out.txt)" "payload: 1, $(slots PAYLOAD) slots
payload of NCCL: 1, $(slots PAYLOAD) slots
short payload: 1, 3 slots
no slots: 1, 0 slots
payload to come: 1, 1 slots
counters: 1, $(slots COUNTERS) slots
counters to come: 1, 0 slots
mem: 1, $(slots MEM) slots
mem of 2024: counted from 1
mem to come: 1, 0 slots
nobody's: 1, 0 slots
nothing: 1 1" "each version gets the functions whose arguments we know, and only into its slots"

# --- garbage ---

build ./wild -I"$top_srcdir/libranges/include" "$source/wild-payloads.c"
is_empty "$(cat build.txt)" "a program that passes garbage compiles"
for part in structs payloads schemas loops much; do
	for kind in '' forbidden; do
		capture ./wild $part $kind
		status=$?
		how="$part${kind:+, where the kernel does not read for us}"
		if [ $status -eq 77 ]; then
			skip "garbage does no harm: $how" "no seccomp"
			continue
		fi
		is "$status $(cat out.txt err.txt)" "0 alive" "garbage does no harm: $how"
		"$top_builddir/analyzer/analyzer" verify log.bin >verify.txt 2>&1
		ok $? "its log is sound"
		told odd >"odd$kind.txt"
		[ -s "odd$kind.txt" ]
		ok $? "it is counted"
	done
done
told mark >marks.txt
is "$(grep -c '^mark ' marks.txt)" 3 "events with more than is kept are there"
is "$(sed -n 1p marks.txt | grep -o 'a\{10,\}' | awk '{ print length($0) }')" 65536 \
	"64 KiB are kept of a payload"
is "$(sed -n 2p marks.txt | grep -o 'a\{10,\}' | awk '{ print length($0) }')" 4096 "4 KiB of a text"
sed -n 2p marks.txt | grep -q '"xxxx"'
ok $? "a text that ends with its page is kept up to there"
sed -n 3p marks.txt | grep -q '"xxxxxxxxxx"'
ok $? "so is a payload"
is "$("$top_builddir/analyzer/analyzer" info log.bin | sed -n 's/^odd_cut_payload *//p')" 2 \
	"the two of which a part is left out are counted, each once"
RANGES_PAYLOAD_MAX=100 capture ./wild much
is "$(told mark | sed -n 1p | grep -o 'a*' | awk 'length($0) > 50 { print length($0) }')" 100 \
	"RANGES_PAYLOAD_MAX sets the limit"

capture ./wild names
told call >calls.txt
is "$(wc -l <calls.txt) $(told def-object def-category | wc -l)" "9 0" "names that are none name nothing, and their calls are recorded"

# --- times ---

for clock in monotonic auto; do
	RANGES_CLOCK=$clock capture ./wild time
	"$top_builddir/analyzer/analyzer" log.bin -o time.json >/dev/null 2>&1
	python3 - <<-'PY' >order.txt 2>&1
		import json
		events = [e for e in json.load(open("time.json"))["traceEvents"] if "ts" in e]
		print(*dict.fromkeys(e["name"] for e in sorted(events, key=lambda e: e["ts"])))
	PY
	is "$(cat order.txt)" "before (no name) after" \
		"what nvtxTimestampGet returns is a time of the log, clock $clock"
done

# --- threads, fork ---

capture ./wild threads
is "$(paste -sd ' ' out.txt)" "doubles 0 alive" "eight threads that register at once get ids of their own"
is "$(told def-schema | wc -l) $(told mark | wc -l) $(told odd)" "800 800 " "none of it is lost"
capture ./wild fork
is "$(told mark sample)" 'mark lib [[4294967296 8 @ x@ @ "of the parent"\0]]' \
	"the parent's events are in its log"
for log in log.*.bin; do :; done
is "$(told def-schema def-counter | wc -l) $(told mark sample | paste -sd ' ')" \
	'2 mark lib [[4294967296 8 @ x@ @ "of the child"\0]] sample lib id=4294967297 value=5' \
	"a child that was forked has its parent's schemas and counters"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Senseless calls do no harm, and each is counted. Far too many calls take no more memory than
# allowed.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
abuse=$top_builddir/tests/capture/abuse
if ! [ -x "$ranges" ] || ! [ -x "$abuse" ] || ! [ -x "$analyzer" ]; then
	skip_all "the programs are not built"
fi
cd "$temp" || exit 1
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
# Another test checks what is not freed at the end. But the search for leaks must come to an end: it
# walks through all memory, including the spool's.
under=
many=1000000
[ "${SANITIZERS:-no}" = no ] || many=150000
# Some texts have no end on purpose. So a comparison must stop at the first difference.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}strict_string_checks=0
export ASAN_OPTIONS
[ -z "${UNDER:-}" ] || under="timeout 60 valgrind --quiet --read-inline-info=no --leak-check=full \
	--show-leak-kinds=none --errors-for-leak-kinds=none --error-exitcode=99"

# said KEY: prints the footer's count.
said()
{
	awk -F , -v key="$1" '$1 == key { n = $2 } END { print n + 0 }' footer.csv
}

# expected KEY: prints the count that the program has written down.
expected()
{
	awk -v key="$1" '$1 == key { print $2 }' expected.txt
}

# run MODE SENTENCE: the program succeeds, its calls are in the log, and the footer has the expected
# counts.
run()
{
	rm -f log.bin expected.txt
	# shellcheck disable=SC2086 # a command and its options
	"$ranges" run -q -o log.bin -- $under "$abuse" "$1" expected.txt $many 2>err.txt
	is "$?" 0 "$1: $2"
	[ ! -s err.txt ] || diag "$(head -n 20 err.txt)"
	"$analyzer" dump log.bin >dump.txt 2>/dev/null
	"$analyzer" stats log.bin --report footer --format csv >footer.csv 2>/dev/null
	calls=$(grep -cE '^event [0-9]+ [0-9]+ [0-9]+ (push|pop|start|end|mark)( |$)' dump.txt)
	is "$calls" "$(expected events)" "$1: every event is in the log"
	wanted=
	got=
	for key in bad_attributes bad_message bad_payload bad_pointer wild_handle no_handle \
		unmatched_pops unmatched_ends cut_names unknown; do
		count=$(expected $key)
		wanted="$wanted $key ${count:-0}"
		got="$got $key $(said $key)"
	done
	is "$got" "$wanted" "$1: the footer has each oddity"
}

# took LESS-THAN-KIB FILE-LESS-THAN-KIB: the program's peak memory and the log's size are below
# these.
took()
{
	if [ "${SANITIZERS:-no}" != no ] || [ -n "$under" ]; then
		return
	fi
	peak=$(expected peak_kib)
	[ "$peak" -lt "$1" ]
	ok $? "$mode: the program never took over $1 KiB, libranges included ($peak)"
	size=$(($(wc -c <log.bin) / 1024))
	[ "$size" -lt "$2" ]
	ok $? "$mode: the log takes less than $2 KiB ($size)"
}

run attributes "structs of every size, version and content harm nobody"
run null "NULL harms nobody"
run handles "wild handles harm nobody"
run unmatched "pops and ends without a begin harm nobody"
run text "texts at the end of a page, without one, of 100 MB and in no encoding harm nobody"
grep -qF 'name="\xff\xfe"' dump.txt
ok $? "text: bytes that are no UTF-8 arrive as they were"
run overwritten "texts may be overwritten after the call"
is "$(sed -n 's/.* mark .*name="\([^"]*\)".*/\1/p' dump.txt | sort | uniq -c | awk '$1 == 1' | wc -l)" 700 \
	"overwritten: all 700 names are what they were at the call"

if [ -n "$under" ]; then
	done_testing
fi
mode='names'
run names "a million names fit"
took 60000 4000
is "$(($(said intern_overflow) + $(grep -c ' mark name="a name' dump.txt)))" $many \
	"names: each is in the log or counted"
mode='strings'
run strings "a million registered strings fit"
took 90000 6000
mode='domains'
run domains "ten thousand domains fit"
took 40000 1000
mode='many-domains'
run many-domains "a hundred thousand domains harm nobody"
took 60000 4000
mode='depth'
run depth "ranges nest 100,000 deep"
took 40000 4000
"$analyzer" -o log.json log.bin 2>/dev/null
ok $? "depth: and can be analyzed"
mode='threads'
run threads "ten thousand threads, one after the other, fit"
is "$(grep -c '^def stream' dump.txt)" 10000 "threads: each has its place in the log"
took 40000 4000
mode='crowd'
run crowd "two thousand threads at once fit"
is "$(grep -c '^def stream' dump.txt)" 2000 "crowd: each has its place in the log"
took 150000 1500
mode='repeats'
run repeats "names given again and again cost nothing"
# A hash chooses the places that remember the last definitions (arena.c). The registered string's id
# is an address, so its place may be that of one of the four definitions. That one is then stored
# once more.
grep -E '^def (domain|category|thread_name)' dump.txt >defs.txt
is "$(sort -u defs.txt | wc -l):$([ "$(wc -l <defs.txt)" -gt 5 ] || echo once)" 4:once "repeats: and are stored once"
took 120000 9000

# With little memory: definitions without room are counted, and memory use stays small.
RANGES_BUFFER=1M
export RANGES_BUFFER
mode='little'
rm -f log.bin
"$ranges" run -q -o log.bin -- "$abuse" strings expected.txt $many
is $? 0 "little: a million strings and events do no harm to a buffer of 1 MiB"
took 60000 6000
"$analyzer" dump log.bin >dump.txt 2>/dev/null
"$analyzer" stats log.bin --report footer --format csv >footer.csv 2>/dev/null
lost=$(($(said ring_full) + $(said no_slot) + $(said unknown)))
[ $(($(grep -cE '^event [0-9]+ [0-9]+ [0-9]+ mark' dump.txt) + lost)) -ge $many ]
ok $? "little: each event is in the log or counted as lost ($lost)"
is "$(ls spool)" "" "no spool is left behind"
done_testing

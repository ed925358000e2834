#!/bin/sh
# SPDX-License-Identifier: MIT
# RANGES_NVTX_CHAIN: a second tool sees the same calls as alone, and our log is the same as without
# the tool.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
library=$top_builddir/libranges/.libs/libranges.so
calls=$top_builddir/tests/capture/chain-calls
for file in "$ranges" "$analyzer" "$calls"; do
	[ -x "$file" ] || skip_all "$file is not built"
done
cd "$temp" || exit 1
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_NVTX_CHAIN CHAIN_TOOL CHAIN_TOOL_OUT
for name in tool unit; do
	${CC:-cc} -shared -fPIC -I"$top_srcdir/libranges/include" "$top_srcdir/tests/capture/chain-$name"*.c \
		-o chain-$name.so -lpthread -ldl 2>cc.txt || skip_all "no shared library can be built: $(cat cc.txt)"
done
tool=$temp/chain-tool.so

# seen FILE: prints what the tool has written, without the number of its starts, which depends on
# the units. It also checks that nothing is destroyed that the tool did not make.
seen()
{
	grep -v ' entry \|[dD]estroy -' "$1" | sed 's/ *$//'
}

# logged FILE: prints the log's definitions and events without the parts that differ between runs:
# times, the values of handles, threads and their order.
logged()
{
	"$analyzer" dump "$1" | sed -nE '/^def (stream|thread_name)/d
		s/^(def registered_string) id=[0-9]+/\1/p
		s/^event [0-9]+ [0-9]+ [0-9]+ /event /p
		/^def registered_string/!{/^def/p}' | sed -E 's/ (id|handle)=[0-9]+//' | sort
}

# compare_set SENTENCE SET...: runs with the tool alone, with libranges alone, and with both.
compare_set()
{
	sentence=$1
	shift
	rm -f ./*.txt ./*.bin
	CHAIN_TOOL_OUT=alone.txt NVTX_INJECTION64_PATH=$tool "$calls" "$@" >alone.out
	"$ranges" run -q -o alone.bin -- "$calls" "$@" >ours.out 2>ours.err
	CHAIN_TOOL_OUT=both.txt RANGES_NVTX_CHAIN=$tool \
		"$ranges" run -q -o both.bin -- "$calls" "$@" >both.out 2>both.err
	is "$(seen both.txt)" "$(seen alone.txt)" "$sentence: the tool sees the same calls"
	is "$(logged both.bin)" "$(logged alone.bin)" "our log holds what it holds without the tool"
	is "$(cat both.out both.err)" "$(cat ours.out ours.err)" "and the program gets our results"
}

# ---- The same as alone ----

compare_set "every function" all
is "$(seen both.txt | cut -d ' ' -f 2 | sort -u | wc -l):$(grep -c 'WILD\|DEAD\|ended' both.txt)" 64:0 \
	"which are all 64 functions, with handles that it has given"
compare_set "ranges that end on other threads" threads
compare_set "several units" unit
is "$(grep -h ' entry ' alone.txt both.txt | tr '\n' ' ')" "2 entry   1 entry   " \
	"though it was started once for all of them"
CHAIN_TOOL=h
export CHAIN_TOOL
compare_set "half of the functions" all
CHAIN_TOOL=
if [ "${SANITIZERS:-no}" = no ]; then
	compare_set "a fork child" fork
else
	skip "a fork child: the tool sees the same calls" "gcc's AddressSanitizer hangs in children of threaded programs"
fi

# ---- Extensions ----

rm -f ./*.txt
CHAIN_TOOL_OUT=alone.txt NVTX_INJECTION64_PATH=$tool "$calls" payloads >alone.out
CHAIN_TOOL_OUT=both.txt RANGES_NVTX_CHAIN=$tool \
	"$ranges" run -f -o both.bin -- "$calls" payloads >both.out 2>both.err
is "$(seen both.txt)" "$(seen alone.txt | sed 's/\(8589934594:\)24 .*/\10/')" \
	"strings in payloads are the tool's; a payload where nobody knows where they are is empty"

# A tool that shows every call of core and extensions with its arguments. It also gives ids to
# objects that have one from the program; then the program's id is used.
all=$top_builddir/tests/capture/nvtx-all
if [ -x "$all" ] && ${CC:-cc} -shared -fPIC -I"$top_srcdir" "$top_srcdir/tests/nvtx/show-tool.c" -o show-tool.so 2>cc.txt; then
	SHOW_TOOL_OUT=alone.txt NVTX_INJECTION64_PATH=$temp/show-tool.so "$all"
	SHOW_TOOL_OUT=both.txt RANGES_NVTX_CHAIN=$temp/show-tool.so \
		"$ranges" run -q -f -o both.bin -- "$all" 2>both.err
	awk '/Register / && $NF > 1000 && match($0, /[ {](1677|1678)[0-9]+[ }]/) {
		print "s/\\<" $NF "\\>/" substr($0, RSTART + 1, RLENGTH - 2) "/g" }' alone.txt >ids.sed
	# The tool does not show the ids of time domains.
	printf '%s\n' 's/^\(TimerSource\|TimeSyncPoint\|TimestampConversionFactor\) \([0-9]*\) [0-9]*/\1 \2 T/' >>ids.sed
	sed -f ids.sed alone.txt >alone.ids
	sed -f ids.sed both.txt >both.ids
	is_empty "$(diff alone.ids both.ids; cat both.err)" \
		"each of 105 functions reaches a tool with its arguments"
else
	skip "each of 105 functions reaches a tool with its arguments" "it can't be built: $(cat cc.txt)"
fi

# ---- The ways to a chain ----

rm -f ./*.txt
CHAIN_TOOL_OUT=alone.txt NVTX_INJECTION64_PATH=$tool "$calls" all >alone.out
CHAIN_TOOL_OUT=both.txt NVTX_INJECTION64_PATH=$tool \
	"$ranges" run -f -o both.bin -- "$calls" all >both.out 2>both.err
is "$(seen both.txt):$(head -n 1 both.err)" \
	"$(seen alone.txt):ranges: NVTX_INJECTION64_PATH=$tool also gets all calls" \
	"the tool that NVTX was to load before is chained"
rm -f both.txt
CHAIN_TOOL_OUT=both.txt NVTX_INJECTION64_PATH=$library RANGES_NVTX_CHAIN=$tool \
	RANGES_OUTPUT=direct.bin "$calls" all >both.out
is "$(seen both.txt)" "$(seen alone.txt)" "without a launcher, too"

# ---- Not harmed ----

# chained ARGUMENTS...: runs the program with libranges and the tool.
chained()
{
	rm -f ./*.txt ./*.bin
	CHAIN_TOOL_OUT=both.txt RANGES_NVTX_CHAIN=${chain:-$tool} \
		"$ranges" run -o both.bin -- "$calls" "$@" >both.out 2>both.err
	status=$?
}

chained handlers
is "$(grep -c 'WILD\|ended' both.txt):$(grep 'in a handler' both.txt | sed 's/ $//')" \
	"0:300 pushA in a handler
300 startA started in a handler" "calls of signal handlers reach the tool"
is "$(awk '$2 == "end" { sum -= $1 } $2 == "startA" { sum += $1 } END { print sum }' both.txt)" 0 \
	"and each of their ranges ends"
chained wild
is "$status:$(grep -c 'WILD\|ended' both.txt)" 0:0 "wild handles and ids do not reach it"
is "$(grep -c 'markEx - huge size=48 ' both.txt)" 1 "nor does a size that no struct has"
CHAIN_TOOL=e
chained errno
is "$(head -n 1 both.out)" "errno changed 0 times" "a tool that changes errno does so for nobody"
CHAIN_TOOL=sn
chained all
is "$status:$(grep -c "of the tool" both.txt):$("$analyzer" dump both.bin | grep -c 'push.*of the tool')" 0:0:2 \
	"a tool that uses NVTX in its own start sees us in its place"
CHAIN_TOOL=u
chained all
is "$status:$(grep -c "slow to start" both.err):$(grep -c 'pushA outer' both.txt)" 0:1:1 \
	"and one that waits for a thread that does so is not waited for"
CHAIN_TOOL=

# ---- Tools that cannot be chained ----

# refused WHY SENTENCE: call it after chained.
refused()
{
	is "$status:$(sed "s|$temp/||; s/[0-9]* events/N events/; s/ ([0-9.]* kB)//" both.err)" "0:ranges: cannot chain $1
ranges: N events, 1 thread, 0 lost: both.bin" "$2"
	is "$("$analyzer" dump both.bin | sed -n "s|$temp/||; s/^capture notes=//p")" "\"cannot chain $1\"" \
		"the log says so, too"
}

chain=$temp/missing.so
chained all
refused "an NVTX tool: missing.so: cannot open shared object file: No such file or directory" \
	"a tool that is missing is told about"
printf 'garbage' >garbage.so
chain=$temp/garbage.so
chained all
refused "an NVTX tool: garbage.so: file too short" "a file that is no library, too"
chain=$temp/chain-unit.so
chained all
refused "the NVTX tool chain-unit.so: it has no InitializeInjectionNvtx2" "a library that is no tool"
chain=$tool
CHAIN_TOOL=r
chained all
refused "the NVTX tool chain-tool.so: it refused to start" "a tool that refuses"
is "$(cat both.txt)" "1 entry  " "and it gets no call then"
CHAIN_TOOL=
chain=$library
chained all
chain_text=$(sed -n 's|.*NVTX tool \(.*\): it|\1|p' both.err)
refused "the NVTX tool ${chain_text%% is*}: it is libranges itself" "libranges itself"
is "$(RANGES_LOG=error RANGES_NVTX_CHAIN=/missing.so "$ranges" run -f -o both.bin -- "$calls" all 2>&1 >/dev/null)" \
	"" "RANGES_LOG=error: nothing is said"

# ---- A real one ----

cupti=
for place in "${CUDA_HOME:-/usr/local/cuda}"/extras/CUPTI/lib64 "${CUDA_HOME:-/usr/local/cuda}"/lib64; do
	[ -z "$cupti" ] && [ -e "$place/libcupti.so" ] && cupti=$place/libcupti.so
done
if [ -z "$cupti" ]; then
	skip "CUPTI is chained, and the program not harmed" "no libcupti here"
elif [ "${SANITIZERS:-no}" != no ]; then
	skip "CUPTI is chained, and the program not harmed" "it was not built for sanitizers"
else
	chain=$cupti
	chained all threads fork
	is "$status:$(grep -c chain both.err)" 0:0 "CUPTI is chained, and the program not harmed"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Output for people fits 120 columns in a pipe, for each public trace, with names as short as on a
# terminal. RANGES_WIDTH and --width set another width; 0 means no limit.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which counts characters, is missing"
unset RANGES_WIDTH

# widest ARGUMENT...: prints the width of the widest line, and the bytes of the output.
widest()
{
	"$analyzer" "$@" 2>/dev/null | python3 -c '
import sys
text = sys.stdin.buffer.read()
print(max([len(line) for line in text.decode().split("\n")]), len(text))'
}

log=$top_srcdir/tests/data/format-1/plain.bin
name=long_$(printf '%0200d' 0)
cat >"$temp/long.json" <<END
{"traceEvents":[
{"ph":"X","cat":"kernel","name":"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> > > >(int)","pid":0,"tid":7,"ts":1,"dur":10,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"cpu_op","name":"$name","pid":1,"tid":1,"ts":1,"dur":10}]}
END
"$analyzer" stats -r kernels "$temp/long.json" >"$temp/said" 2>/dev/null
grep -q '^at::native::elementwise_kernel  ' "$temp/said"
ok $? "a kernel's name is short in a pipe"
RANGES_WIDTH=0 "$analyzer" stats -r kernels "$temp/long.json" 2>/dev/null | grep -q 'MulFunctor<float>'
ok $? "with RANGES_WIDTH=0 it is in full"
"$analyzer" stats -w 0 -r kernels "$temp/long.json" 2>/dev/null | grep -q 'MulFunctor<float>'
ok $? "and with --width 0"
"$analyzer" stats -r kernels -f csv "$temp/long.json" 2>/dev/null | grep -q 'MulFunctor<float>'
ok $? "and in csv, whatever the width"
is "$(RANGES_WIDTH=90 widest stats -r ranges "$temp/long.json" | awk '{ print ($1 <= 90) }')" 1 "RANGES_WIDTH=90 is 90 columns"
is "$(RANGES_WIDTH=wide widest stats -r ranges "$temp/long.json" | awk '{ print ($1 <= 120 && $1 > 90) }')" 1 \
	"what is no width is 120"
is "$(RANGES_WIDTH=wide "$analyzer" stats -r ranges,kernels "$temp/long.json" 2>&1 >/dev/null | grep WIDTH)" \
	"analyzer: RANGES_WIDTH=wide is not valid: expected columns, 0 (none) to 1000000; using 120" "which is said, once"
is "$(widest "$log" | awk '{ print ($1 <= 120) }')" 1 "the summary of a log fits"

# In a pipe bars, and threads that record next to nothing, are not shown; with --all they are.
python3 - "$temp/threads.json" <<'END'
import json, sys
rows = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": {"name": name}} for tid, name in ((1, "busy"), (2, "idle"))]
rows += [{"ph": "X", "cat": "cpu_op", "name": "work", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i in range(300)]
rows += [{"ph": "X", "cat": "cpu_op", "name": "rest", "pid": 1, "tid": 2, "ts": 0, "dur": 5}]
json.dump({"traceEvents": rows}, open(sys.argv[1], "w"))
END
is "$("$analyzer" "$temp/threads.json" 2>/dev/null | sed -n '/^Threads/,$p' | grep -c -e '^busy' -e '^idle' -e '^[.][.][.] and 1 more')" 2 \
	"a thread with next to no events is counted, not shown"
is "$("$analyzer" --all "$temp/threads.json" 2>/dev/null | sed -n '/^Threads/,$p' | grep -c -e '^busy' -e '^idle')" 2 "with --all it is"

[ -d "$traces" ] || { skip "public traces" "they are not here"; done_testing; }
# Run in the traces' folder, because the length of a path would otherwise count.
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer
cd "$traces" || exit 1
too_wide=
too_long=
count=0
for trace in *.json.gz; do
	for what in "" "stats -r advice" "stats -r kernels,ranges,gaps" "info"; do
		# shellcheck disable=SC2046,SC2086 # words of a command
		set -- $(widest $what "$trace")
		[ "$1" -le 120 ] || too_wide="$too_wide $what $trace: $1;"
		[ -n "$what" ] || [ "$2" -le 6000 ] || too_long="$too_long $trace: $2;"
		count=$((count + 1))
	done
done
is_empty "$too_wide" "no line of $count texts is wider than 120 columns"
is_empty "$too_long" "no summary is longer than 6 kB"
done_testing

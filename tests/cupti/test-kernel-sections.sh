#!/bin/sh
# SPDX-License-Identifier: MIT
# Sections inside of kernels (ranges/device.h): the log has the sections of the stand-in's kernels.
# The analyzer puts each inside of its kernel, nested, in the order of the code, and with its
# duration.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
prepare_cupti 24
# shellcheck disable=SC2086
${CC:-cc} $cupti_flags -I"$top_srcdir/libranges/include" -o "$temp/sections" "$cupti_source/sections.c" \
	"$temp/libcuda.so.1" -Wl,-rpath,"$temp" -lpthread -ldl 2>"$temp/errors"
is "$?:$(cat "$temp/errors")" 0: "the program with ranges/device.h builds"
program_path=$temp/sections
RANGES_CLOCK=monotonic
export RANGES_CLOCK

# sections MODE ARGUMENT…: runs the program, and compares the log with the expected one.
sections()
{
	FAKE_SECTIONS=$1
	export FAKE_SECTIONS
	shift
	run 24 "$@" || return 1
	"$analyzer" log.bin -o trace.json >/dev/null 2>&1 &&
		"$analyzer" stats --report kernel-sections --format json log.bin >report.json 2>>"$temp/errors" &&
		python3 "$cupti_source/sections.py" "$FAKE_SECTIONS" trace.json report.json "$@" <"$temp/out" 2>&1
}

for mode in exact coarse few unended alone; do
	seen=$(sections $mode 3 7 2)
	is "$?:$seen" "0:as it was" "sections, mode $mode"
done
FAKE_SECTIONS=wild run 24 2 65 60
status=$?
"$analyzer" log.bin -o trace.json >/dev/null 2>"$temp/errors" && "$analyzer" stats -r all log.bin >/dev/null 2>>"$temp/errors" &&
	"$analyzer" dump --slices log.bin >/dev/null 2>>"$temp/errors"
is "$status:$?:$(cat "$temp/errors"):$(grep -c "stream 7 block" trace.json | sed 's/^.*[0-9]$/rows/')" "0:0::rows" "a GPU that writes anything"
seen=$(sections exact 1 1 1)
is "$?:$seen" "0:as it was" "one block"
seen=$("$analyzer" stats --report kernel-sections log.bin | sed -n '/outer/p' | tr -s ' ')
ok "$([ -n "$seen" ]; echo $?)" "the table shows them: $seen"
seen=$("$analyzer" stats --report ranges --format csv log.bin | sed 1d | cut -d, -f1)
is "$seen" "(outside any range)" "a section is no range"
"$analyzer" verify log.bin >/dev/null 2>&1
is $? 0 "the log is sound"
"$temp/sections" 2 3 1 >"$temp/out" 2>"$temp/errors"
is "$?:$(cat "$temp/errors")" 0: "nobody records: nothing happens"

# 100,000 sections: the additional cost of each for the analyzer.
seen=$(sections exact 50 249 8)
is "$?:$seen" "0:as it was" "100,000 sections, mode exact"
cost=$(python3 "$cupti_source/sections.py" cost "$analyzer" log.bin)
diag "$cost"

# The real compiler accepts the header.
if command -v nvcc >/dev/null 2>&1; then
	nvcc -arch=sm_90 -Werror all-warnings -Xcompiler -Wall,-Wextra -I"$top_srcdir/libranges/include" -o solve \
		"$top_srcdir/examples/sections.cu" 2>errors
	is "$?:$(cat errors)" 0: "nvcc builds the example"
	nvcc -arch=sm_90 -ptx -I"$top_srcdir/libranges/include" -o solve.ptx "$top_srcdir/examples/sections.cu" 2>errors
	is "$?:$(grep -c '%globaltimer' solve.ptx):$(grep -c 'atom\.' solve.ptx):$(grep -c '\.local ' solve.ptx)" 0:6:0:0 \
		"its sections take timers, and no atomics or local memory"
	nvcc -arch=sm_90 -DRANGES_SECTIONS_OFF -ptx -I"$top_srcdir/libranges/include" -o solve.ptx \
		"$top_srcdir/examples/sections.cu" 2>errors
	is "$?:$(grep -c '%globaltimer' solve.ptx)" 0:0 "RANGES_SECTIONS_OFF leaves nothing of them"
else
	skip "nvcc builds the example" "there is no nvcc"
fi
done_testing

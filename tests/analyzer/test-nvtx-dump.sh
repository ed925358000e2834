#!/bin/sh
# SPDX-License-Identifier: MIT
# Each function of NVTX is captured with all its arguments. `analyzer dump` of
# tests/capture/nvtx-all, a group of functions at a time, prints the texts of tests/nvtx/dump/. The
# program is compiled with our headers, and with NVIDIA's if they are installed. With
# UPDATE_GOLDEN=1 in the environment the test writes these files instead.
. "${0%/*}/../lib.sh"
need_temp

golden=$top_srcdir/tests/nvtx/dump
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
ours=$top_builddir/tests/capture/nvtx-all
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
unset NVTX_INJECTION64_PATH RANGES_DOMAINS RANGES_NVTX_CHAIN

# dump PROGRAM GROUP: the log without parts that differ between runs (times, addresses, thread ids),
# and without the size of char8_t, which a C compiler may not know.
dump()
{
	"$ranges" run -f -o "$temp/log.bin" -- "$1" "$2" >/dev/null 2>"$temp/err" || cat "$temp/err"
	"$analyzer" dump "$temp/log.bin" | sed -E '/^(capture|clock|end) /d
		s/^(event [0-9]+ [0-9]+) [0-9]+ /\1 /
		s/\b(9[345][0-9]{12}|1(39|40)[0-9]{12})\b/ADDRESS/g
		s/[0-9A-F]{10}7[EF]0000/ADDRESS/g
		s/^(def type_table .*),[01],[01],2,2,4,4\]$/\1,CHAR8,CHAR8,2,2,4,4]/
		s/^(def stream id=1 tid=)[0-9]+ name=.*/\1TID/'
}

# compare PROGRAM WHOSE: one point for each group.
compare()
{
	for group in $("$ours" list); do
		dump "$1" "$group" >"$temp/$group"
		if [ -n "${UPDATE_GOLDEN:-}" ]; then
			cp "$temp/$group" "$golden/$group.txt"
		fi
		is_empty "$(diff "$golden/$group.txt" "$temp/$group" | cut -c 1-300)" \
			"$group: captured with all arguments, by $2 headers"
	done
}

compare "$ours" "our"
is "$(find "$golden" -name '*.txt' | wc -l)" "$("$ours" list | wc -l)" "each group has its text"
if [ -z "${CUDA_INCLUDE:-}" ] || ! [ -f "$CUDA_INCLUDE/nvtx3/nvToolsExtCounters.h" ]; then
	skip "the same by NVIDIA's headers" "no NVIDIA headers with extensions"
	done_testing
fi
# OpenCL's types, if its own header is missing.
mkdir -p "$temp/stub/CL"
for type in device_id context command_queue mem sampler program event; do
	echo "typedef struct _cl_$type *cl_$type;"
done >"$temp/stub/CL/cl.h"
sanitize=
[ "${SANITIZERS:-no}" = no ] || sanitize=-fsanitize=$SANITIZERS
# shellcheck disable=SC2086 # CC may have flags
${CC:-cc} $sanitize -x c -w -DNVIDIA_HEADER -DCL_TARGET_OPENCL_VERSION=300 -isystem "$CUDA_INCLUDE" \
	-idirafter "$temp/stub" "$top_srcdir"/tests/capture/nvtx-all*.c -o "$temp/theirs" -ldl
ok $? "the program compiles with NVIDIA's headers"
unset UPDATE_GOLDEN
compare "$temp/theirs" "NVIDIA's"
done_testing

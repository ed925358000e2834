#!/bin/sh
# SPDX-License-Identifier: MIT
# Our headers reach every function of NVTX, with all arguments, and start extensions as NVIDIA's do.
. "${0%/*}/../lib.sh"
need_temp
cd "$temp" || exit 1

CC=${CC:-cc}
CXX=${CXX:-c++}
include=$top_srcdir/libranges/include
source=$top_srcdir/tests/nvtx
program=$top_srcdir/tests/capture
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wundef -Wcast-qual -Werror'
unset NVTX_INJECTION64_PATH NVTX_INJECTION32_PATH

# built NAME COMPILER…: builds nvtx-all and prints what the compiler says.
built()
{
	name=$1
	shift
	"$@" "$program"/nvtx-all*.c -o "$name" -ldl 2>&1
}

# shellcheck disable=SC2086 # lists of flags
{
	is_empty "$(built all-c99 $CC -x c -std=c99 $warnings -I"$include")" \
		"all headers together compile as C99 without a warning"
	is_empty "$(built all-c11 $CC -x c -std=c11 $warnings -I"$include")" "and as C11"
	is_empty "$(built all-off $CC -x c -std=c99 $warnings -DNVTX_DISABLE -I"$include")" \
		"and with NVTX_DISABLE"
	if command -v "${CXX%% *}" > /dev/null 2>&1; then
		is_empty "$(built all-cxx $CXX -x c++ -std=c++11 $warnings -I"$include")" \
			"and as C++11"
	else
		skip "and as C++11" "there is no C++ compiler"
	fi
	$CC -shared -fPIC -I"$top_srcdir" "$source/show-tool.c" -o show-tool.so
	$CC -shared -fPIC "$source/ext-tool.c" -o ext-tool.so
	$CC -shared -fPIC "$source/count-tool.c" -o core-tool.so
	$CC -I"$include" "$source/enabled.c" -o enabled -ldl
}

# calls PROGRAM ARGUMENTS…: prints the calls that arrive at a tool.
calls()
{
	SHOW_TOOL_OUT=calls.txt NVTX_INJECTION64_PATH=$temp/show-tool.so "$@"
	echo "exit status $?"
	cat calls.txt
}

{
	echo 'exit status 0'
	cat "$source/all-calls.txt"
} > expected.txt
for name in all-c99 all-c11 all-cxx; do
	[ -x ./$name ] || continue
	./$name
	is $? 0 "$name runs without a tool"
	calls ./$name > got.txt
	is_empty "$(diff expected.txt got.txt)" "$name makes each call with its arguments"
done
rm calls.txt
: > calls.txt
is "$(calls ./all-off)" "exit status 0" "NVTX_DISABLE leaves no call"
is "$(./all-c11 list | sort | uniq -d | wc -l)" 0 "groups have names of their own"
calls ./all-c11 mem sync > got.txt
is "$(grep -c '^DomainCreateA' got.txt)" 2 "groups can be chosen by name"

# shellcheck disable=SC2086
for compiler in "$CC -x c -std=c99" "$CXX -x c++ -std=c++11"; do
	command -v "${compiler%% *}" > /dev/null 2>&1 || continue
	is_empty "$($compiler $warnings -I"$include" "$source/helper.c" -o helper -ldl 2>&1)" \
		"macros for schemas compile without a warning: ${compiler##* }"
	calls ./helper > got.txt
	is_empty "$(sed 1d got.txt | diff "$source/helper-calls.txt" -)" "they make what they say"
done
cat > sixteen.c << 'END'
#include <ranges/nvtx-payload-helper.h>
NVTX_DEFINE_STRUCT_WITH_SCHEMA(most, NVTX_PAYLOAD_ENTRIES(
	(int, a, TYPE_INT), (int, b, TYPE_INT), (int, c, TYPE_INT), (int, d, TYPE_INT),
	(int, e, TYPE_INT), (int, f, TYPE_INT), (int, g, TYPE_INT), (int, h, TYPE_INT),
	(int, i, TYPE_INT), (int, j, TYPE_INT), (int, k, TYPE_INT), (int, l, TYPE_INT),
	(int, m, TYPE_INT), (int, n, TYPE_INT), (int, o, TYPE_INT), (int, p, TYPE_INT)))
int main(void) { return mostAttr.numEntries == 16 && mostSchema[15].offset == 60 ? 0 : 1; }
END
# shellcheck disable=SC2086
$CC -I"$include" sixteen.c -o sixteen -ldl && ./sixteen
ok $? "there may be sixteen entries"

# Each function is in the list of calls.
# shellcheck disable=SC2086
$CC -E -P -I"$top_srcdir" "$source/show-tool.h" | grep -o ', "[^,]*, "' | tr -d ', "' |
	sort > functions.txt
sed 's/ .*//' "$source/all-calls.txt" | sort -u | comm -23 functions.txt - > missing.txt
[ "$(wc -l < functions.txt)" -ge 105 ]
ok $? "the tool knows 64 functions of the core, the others of extensions: $(wc -l < functions.txt) in all"
is_empty "$(cat missing.txt)" "the program calls each of them"

# ---- How extensions start ----

none='enabled 0 push -2 pop -2 start 0 schema 0 time 0 counter 0 heap 0 permissions 0'
deaf='enabled 1 push -2 pop -2 start 0 schema 0 time 0 counter 0 heap 0 permissions 0'
modules='core extension 2 extension 4 extension 1 '

# start_facts PROGRAM NAME: prints its output under each kind of tool.
start_facts()
{
	is "$($1)" "$none" "$2: without a tool all is as NVTX has it"
	is "$(NVTX_INJECTION64_PATH=$temp/core-tool.so $1)" "$deaf" \
		"$2: with a tool that knows no extensions a domain is enabled"
	is "$(EXT_TOOL=empty NVTX_INJECTION64_PATH=$temp/ext-tool.so $1 2> err)$(cat err)" \
		"$deaf$modules" "$2: with one that sets nothing as well; it is asked once for each"
	is "$(EXT_TOOL=refuse NVTX_INJECTION64_PATH=$temp/ext-tool.so $1 2> err)$(cat err)" \
		"$none$modules" "$2: with one that refuses it is not"
	is "$(EXT_TOOL=core NVTX_INJECTION64_PATH=$temp/ext-tool.so $1 2> err)$(cat err)" \
		"$deaf$modules" "$2: extensions do not mind that the core was refused"
	is "$(NVTX_INJECTION64_PATH=/nonexistent.so $1)" "$none" \
		"$2: a path that does not exist is no tool"
}
start_facts ./enabled "our headers"

# shellcheck disable=SC2086
$CC -pthread -DEXTENSION -I"$include" "$source/threads.c" -o threads -ldl
is "$(EXT_TOOL=slow NVTX_INJECTION64_PATH=$temp/ext-tool.so ./threads 2> err)$(cat err)" \
	"found 8core extension 2 " "threads that come while an extension starts wait for it"
cat > other.c << 'END'
#include <ranges/nvtx-payload.h>
int other(void);
int other(void) { return nvtxDomainIsEnabled(NULL); }
END
cat > units.c << 'END'
#include <ranges/nvtx-payload.h>
#include <stdio.h>
int other(void);
int main(void) { return printf("%d %d\n", nvtxDomainIsEnabled(NULL), other()) < 0; }
END
# shellcheck disable=SC2086
{
	$CC -shared -fPIC -I"$include" other.c -o libother.so -ldl
	$CC -I"$include" units.c ./libother.so -o units -ldl
}
is "$(EXT_TOOL=empty NVTX_INJECTION64_PATH=$temp/ext-tool.so ./units 2> err)$(cat err)" \
	"1 1core extension 2 core extension 2 " "each unit starts its extensions itself"

# Linked statically: each entry has a pointer of its own.
cat > pointers.c << 'END'
#include <stdint.h>
int InitializeInjectionNvtx2(const void *get_table);
int InitializeInjectionNvtxExtension(const uint16_t *info);
int (*InitializeInjectionNvtx2_fnptr)(const void *) = InitializeInjectionNvtx2;
#ifndef CORE_ALONE
int (*InitializeInjectionNvtxExtension_fnptr)(const uint16_t *) = InitializeInjectionNvtxExtension;
#endif
END
# shellcheck disable=SC2086
$CC -I"$include" "$source/enabled.c" "$source/ext-tool.c" pointers.c -o enabled-static -ldl
is "$(EXT_TOOL=empty ./enabled-static 2> err)$(cat err)" "$deaf$modules" \
	"a statically linked tool is found for extensions"
# shellcheck disable=SC2086
$CC -DCORE_ALONE -I"$include" "$source/enabled.c" "$source/ext-tool.c" pointers.c \
	-o enabled-core -ldl
is "$(EXT_TOOL=empty ./enabled-core 2> err)$(cat err)" "${none}core " \
	"one that has no pointer for extensions is none for them"

# ---- Against NVIDIA's headers ----

if [ -z "${CUDA_INCLUDE:-}" ] || ! [ -f "$CUDA_INCLUDE/nvtx3/nvToolsExtCounters.h" ]; then
	skip "NVIDIA's headers make the same calls" "no NVIDIA headers with extensions"
	done_testing
fi
# OpenCL's types, if its own header is missing.
mkdir -p stub/CL
cat > stub/CL/cl.h << 'END'
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_sampler *cl_sampler;
typedef struct _cl_program *cl_program;
typedef struct _cl_event *cl_event;
END
# shellcheck disable=SC2086
is_empty "$(built all-nvidia $CC -x c -w -DNVIDIA_HEADER -DCL_TARGET_OPENCL_VERSION=300 \
	-isystem "$CUDA_INCLUDE" -idirafter stub)" "the program compiles with NVIDIA's headers"
calls ./all-nvidia > got.txt
is_empty "$(diff expected.txt got.txt)" "NVIDIA's headers make the same calls"
# shellcheck disable=SC2086
$CC -w -DNVIDIA_HEADER -isystem "$CUDA_INCLUDE" "$source/helper.c" -o helper-nvidia -ldl
calls ./helper-nvidia > got.txt
is_empty "$(sed 1d got.txt | diff "$source/helper-calls.txt" -)" \
	"NVIDIA's macros for schemas make the same"
# shellcheck disable=SC2086
$CC -w -DNVIDIA_HEADER -isystem "$CUDA_INCLUDE" "$source/enabled.c" -o enabled-nvidia -ldl
start_facts ./enabled-nvidia "NVIDIA's headers"
done_testing

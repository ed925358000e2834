#!/bin/sh
# SPDX-License-Identifier: MIT
# ranges/nvtx.h compiles as C and C++ without a warning, makes the same calls as NVTX, and equals
# NVIDIA's header.
. "${0%/*}/../lib.sh"
need_temp
cd "$temp" || exit 1

CC=${CC:-cc}
CXX=${CXX:-c++}
include=$top_srcdir/libranges/include
source=$top_srcdir/tests/nvtx
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wundef -Wcast-qual -Werror'

# complaints COMMAND…: prints the compiler's messages; without a fault there are none.
complaints()
{
	"$@" 2>&1
}

# shellcheck disable=SC2086 # lists of flags
for compiler in "$CC" gcc clang; do
	command -v "${compiler%% *}" > /dev/null 2>&1 || continue
	for std in c99 c11; do
		is_empty "$(complaints $compiler -std=$std $warnings -Wstrict-prototypes \
			-Wmissing-prototypes -I"$include" "$source/calls.c" -o calls -ldl)" \
			"${compiler%% *} -std=$std takes the header without a warning"
	done
	is_empty "$(complaints $compiler -std=c11 $warnings -DNVTX_DISABLE -I"$include" \
		"$source/calls.c" -o calls-disabled -ldl)" "${compiler%% *} takes it with NVTX_DISABLE"
done
# shellcheck disable=SC2086
for compiler in "$CXX" g++ clang++; do
	command -v "${compiler%% *}" > /dev/null 2>&1 || continue
	for std in c++11 c++17; do
		is_empty "$(complaints $compiler -x c++ -std=$std $warnings -Wold-style-cast \
			-I"$include" "$source/calls.c" -o calls-cxx -ldl)" \
			"${compiler%% *} -std=$std takes the header without a warning"
	done
done

# shellcheck disable=SC2086
{
	$CC -shared -fPIC -O1 "$source/count-tool.c" -o tool.so
	$CC -O1 -DUNICODE -fsyntax-only -I"$include" -include ranges/nvtx.h -xc - << 'END'
int main(void) { nvtxRangePush(L"wide"); nvtxMark(L"wide"); return nvtxRangePop() > 0; }
END
} > build.txt 2>&1
is_empty "$(cat build.txt)" "with UNICODE the names without suffix take wide strings"

unset NVTX_INJECTION64_PATH NVTX_INJECTION32_PATH
none='push -2 -2 -2
pop -2 -2 -2
start 0 0 0
domains 0 0
strings 0 0
domain push -2 pop -2 start 0
resource 0'
all='push 0 1 2
pop 2 1 0
start 1 1 1
domains 1 1
strings 1 1
domain push 48 pop 0 start 1
resource 1'
counts='entries 1 bytes 12 core.1 1 core.2 2 core.3 1 core.4 1 core.5 2 core.6 1 core.7 2 core.8 1 core.9 2 core.10 1 core.11 4 core.12 1 core.13 1 core.14 1 core.15 1 core2.1 1 core2.2 1 core2.3 1 core2.4 1 core2.5 1 core2.6 1 core2.7 1 core2.8 1 core2.9 1 core2.10 1 core2.11 1 core2.12 1 core2.13 1 core2.14 1 core2.15 1'
for program in ./calls ./calls-cxx; do
	is "$($program)" "$none" "$program without a tool returns what NVTX returns"
	is "$(NVTX_INJECTION64_PATH=$temp/tool.so COUNT_TOOL_OUT=counts.txt $program)" "$all" \
		"$program gets the tool's results"
	is "$(paste -sd ' ' counts.txt)" "$counts" "$program reaches each of the 30 functions"
done
is "$(NVTX_INJECTION64_PATH=$temp/tool.so ./calls-disabled)" "$none" "NVTX_DISABLE calls nothing"
is "$(NVTX_INJECTION64_PATH=$temp/tool.so COUNT_TOOL_REFUSE=1 ./calls)" "$none" \
	"a tool that refuses is not called"
is "$(NVTX_INJECTION64_PATH=/nonexistent.so ./calls)" "$none" "a path that does not exist is no tool"
is "$(NVTX_INJECTION64_PATH=libc.so.6 ./calls)" "$none" "a library without the entry is no tool"
is "$(NVTX_INJECTION64_PATH='' ./calls)" "$none" "an empty path is no tool"

# shellcheck disable=SC2086
$CC -I"$include" "$source/calls.c" -Wl,--no-as-needed ./tool.so -ldl -o calls-linked
is "$(./calls-linked)" "$all" "a tool that the program is linked with is found"
# shellcheck disable=SC2086
{
	$CC -c -O1 -fvisibility=hidden "$source/count-tool.c" -o tool.o
	echo 'int InitializeInjectionNvtx2(const void *(*)(unsigned));
int (*InitializeInjectionNvtx2_fnptr)(const void *(*)(unsigned)) = InitializeInjectionNvtx2;' |
		$CC -xc -c - -o fnptr.o
	$CC -I"$include" "$source/calls.c" fnptr.o tool.o -ldl -o calls-static
}
is "$(./calls-static)" "$all" "a statically linked tool (fnptr) is found"

# shellcheck disable=SC2086
$CC -pthread -I"$include" "$source/threads.c" -ldl -o threads
is "$(NVTX_INJECTION64_PATH=$temp/tool.so COUNT_TOOL_SLOW=1 COUNT_TOOL_OUT=counts.txt ./threads)" \
	"found 8" "threads that come while the unit starts wait for the tool"
is "$(head -n 1 counts.txt)" "entries 1" "the tool is entered once per unit"

# Many source files, two languages, one unit: one table.
# shellcheck disable=SC2086
{
	printf '#include <ranges/nvtx.h>\nint other(void) { return nvtxRangePushA("other"); }\n' > other.c
	printf '#include <ranges/nvtx.h>\nextern "C" int other(void);\nint main() { nvtxRangePushA("main"); return other(); }\n' > main.cc
	$CC -c -I"$include" other.c && $CXX -I"$include" main.cc other.o -ldl -o two
}
NVTX_INJECTION64_PATH=$temp/tool.so COUNT_TOOL_OUT=counts.txt ./two
is "$? $(head -n 1 counts.txt)" "1 entries 1" "source files of one unit share one table"

# The Makefile that users copy.
cp -R "$top_srcdir/examples" plain
chmod -R u+w plain
is_empty "$(env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory -C plain CC="$CC" \
	RANGES_CFLAGS="-I$include" 2>&1)" \
	"examples/Makefile builds the example without a warning"
is "$(plain/steps)" "20 steps, 124 ranges pushed, 20 started, 4 marks" "and it runs"

# ---- Against NVIDIA's header; test-nvtx-abi.sh compares what they declare ----

nvidia_points='NVIDIA'\''s header first gives a clear #error
NVIDIA'\''s header makes the same calls'
if [ -z "${CUDA_INCLUDE:-}" ]; then
	echo "$nvidia_points" > points.txt
	while read -r point; do
		skip "$point" "no NVIDIA headers"
	done < points.txt
	done_testing
fi

printf '#include <nvtx3/nvToolsExt.h>\n#include <ranges/nvtx.h>\n' > both.c
# shellcheck disable=SC2086
$CC -c -I"$include" -isystem "$CUDA_INCLUDE" both.c > both.txt 2>&1
grep -q '#error.*nvToolsExt.h is included already' both.txt
ok $? "NVIDIA's header first gives a clear #error"

# shellcheck disable=SC2086
$CC -DNVIDIA_HEADER -isystem "$CUDA_INCLUDE" "$source/calls.c" -ldl -o calls-nvidia
is "$(NVTX_INJECTION64_PATH=$temp/tool.so COUNT_TOOL_OUT=counts.txt ./calls-nvidia)
$(paste -sd ' ' counts.txt)" "$all
$counts" "NVIDIA's header makes the same calls"
done_testing

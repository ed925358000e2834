#!/bin/sh
# SPDX-License-Identifier: MIT
# Our libnvToolsExt.so.1: programs linked with NVIDIA's library of that name start with ours.
# Without a capture they run silently and undisturbed; with one they are recorded.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
built=$top_builddir/libranges/.libs
source=$top_srcdir/tests/nvtx
CC=${CC:-cc}
[ -e "$built/libnvToolsExt.so.1" ] || skip_all "libnvToolsExt.so.1 is not built"
[ "${SANITIZERS:-no}" = no ] || skip_all "a sanitizer must be loaded first"
unset NVTX_INJECTION64_PATH LD_PRELOAD LD_LIBRARY_PATH
cd "$temp" || exit 1
mkdir spool lib lib/ranges
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
# Like an installation: the launcher's library, and below it a folder with the other library.
cp "$built/libranges.so" lib/libranges.so
cp "$built/libnvToolsExt.so.1" lib/ranges/libnvToolsExt.so.1
ln -s libnvToolsExt.so.1 lib/ranges/libnvToolsExt.so
RANGES_LIBRARY=$temp/lib/libranges.so
dropin=$temp/lib/ranges
link="-L$dropin -lnvToolsExt"

# run_captured NAME COMMAND…: runs it under the launcher, with the files of an installation. Writes
# NAME.bin and NAME.err.
run_captured()
{
	name=$1
	shift
	RANGES_LIBRARY=$RANGES_LIBRARY "$ranges" run -o "$name.bin" "$@" 2>"$name.err"
}

# slices NAME: prints depth and name of its ranges, one on each line.
slices()
{
	"$analyzer" dump --slices "$1.bin" 2>&1 | awk 'NR > 1 { print $3, $6 }'
}

# ---- What it is ----

if command -v readelf >/dev/null 2>&1 && command -v nm >/dev/null 2>&1; then
	is "$(readelf -dW "$dropin/libnvToolsExt.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" \
		"libnvToolsExt.so.1" "its name inside is that of the old library"
	nm -D --defined-only --with-symbol-versions "$dropin/libnvToolsExt.so" |
		awk '$3 ~ /^nvtx/ { print $3 }' | sort >exports
	is "$(grep -c '@@libnvToolsExt\.so\.1$' exports)" 64 \
		"it exports 64 functions under the old library's version"
	is "$(grep -v '@@libnvToolsExt\.so\.1$' exports)" "nvtxInitialize@@RANGES_1" \
		"and one that the old one had not, under a version of its own"
else
	skip "its name inside is that of the old library" "readelf or nm is missing"
fi

# ---- Every function ----

# shellcheck disable=SC2086 # compiler and flags are meant to be split
$CC "$source/v2.c" $link -o v2
is "$(LD_LIBRARY_PATH=$dropin ./v2 slots 2>&1)" "63 of 63 and nvtxGetExportTable" \
	"each function reaches its slot with its arguments"
is "$(LD_LIBRARY_PATH=$dropin ./v2 calls 2>&1)" "push -2 pop -2 start 0 domain 0" \
	"without a tool they return what NVTX returns, and nothing is said"
is "$(find . -name '*.bin')$(ls spool)" "" "and nothing is written"
run_captured calls -- ./v2 calls >calls.txt
is "$?:$(cat calls.txt)" "0:push 0 pop 0 start 1 domain 1" \
	"with a capture they answer"
is "$(sed 's/ranges: [0-9]*/ranges: N/; s/ (.*//' calls.err)" \
	"ranges: N events, 1 thread, 0 lost: calls.bin" "and are captured"

# ---- Programs of old ----

cat >old.c <<'PROGRAM'
extern int nvtxRangePushA(const char *name);
extern int nvtxRangePop(void);
int main(void)
{
	nvtxRangePushA("outer");
	nvtxRangePushA("inner");
	nvtxRangePop();
	return nvtxRangePop() > 0;
}
PROGRAM
both='0 outer
1 inner'
# A library with the old name, version and functions, like the one with which such a program was
# linked; and one without the version, to check that the version matters.
mkdir old plain own
{
	echo 'libnvToolsExt.so.1 { global:'
	sed 's/@.*/;/' exports
	echo 'local: *; };'
} >old.map
sed 's/@.*//; s/.*/int &(void) { return 77; }/' exports >stub.c
# shellcheck disable=SC2086
{
	$CC -shared -fPIC stub.c -Wl,-soname,libnvToolsExt.so.1 -Wl,--version-script=old.map \
		-o old/libnvToolsExt.so.1
	$CC -shared -fPIC stub.c -Wl,-soname,libnvToolsExt.so.1 -o plain/libnvToolsExt.so.1
	$CC old.c old/libnvToolsExt.so.1 -o old-program
	$CC old.c old/libnvToolsExt.so.1 -Wl,-rpath,"$temp/old" -o settled
}
LD_LIBRARY_PATH=$temp/plain ./old-program 2>&1 | grep -q 'no version information'
ok $? "an old program asks for the version"
LD_LIBRARY_PATH=$dropin ./old-program >out.txt 2>&1
is "$?:$(cat out.txt)" "0:" "and finds it here: it starts, silently"
./old-program 2>/dev/null
is $? 127 "without any such library it does not start"
run_captured found -- ./old-program
is "$?:$(slices found)" "0:$both" "but does under the launcher, which sees what is missing"
run_captured script -- sh -c ./old-program 2>/dev/null
is $? 127 "the launcher does not see it behind a script"
run_captured option --nvtx-v2 -- sh -c ./old-program
is "$?:$(slices option)" "0:$both" "--nvtx-v2 makes ours findable there, too"
LD_LIBRARY_PATH=/nowhere run_captured path -- ./old-program
is "$?:$(slices path)" "0:$both" "a search path that is set is kept and added to"
run_captured settled -- ./settled
is $? 1 "a program that has a library of that name keeps it"
# shellcheck disable=SC2016 # for the other shell
run_captured search -- sh -c 'echo "${LD_LIBRARY_PATH-unset}"' >search.txt
is "$(cat search.txt)" unset "a program that needs none finds its environment as it was"
rm -f preload.bin
NVTX_INJECTION64_PATH=$RANGES_LIBRARY RANGES_OUTPUT=inject.bin LD_LIBRARY_PATH=$dropin ./old-program
is "$(slices inject)" "$both" "it is captured by NVTX's variable"
LD_PRELOAD="$dropin/libnvToolsExt.so.1 $RANGES_LIBRARY" RANGES_OUTPUT=preload.bin ./old-program
is "$(slices preload)" "$both" "and with both libraries preloaded"

# ---- A library that needs it, and one that is loaded late ----

sed 's|main|task|' old.c >task.c
printf 'extern int task(void); int main(void) { return task(); }\n' >user.c
cat >late.c <<'PROGRAM'
#include <dlfcn.h>
#include <stdlib.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("libnvToolsExt.so.1", RTLD_NOW);
		int (*push)(const char *) = library ? dlsym(library, "nvtxRangePushA") : NULL;
		int (*pop)(void) = library ? dlsym(library, "nvtxRangePop") : NULL;

		if (!push || !pop) {
			return 9;
		}
		push("late");
		pop();
		dlclose(library);
	}
	return 0;
}
PROGRAM
# shellcheck disable=SC2086
{
	$CC -shared -fPIC task.c $link -o libtask.so
	$CC user.c -L. -ltask -Wl,-rpath,"$temp" -Wl,--allow-shlib-undefined -o user
	$CC -w late.c -ldl -o late
}
run_captured user -- ./user
is "$?:$(slices user)" "0:$both" "a library of the program may be the one that needs it"
run_captured late --nvtx-v2 -- ./late
is "$?:$(slices late | sort | uniq -c | sed 's/^ *//')" "0:3 0 late" \
	"a program may load it by itself, again and again"

# ---- Fortran ----

if command -v gfortran >/dev/null 2>&1; then
	# shellcheck disable=SC2086
	gfortran "$source/solver.f90" $link -o solver
	is "$(LD_LIBRARY_PATH=$dropin ./solver 2>&1)" "depth -2" "a Fortran program runs with it"
	run_captured solver -- ./solver >solver.txt
	is "$(cat solver.txt)" "depth 0" "under a capture its calls are answered"
	is "$(slices solver)" "0 solve
1 sweep
1 sweep
1 sweep" "and its ranges are in the log"
else
	skip "a Fortran program runs with it" "gfortran is missing"
fi

# NVIDIA's present library with the same purpose, if there is one.
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
interop=$(find "${CUDA_INCLUDE:-/nonexistent}/../lib64" "${CUDA_INCLUDE:-/nonexistent}/../lib" \
	-name 'libnvtx3interop.so.1' 2>/dev/null | head -n 1)
if [ -n "$interop" ]; then
	# shellcheck disable=SC2086
	$CC old.c "$interop" -Wl,-rpath,"$(dirname "$interop")" -o interop
	run_captured interop -- ./interop
	is "$?:$(slices interop)" "0:$both" "a program linked with NVIDIA's libnvtx3interop is captured"
else
	skip "a program linked with NVIDIA's libnvtx3interop is captured" "there is none here"
fi
is "$(find spool -name '*.spool')" "" "no spool is left behind"
done_testing

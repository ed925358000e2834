#!/bin/sh
# SPDX-License-Identifier: MIT
# libranges-static.a: the capture is linked into a program, dynamic or entirely static, with our
# headers or NVIDIA's. It works without a launcher, and with one.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
archive=$top_builddir/libranges/libranges-static.a
CC=${CC:-cc}
[ -f "$archive" ] || skip_all "libranges-static.a is not built"
[ "${SANITIZERS:-no}" = no ] || skip_all "its build has no sanitizers"
unset NVTX_INJECTION64_PATH LD_PRELOAD
cd "$temp" || exit 1
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
# The flags of the installed pkg-config file, with the archive from the build.
link="-L$top_builddir/libranges $(sed -n 's/^Libs: -L[^ ]*//p' "$top_builddir/libranges/libranges-static.pc")"

cat >work.h <<'EOF'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
/* Ours is not last: the program may annotate until its very end. */
__attribute__((destructor)) static void leave(void)
{
	nvtxMarkA("destructor");
}
static void *work(void *argument)
{
	nvtxRangePushA("work");
	nvtxRangePop();
	return argument;
}
int main(int argc, char **argv)
{
	pthread_t thread;

	printf("%d\n", nvtxRangePushA("outer"));
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	if (argc > 1 && strcmp(argv[1], "die") == 0) {
		kill(getpid(), SIGKILL);
	}
	nvtxRangePop();
	return 3;
}
EOF
printf '#include <ranges/nvtx.h>\n#include "work.h"\n' >ours.c
printf '#include <nvtx3/nvToolsExt.h>\n#include "work.h"\n' >nvidia.c
events='mark destructor
pop -
pop -
push outer
push work'

# events NAME: prints kind and name of its events, one on each line, sorted.
events()
{
	"$analyzer" dump "$1" 2>&1 | awk '$1 == "event" || /push|pop|mark/ {
		kind = match($0, /push|pop|mark/) ? substr($0, RSTART, RLENGTH) : ""
		name = match($0, /outer|work|destructor/) ? substr($0, RSTART, RLENGTH) : "-"
		if (kind != "") print kind, name }' | sort
}

# try HEADER HOW FLAGS…: a program built in this way is recorded in all circumstances.
try()
{
	header=$1
	how=$2
	shift 2
	rm -f program ./*.bin
	# shellcheck disable=SC2086 # compiler and flags are meant to be split
	if ! $CC -O1 -I"$top_srcdir/libranges/include" ${CUDA_INCLUDE:+-isystem "$CUDA_INCLUDE"} \
		"$@" "$header.c" $link -ldl -o program 2>cc.txt; then
		skip "$how, $header: it records by itself" "it can't be linked here: $(tail -n 1 cc.txt)"
		return
	fi
	./program >out.txt 2>&1
	is "$?:$(cat out.txt)" "3:0" "$how, $header: it runs"
	is "$(events trace.bin)" "$events" "it records by itself"
	"$ranges" run -o launched.bin -- ./program >/dev/null 2>err.txt
	is "$?:$(sed 's/ (.*//' err.txt)" "3:ranges: 5 events, 2 threads, 0 lost: launched.bin" \
		"and under a launcher"
	"$ranges" run -o killed.bin -- ./program die >/dev/null 2>err.txt
	is "$?:$(sed 's/(.*, //' err.txt)" \
		"137:ranges: 3 events, 2 threads, 0 lost: killed.bin completed after the program's death)" \
		"which completes the log when it is killed"
}

for header in ours nvidia; do
	if [ "$header" = nvidia ] && [ -z "$CUDA_INCLUDE" ]; then
		skip "NVIDIA's headers" "there are none"
		continue
	fi
	try "$header" "dynamic"
	try "$header" "-static" -static
	try "$header" "-static-pie" -static-pie
done

# ---- The interface beside NVTX's ----

cat >handoff.c <<'EOF'
#include <ranges/nvtx.h>
#include <ranges/ranges.h>
int main(void)
{
	uint64_t context;

	nvtxRangePushA("outer");
	context = ranges_handoff_capture();
	ranges_handoff_attach(context);
	ranges_handoff_detach();
	ranges_cuda_release();
	nvtxRangePop();
	return context != 0 ? 3 : 4;
}
EOF
for how in "" -static; do
	rm -f ./*.bin program
	# shellcheck disable=SC2086
	if ! $CC -O1 -I"$top_srcdir/libranges/include" $how handoff.c $link -ldl -o program 2>cc.txt; then
		skip "handing off reaches the capture in a program${how:+ ($how)}" "it can't be linked here"
		continue
	fi
	./program
	is "$?:$("$analyzer" dump trace.bin | grep -cE ' (handoff|attach) id=[1-9]| detach')" 3:3 \
		"handing off reaches the capture in a program${how:+ ($how)}"
	"$ranges" run -q -o launched.bin -- ./program
	is "$?:$("$analyzer" dump launched.bin | grep -cE ' (handoff|attach) id=[1-9]| detach')" 3:3 "and under a launcher"
done

# ---- In the environment of another tool ----

${CC} -shared -fPIC -O1 "$top_srcdir/tests/nvtx/count-tool.c" -o tool.so
# shellcheck disable=SC2086
$CC -I"$top_srcdir/libranges/include" ours.c $link -ldl -o program
rm -f ./*.bin
NVTX_INJECTION64_PATH=$temp/tool.so COUNT_TOOL_OUT=counts.txt ./program >/dev/null
is "$?:$(sed -n 's/^core.9 //p' counts.txt):$(find . -name '*.bin')" "3:2:" \
	"another tool that the environment names comes before the one that is linked"
rm -f ./*.bin
# shellcheck disable=SC2086
RANGES_OUTPUT=other.bin env -i RANGES_OUTPUT=other.bin ./program >/dev/null
is "$?:$(ls ./*.bin)" "3:./other.bin" "the settings are the same as always"

# A library of the program has a table of its own, and finds the program's capture.
printf '#include <ranges/nvtx.h>\nvoid help(void) { nvtxRangePushA("work"); nvtxRangePop(); }\n' >help.c
printf '#include <ranges/nvtx.h>\nextern void help(void);\nint main(void) { nvtxMarkA("outer"); help(); return 3; }\n' >user.c
# shellcheck disable=SC2086
{
	$CC -shared -fPIC -I"$top_srcdir/libranges/include" help.c -ldl -o libhelp.so
	$CC -I"$top_srcdir/libranges/include" user.c -L. -lhelp -Wl,-rpath,"$temp" $link -ldl -o user
}
RANGES_OUTPUT=user.bin ./user
is "$?:$(events user.bin)" "3:mark outer
pop -
push work" "a library built with our header records with the program it belongs to"

# ---- Its symbols and libraries ----

if command -v nm >/dev/null 2>&1; then
	nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' >names
	is "$(grep -cxE 'InitializeInjectionNvtx2_fnptr|ranges_nvtx_entry' names)" 2 \
		"the archive shows its entry points"
	is_empty "$(grep -vxE 'InitializeInjectionNvtx[A-Za-z0-9]*_fnptr|ranges_[a-z0-9_]+' names)" \
		"and nothing else"
	is_empty "$(nm --undefined-only "$archive" | awk '{ print $2 }' |
		grep -xE 'abort|exit|_exit|printf|puts|putchar|__printf_chk|__assert_fail|stdout|dlopen|dladdr')" \
		"it can't end its program, write to its stdout, or load anything"
fi
is "$(find spool -name '*.spool')" "" "no spool is left behind"
done_testing

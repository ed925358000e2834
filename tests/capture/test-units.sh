#!/bin/sh
# SPDX-License-Identifier: MIT
# Several executables and libraries in one process, each with an NVTX table of its own. Libraries
# come and go while the program is recorded.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
built=$top_builddir/libranges/.libs
source=$top_srcdir/tests/nvtx
CC=${CC:-cc}
[ -e "$built/libranges.so" ] || skip_all "libranges.so is not built"
[ "${SANITIZERS:-no}" = no ] || skip_all "a sanitizer must be loaded first"
unset NVTX_INJECTION64_PATH LD_PRELOAD
cd "$temp" || exit 1
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
nvidia=
[ -z "$CUDA_INCLUDE" ] || nvidia="-DNVIDIA_HEADER -isystem $CUDA_INCLUDE"
flags="-O1 -I$top_srcdir/libranges/include"

# ---- Four units, eight threads ----

# Without NVIDIA's header the second unit uses our header, too.
# shellcheck disable=SC2086 # compiler and flags are meant to be split
{
	$CC $flags $nvidia -DUNIT=2 -shared -fPIC "$source/unit.c" -ldl -o libunit2.so
	$CC $flags -DUNIT=3 -shared -fPIC "$source/unit.c" -ldl -o libunit3.so
	$CC $flags -DLINKED -DUNIT=4 -shared -fPIC "$source/unit.c" -L"$built" -lnvToolsExt -o libunit4.so
	$CC $flags -DUNIT=1 "$source/unit.c" "$source/units.c" -L. -lunit2 -lunit3 -lunit4 \
		-Wl,-rpath,"$temp" -Wl,-rpath-link,"$built" -pthread -ldl -o units
	$CC $flags -DUNIT=1 "$source/unit.c" "$source/units.c" -L. -lunit2 -lunit3 -lunit4 \
		-Wl,-rpath,"$temp" -Wl,-rpath-link,"$built" -Wl,-rpath,"$built" -pthread -ldl \
		-L"$built" -Wl,--no-as-needed -lranges -o linked
}
# Each thread calls all four units 100 times, and 6 threads call some of the last three once.
expected='0 unit 1 800
0 unit 2 2
0 unit 3 2
0 unit 4 2
1 unit 2 800
1 unit 3 2
1 unit 4 2
2 unit 3 800
2 unit 4 2
3 unit 4 800'

# captured WAY: prints the program's output, then the numbers of threads and of ranges by depth and
# name in $temp/WAY.bin.
captured()
{
	is "$(cat out.txt)" "8 threads, depths right" "$1: every thread sees one depth through all units"
	is "$("$analyzer" dump --slices "$1.bin" | awk -F '\t' 'NR > 1 { sum[$3 " " $6]++ }
		END { for (key in sum) print key, sum[key] }' | sort)" "$expected" \
		"and every range of every unit is in one log"
}

# Without the launcher's search: only the variable is set.
export LD_LIBRARY_PATH="$built"
NVTX_INJECTION64_PATH=$built/libranges.so RANGES_OUTPUT=variable.bin ./units >out.txt 2>&1
captured variable
LD_PRELOAD=$built/libranges.so RANGES_OUTPUT=preload.bin ./units >out.txt 2>&1
captured preload
RANGES_OUTPUT=linked.bin ./linked >out.txt 2>&1
captured linked
"$ranges" run -q -o launcher.bin -- ./units >out.txt 2>&1
captured launcher
unset LD_LIBRARY_PATH

# ---- Libraries that come and go ----

# Names that are short, long, equal except for a letter, or the beginning of one another; all have
# the same size in memory.
set -- '"ab","forward pass","step 1","a name that is longer than what is compared in place","same"' \
	'"cd","forward","step 2","a name that is longer than what is compared in places","same"' \
	'"abcdefgh","forward pass of the second layer","step","a","other"'
for number in 1 2 3; do
	header=
	[ "$number" != 2 ] || header=$nvidia
	# shellcheck disable=SC2086
	$CC $flags $header -DTEXTS="$1" -shared -fPIC "$source/module.c" -ldl -o "module$number.so"
	shift
done
# shellcheck disable=SC2086
$CC $flags -w "$source/reload.c" -ldl -o reload
"$ranges" run -q -o reload.bin -- ./reload 50 ./module1.so ./module2.so ./module3.so \
	>expected.txt 2>moved.txt
ok $? "libraries are loaded and unloaded 150 times"
[ "$(sed -n 's/ texts.*//p' moved.txt)" -ge 100 ]
ok $? "texts come to lie where others were ($(cat moved.txt))"
is "$("$analyzer" dump --slices reload.bin | awk -F '\t' 'NR > 1 { sum[$6]++ }
	END { for (key in sum) print key, sum[key] }' | sort)" "$(sort expected.txt)" \
	"and each range has the name that it was given"
is "$("$analyzer" dump --slices reload.bin | awk -F '\t' 'NR > 1 { sum[$3]++ }
	END { for (key in sum) print key, sum[key] }')" "0 $(awk '{ sum += $NF } END { print sum }' expected.txt)" \
	"ranges that are open when their library goes can be closed"

# ---- A fork while another thread loads the tool ----

# shellcheck disable=SC2086
$CC $flags -DTOOL -shared -fPIC "$source/fork-loading.c" -o slow-tool.so
# shellcheck disable=SC2086
$CC $flags "$source/fork-loading.c" -ldl -pthread -o fork-loading
NVTX_INJECTION64_PATH=$temp/slow-tool.so ./fork-loading
is $? 0 "the child gets no tool, since it can't finish its loading, and goes on"

is "$(find spool -name '*.spool')" "" "no spool is left behind"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Our declarations of CUPTI equal NVIDIA's, and the sizes of records are found for any version.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
probe=$top_builddir/tests/cupti/probe
[ -x "$probe" ] || skip_all "$probe is not built"

# ---- Of stand-ins ----

build_fake 12 13 15 17 18 22 26 130000 130400 2>"$temp/errors" || skip_all "the stand-ins can't be built: $(cat "$temp/errors")"

# sizes VERSION: prints the sizes that the probe finds, as "KIND:BYTES …".
sizes()
{
	"$probe" "$temp/cupti-$1/libcupti.so.13" | sed -n 's/^size \([0-9]*\) /\1:/p' | tr '\n' ' '
}
is "$(sizes 13)" "1:72 2:72 3:160 4:40 5:40 8:144 9:16 10:160 17:40 22:80 36:24 37:24 38:40 49:0 50:0 51:0 52:0 25:64 39:24 " \
	"records of CUDA 11.0 have these sizes"
is "$(sizes 18)" "1:88 2:88 3:200 4:40 5:40 8:176 9:16 10:200 17:40 22:96 36:24 37:24 38:40 49:120 50:72 51:48 52:64 25:64 39:24 " \
	"of CUDA 11.8"
is "$(sizes 26)" "1:96 2:88 3:208 4:40 5:40 8:184 9:32 10:208 17:56 22:96 36:56 37:24 38:56 49:128 50:72 51:56 52:72 25:104 39:24 " \
	"of CUDA 12.8"
is "$(sizes 130400)" "1:112 2:104 3:240 4:40 5:40 8:184 9:32 10:240 17:56 22:96 36:56 37:24 38:56 49:128 50:80 51:56 52:72 25:104 39:24 " \
	"of a later CUDA 13"
"$probe" "$temp/cupti-12/libcupti.so.13" >"$temp/out"
is "$?:$(grep -c 'too old (version 12): expected CUDA 11.0 or later' "$temp/out")" 1:1 "a CUPTI before CUDA 11.0 is refused"

# If a library gives no sensible answer about records, its version determines the sizes.
cat >"$temp/mute.c" <<'END'
#include <stdint.h>
int cuptiGetVersion(uint32_t *version) { *version = MUTE_VERSION; return 0; }
int cuptiActivityGetNextRecord(uint8_t *buffer, unsigned long valid, void **record)
{
	(void) buffer; (void) valid; (void) record;
	return 1;
}
#define DUMMY(name) int name(void); int name(void) { return 0; }
DUMMY(cuptiGetResultString) DUMMY(cuptiSubscribe) DUMMY(cuptiUnsubscribe) DUMMY(cuptiEnableCallback)
DUMMY(cuptiGetCallbackName) DUMMY(cuptiActivityRegisterCallbacks) DUMMY(cuptiActivityEnable)
DUMMY(cuptiActivityDisable) DUMMY(cuptiActivityFlushAll) DUMMY(cuptiActivityGetNumDroppedRecords)
DUMMY(cuptiActivitySetAttribute)
END
for version in 13 15 17 18 22 26 130000; do
	mkdir -p "$temp/mute-$version"
	${CC:-cc} -shared -fPIC -DMUTE_VERSION=$version -o "$temp/mute-$version/libcupti.so.13" "$temp/mute.c"
	# A device's record grew in some version 12.x. The smaller size is safe.
	"$probe" "$temp/mute-$version/libcupti.so.13" | grep '^size' | grep -v '^size 8 ' >"$temp/mute"
	"$probe" "$temp/cupti-$version/libcupti.so.13" | grep '^size' | grep -v '^size 8 ' >"$temp/asked"
	diff "$temp/mute" "$temp/asked" | sed "s/^/version $version: /"
done >"$temp/differences"
is_empty "$(cat "$temp/differences")" "where a library does not answer, its version tells the same sizes"

"$probe" "$temp/none.so" >"$temp/out"
is "$?:$(cat "$temp/out")" "1:none: RANGES_CUPTI_PATH=$temp/none.so can't be loaded" "a path that is none is said"
: >"$temp/empty.c"
${CC:-cc} -shared -fPIC -o "$temp/empty.so" "$temp/empty.c"
"$probe" "$temp/empty.so" >"$temp/out"
is "$?:$(cat "$temp/out")" "1:none: $temp/empty.so has no cuptiGetVersion" "so is a library that is another"

# ---- Where it is found ----

# in_place FOLDER SENTENCE: the search finds the copy there.
found()
{
	sed -n 's/^path //p' "$temp/out"
}
LD_LIBRARY_PATH=$temp/cupti-26 "$probe" >"$temp/out"
is "$(found)" "$temp/cupti-26/libcupti.so.13" "it is found where the dynamic linker looks"
mkdir -p "$temp/home/extras/CUPTI/lib64"
cp "$temp/cupti-18/libcupti.so.13" "$temp/home/extras/CUPTI/lib64/libcupti.so.11.8"
if "$probe" >"$temp/out"; then
	skip "it is found in CUDA_HOME" "another is installed: $(found)"
else
	CUDA_HOME=$temp/home "$probe" >"$temp/out"
	is "$(found)" "$temp/home/extras/CUPTI/lib64/libcupti.so.11.8" "it is found in CUDA_HOME"
fi
if [ "${SANITIZERS:-no}" != no ]; then
	skip "the copy of the program's CUDA runtime is preferred" "a sanitizer must be loaded first"
else
	# As in PyPI's wheels: the runtime is in its own folder, CUPTI in another.
	mkdir -p "$temp/wheels/cuda_runtime/lib" "$temp/wheels/cuda_cupti/lib"
	${CC:-cc} -shared -fPIC -Wl,-soname,libcudart.so.12 -o "$temp/wheels/cuda_runtime/lib/libcudart.so.12" "$temp/empty.c"
	cp "$temp/cupti-26/libcupti.so.13" "$temp/wheels/cuda_cupti/lib/libcupti.so.12"
	LD_LIBRARY_PATH=$temp/cupti-130000 LD_PRELOAD="${LD_PRELOAD:-} $temp/wheels/cuda_runtime/lib/libcudart.so.12" "$probe" >"$temp/out"
	is "$(found)" "$temp/wheels/cuda_runtime/lib/../../cuda_cupti/lib/libcupti.so.12" \
		"the copy of the program's CUDA runtime is preferred"
	rm "$temp/wheels/cuda_cupti/lib/libcupti.so.12"
	LD_LIBRARY_PATH=$temp/cupti-130000 LD_PRELOAD="${LD_PRELOAD:-} $temp/wheels/cuda_runtime/lib/libcudart.so.12" "$probe" >"$temp/out"
	is "$?:$(cat "$temp/out")" "1:none: no libcupti.so for CUDA 12 was found" "and none of another major version is taken"
	LD_PRELOAD="${LD_PRELOAD:-} $temp/cupti-18/libcupti.so.13" LD_LIBRARY_PATH=$temp/cupti-26 "$probe" >"$temp/out"
	is "$(found)" "$temp/cupti-18/libcupti.so.13" "the copy that is loaded already comes first"
fi

# machine PLACE…: puts the library into these folders of a root of its own. $temp/out has the path
# that is found.
machine()
{
	# shellcheck disable=SC2016 # the inner shell's
	unshare -rm sh -c 'mount -t tmpfs none /usr/local && mount -t tmpfs none /opt || exit 77
		library=$1 probe=$2
		shift 2
		for place; do
			mkdir -p "${place%/*}" && cp "$library" "$place" || exit 77
		done
		exec "$probe"' machine "$temp/cupti-26/libcupti.so.13" "$probe" "$@" >"$temp/out" 2>/dev/null
}
cuda=/usr/local/cuda
hpc=/opt/nvidia/hpc_sdk/Linux_x86_64
machine
# unshare also ends with 1 if it is not allowed.
if [ $? -ne 1 ] || ! grep -q '^none' "$temp/out"; then
	skip "it is found in the machine's folders" "another is installed, or there is no unshare"
else
	machine "$cuda/lib64/libcupti.so.12"
	is "$(found)" "$cuda/lib64/libcupti.so.12" "it is found in /usr/local/cuda"
	machine "$cuda-12.9/lib64/libcupti.so.12" "$cuda-12.10/extras/CUPTI/lib64/libcupti.so.12"
	is "$(found)" "$cuda-12.10/extras/CUPTI/lib64/libcupti.so.12" "and in the newest folder beside that"
	machine "$hpc/24.9/cuda/12.6/lib64/libcupti.so.12" "$hpc/24.11/cuda/12.6/lib64/libcupti.so.12"
	is "$(found)" "$hpc/24.11/cuda/12.6/lib64/libcupti.so.12" "and in the newest HPC SDK"
fi

# ---- Of NVIDIA's headers and library ----

if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
headers="our structs, numbers and NVIDIA's headers agree"
real="the probe of NVIDIA's library gives the sizes of its headers"
if [ -z "${CUDA_INCLUDE:-}" ] || [ ! -f "$CUDA_INCLUDE/cupti_activity.h" ]; then
	skip "$headers" "no cupti_activity.h (configure --with-cuda-headers)"
	skip "$real" "no cupti_activity.h (configure --with-cuda-headers)"
	done_testing
elif ! grep -q '^} CUpti_ActivityKernel10;' "$CUDA_INCLUDE/cupti_activity.h" ||
	! ${CC:-cc} -I"$top_srcdir" -I"$CUDA_INCLUDE" -o "$temp/layout" "$cupti_source/layout.c" 2>"$temp/errors"; then
	skip "$headers" "the headers are not those of CUDA 13.0"
	skip "$real" "the headers are not those of CUDA 13.0"
	done_testing
fi
"$temp/layout" >"$temp/layout.out"
is_empty "$(grep '^differs' "$temp/layout.out")" "$headers"
diag "$(grep '^compared' "$temp/layout.out") facts"
[ "$(sed -n 's/^compared //p' "$temp/layout.out")" -ge 200 ]
ok $? "at least 200 of them were compared"
if ! "$probe" >"$temp/out" || ! grep -q '^version 1300' "$temp/out"; then
	skip "$real" "no libcupti.so of CUDA 13.0: $(head -n 1 "$temp/out")"
else
	is "$(grep '^size' "$temp/out")" "$(grep '^size' "$temp/layout.out")" "$real"
	diag "$(grep -E '^(path|version)' "$temp/out")"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Real libraries of old CUDAs: records have the sizes of their headers, and fields the places that
# we know. The stand-ins of these versions have the same sizes. The sizes that we assume for a
# library that does not answer are never larger. Debian's non-free section has the libraries:
# tests/cupti/get-old-cupti. RANGES_TEST_OLD_CUPTI names another folder.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
probe=$top_builddir/tests/cupti/probe
[ -x "$probe" ] || skip_all "$probe is not built"
folder=${RANGES_TEST_OLD_CUPTI:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/ranges-old-cupti}
[ -d "$folder" ] || folder=/usr/lib/x86_64-linux-gnu
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi

# The version from cuptiGetVersion(), the library, and sizes by its cupti_activity.h: "KIND:BYTES
# …", where 0 means not known there.
cat >"$temp/known" <<'END'
14 libcupti.so.11.2 1:80 2:80 3:168 4:40 5:40 8:144 9:16 10:168 17:40 22:88 36:24 37:24 38:40 49:112 50:64 51:0 52:0 25:64 39:24
18 libcupti.so.11.8 1:88 2:88 3:200 4:40 5:40 8:176 9:16 10:200 17:40 22:96 36:24 37:24 38:40 49:120 50:72 51:48 52:64 25:64 39:24
22 libcupti.so.12 1:88 2:88 3:208 4:40 5:40 8:184 9:24 10:208 17:56 22:96 36:24 37:24 38:40 49:120 50:72 51:56 52:72 25:64 39:24
END

sizes()
{
	"$probe" "$1" | sed -n 's/^size \([0-9]*\) /\1:/p' | tr '\n' ' ' | sed 's/ $//'
}

# layout HEADERS: prints layout.c's output for old headers, without the lines on types that they
# lack. cuda.h is from a newer version.
layout()
{
	sed -e ':a' -e '/[,(]$/{N;s/\n[[:space:]]*/ /;ba' -e '}' -e 's/<cupti.h>/<cupti_activity.h>/' "$cupti_source/layout.c" >"$temp/layout.c"
	grep -o 'CUpti_Activity[A-Za-z]*[0-9]*' "$temp/layout.c" | sort -u | while read -r type; do
		base=${type%%[0-9]*}
		newest=$(cat "$1"/cupti_activity*.h | sed -n "s/^} \(${base}[0-9]*\);.*/\1/p" | sort -V | tail -n 1)
		[ -z "$newest" ] || sed -i "s/\<$type\>/$newest/g" "$temp/layout.c"
	done
	for _ in 1 2 3 4 5; do
		LC_ALL=C ${CC:-cc} -w -ftrack-macro-expansion=0 -I"$top_srcdir" -I"$1" -isystem "$CUDA_INCLUDE" -o "$temp/layout" "$temp/layout.c" \
			2>"$temp/errors" && "$temp/layout" && return
		lines=$(sed -n "s,^$temp/layout.c:\([0-9]*\):[0-9]*: error:.*,\1d,p" "$temp/errors" | sort -u)
		[ -n "$lines" ] || return
		sed -i "$(echo "$lines" | tr '\n' ';')" "$temp/layout.c"
	done
}

tried=0
while read -r version name known; do
	library=$folder/$name
	if [ ! -f "$library" ]; then
		skip "$name" "it is not there (tests/cupti/get-old-cupti gets it)"
		continue
	fi
	tried=$((tried + 1))
	is "$("$probe" "$library" | sed -n 's/^version //p')" "$version" "$name is version $version"
	is "$(sizes "$library")" "$known" "$name: records have the sizes of its headers"
	if [ ! -d "$library-headers" ] || [ ! -f "${CUDA_INCLUDE:-}/cuda.h" ]; then
		skip "$name: fields are where its headers have them" "no headers of it, or no cuda.h (configure --with-cuda-headers)"
	else
		layout "$library-headers" >"$temp/layout.out"
		is_empty "$(grep '^differs' "$temp/layout.out")" "$name: fields are where its headers have them"
		[ "$(sed -n 's/^compared //p' "$temp/layout.out")" -ge 200 ]
		ok $? "$name: $(sed -n 's/^compared //p' "$temp/layout.out") facts"
		is_empty "$(sed -n 's/^size \([0-9]*\) /\1:/p' "$temp/layout.out" | while read -r size; do
			case " $known " in
			*" $size "*) ;;
			*) echo "$size" ;;
			esac
		done)" "$name: its headers say these sizes"
	fi
	if [ "$version" = 14 ]; then
		skip "$name: the stand-in has the same" "11.1 and 11.2 both say 14, and stand-ins are of 11.1"
	else
		build_fake "$version" 2>"$temp/errors" || skip_all "the stand-ins can't be built: $(cat "$temp/errors")"
		is "$(sizes "$temp/cupti-$version/libcupti.so.13")" "$known" "$name: the stand-in has the same"
	fi
	# The same version, but the library answers no questions.
	cat >"$temp/mute.c" <<END
#include <dlfcn.h>
#include <stdint.h>
int cuptiGetVersion(uint32_t *version) { *version = $version; return 0; }
int cuptiActivityGetNextRecord(uint8_t *b, unsigned long v, void **r) { (void) b; (void) v; (void) r; return 1; }
#define DUMMY(name) int name(void); int name(void) { return 0; }
DUMMY(cuptiGetResultString) DUMMY(cuptiSubscribe) DUMMY(cuptiUnsubscribe) DUMMY(cuptiEnableCallback)
DUMMY(cuptiGetCallbackName) DUMMY(cuptiActivityRegisterCallbacks) DUMMY(cuptiActivityEnable)
DUMMY(cuptiActivityDisable) DUMMY(cuptiActivityFlushAll) DUMMY(cuptiActivityGetNumDroppedRecords)
DUMMY(cuptiActivitySetAttribute)
END
	${CC:-cc} -shared -fPIC -o "$temp/libcupti-mute.so" "$temp/mute.c"
	is_empty "$(sizes "$temp/libcupti-mute.so" | tr ' ' '\n' | awk -F: -v known="$known" '
		BEGIN { n = split(known, rows, " "); for (i = 1; i <= n; i++) { split(rows[i], row, ":"); bytes[row[1]] = row[2] } }
		$2 > bytes[$1] || ($2 == 0 && $1 == 10)')" "$name: without its answers no record is taken for larger than it is"
done <"$temp/known"
diag "$tried libraries tried"
done_testing

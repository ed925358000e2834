#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared libraries export the names that we mean to export, and nothing else.

. "${0%/*}/../lib.sh"
need_temp
command -v nm >/dev/null 2>&1 || skip_all "nm is missing"
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a sanitizer adds names of its own" ;;
esac

# exports_only LIBRARY PATTERN SENTENCE
exports_only()
{
	# Symbols of type A are names of versions.
	nm -D --defined-only "$1" | awk '$3 != "" && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$temp/names"
	is_empty "$(grep -vE "^($2)\$" "$temp/names" | grep -vE '^(LIB)?[A-Z]+_[0-9.]+$')" "$3"
}

# has NAME: the library of the last exports_only call exports NAME.
has()
{
	grep -qx "$1" "$temp/names"
	ok $? "$1 is exported"
}

library=$(find "$top_builddir" -path '*/.libs/libranges.so' -not -path '*/_inst/*' | head -n 1)
[ -n "$library" ] || skip_all "libranges.so is not built"

exports_only "$library" \
	'InitializeInjection|InitializeInjectionNvtx(2|Extension)(Preinject)?|ranges_[a-z0-9_]+' \
	"libranges.so exports the injection names and ranges_* only"
has InitializeInjectionNvtx2
has InitializeInjectionNvtxExtension
has InitializeInjection
is_empty "$(nm -D --undefined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' |
	grep -xE 'abort|_exit|printf|puts|putchar|__printf_chk|__assert_fail|stdout')" \
	"libranges.so cannot abort its program nor write to its stdout"
is "$(find "$top_builddir/libranges" -path '*/.libs/*.o' -exec nm -A --undefined-only {} + |
	sed -nE 's,^[^:]*/([^/:]*): *U exit(@.*)?$,\1,p' | sort -u)" inject-shared.o "it ends it in one place: where no thread of the program is left, and one of ours hangs in CUPTI"

if command -v readelf >/dev/null 2>&1; then
	is_empty "$(readelf -dW "$library" | awk '/NEEDED/ { gsub(/[][]/, "", $NF); print $NF }' |
		grep -vE '^(libc|libz|libdeflate|libm|libpthread|libdl|librt|ld-linux.*)\.so')" \
		"libranges.so needs only libc and the compressors"
	readelf -dW "$library" | grep -q 'SONAME.*libranges\.so\.[0-9]'
	ok $? "libranges.so has a versioned soname"
	# glibc's static TLS block for libraries that are loaded late is small, and all of them
	# share it.
	tls=$(readelf -lW "$library" | awk '$1 == "TLS" { print $6 }')
	[ "$((${tls:-0}))" -le 64 ]
	ok $? "libranges.so takes at most 64 bytes of static TLS ($((${tls:-0})))"
	! readelf -dW "$library" | grep -q TEXTREL
	ok $? "libranges.so has no text relocations"
fi

library=$(find "$top_builddir" -path '*/.libs/libnvToolsExt.so' -not -path '*/_inst/*' | head -n 1)
if [ -n "$library" ]; then
	exports_only "$library" 'nvtx[A-Z][A-Za-z0-9]*' "libnvToolsExt.so exports NVTX functions only"
	has nvtxRangePushA
	if command -v readelf >/dev/null 2>&1; then
		is_empty "$(readelf -dW "$library" | awk '/NEEDED/ { gsub(/[][]/, "", $NF); print $NF }' |
			grep -vE '^(libc|libpthread|libdl|ld-linux.*)\.so')" "libnvToolsExt.so needs only libc"
	fi
fi
done_testing

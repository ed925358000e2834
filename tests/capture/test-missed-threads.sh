#!/bin/sh
# SPDX-License-Identifier: MIT
# A thread that glibc missed while it loaded libranges.so has zeros in our TLS. It is recorded all
# the same.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
pusher=$top_builddir/tests/capture/pusher
starts=$top_builddir/tests/capture/starts
library=$top_builddir/libranges/.libs/libranges.so
for file in "$ranges" "$analyzer" "$pusher" "$starts"; do
	[ -x "$file" ] || skip_all "$file is not built"
done
[ "${SANITIZERS:-no}" = no ] || skip_all "a sanitizer must be loaded first"
[ -z "${UNDER:-}" ] || skip_all "tells nothing about memory"
cd "$temp" || exit 1
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
unset NVTX_INJECTION64_PATH LD_PRELOAD RANGES_OUTPUT
${CC:-cc} -shared -fPIC "$top_srcdir/tests/capture/missed-thread.c" -o missed-thread.so -ldl 2>cc.txt ||
	skip_all "no shared library can be built: $(cat cc.txt)"

# Variables with another initial value than zero are in .tdata; zeros are in .tbss.
if command -v readelf >/dev/null 2>&1; then
	for file in libranges/.libs/libranges.so libranges/.libs/libnvToolsExt.so \
		libranges/libranges-static.a; do
		if [ -f "$top_builddir/$file" ]; then
			is_empty "$(readelf -SW "$top_builddir/$file" 2>&1 | grep '\.tdata')" \
				"${file##*/}: all TLS is zero at first"
		fi
	done
fi

truncate -s 65536 shared
# The launcher starts a shell, which makes no threads. So only the program gets the other library.
# shellcheck disable=SC2016 # the inner shell's
"$ranges" run -q -o log.bin -- sh -c 'LD_PRELOAD=$1 exec "$2" shared 16 50' - \
	"$temp/missed-thread.so" "$pusher" 2>err.txt
is "$?" 7 "16 threads that were missed run to their end"
[ ! -s err.txt ] || diag "$(cat err.txt)"
is "$("$analyzer" dump log.bin 2>/dev/null | grep -cE '^event [0-9]+ [0-9]+ [0-9]+ (push|pop)( |$)')" 1600 \
	"each of their 1600 calls is in the log"

# Programs start while threads are being created, as often as CI has time for.
RANGES_OUTPUT=$temp/start.bin NVTX_INJECTION64_PATH=$library "$starts" 100 16 2 >err.txt 2>&1
is "$?" 0 "100 programs whose 16 threads begin at once run to their ends"
[ ! -s err.txt ] || diag "$(cat err.txt)"
is "$("$analyzer" verify start*.bin | grep -c ' 64 events')" 100 "each of their calls is in their 100 logs"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# A program built with ThreadSanitizer gets no reports about our code, which would change its exit
# status.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
for file in "$ranges" "$analyzer"; do
	[ -x "$file" ] || skip_all "$file is not built"
done
[ "${SANITIZERS:-no}" = no ] || skip_all "the library has a sanitizer of its own"
[ -z "${UNDER:-}" ] || skip_all "tells nothing about memory"
cd "$temp" || exit 1
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
unset NVTX_INJECTION64_PATH RANGES_OUTPUT TSAN_OPTIONS
${CC:-cc} -fsanitize=thread -g -I"$top_srcdir/libranges/include" "$top_srcdir/tests/capture/foreign-tsan.c" \
	-o program -lpthread -ldl 2>cc.txt || skip_all "there is no ThreadSanitizer: $(tail -n 1 cc.txt)"
./program >alone.txt 2>&1 || skip_all "ThreadSanitizer does not run here: $(tail -n 1 alone.txt)"

"$ranges" run -q -o log.bin -- ./program 2>err.txt
is "$?" 0 "the program ends as without us"
is_empty "$(grep SUMMARY err.txt)" "and without a report"
is "$("$analyzer" dump log.bin 2>/dev/null | grep -cE '^event [0-9]+ [0-9]+ [0-9]+ (push|pop)( |$)')" 24000 \
	"each of its 24000 calls is in the log"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# What make install has put somewhere works there: header, pkg-config file, launcher, analyzer.
#
# usage: tests/check-install.sh    by `make installcheck`, which sets bindir, libdir, PKG_CONFIG_PATH
#                                  and, for a staged installation, DESTDIR

. "${0%/*}/lib.sh"
need_temp
: "${bindir:?}" "${libdir:?}" "${CC:=cc}" "${DESTDIR:=}"
cd "$temp" || exit 1

cat >app.c <<'PROGRAM'
#include <ranges/nvtx.h>

int main(void)
{
	nvtxRangePushA("outer");
	nvtxRangePushA("inner");
	nvtxRangePop();
	nvtxRangePop();
	return 3;
}
PROGRAM

flags=$(pkg-config --cflags libranges | sed "s|-I/|-I$DESTDIR/|g")
ok $? "pkg-config knows libranges"
# shellcheck disable=SC2086 # compiler and flags are meant to be split
$CC $flags app.c -o app
ok $? "a program compiles with the installed header and links nothing of ours"
./app
is $? 3 "the program runs without a tool"

"$DESTDIR$bindir/ranges" run -o trace.bin -- ./app
is $? 3 "the installed launcher finds the library and passes the exit status on"
"$DESTDIR$bindir/analyzer" trace.bin >table
ok $? "the installed analyzer reads the log"
grep -q outer table && grep -q inner table
ok $? "both ranges are in the table"
is_empty "$(find "$DESTDIR$libdir" -name '*.la' -size +0 -exec grep -l "$top_builddir" {} + 2>/dev/null)" \
	"no installed file names the build folder"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# The files that make install has put somewhere work there: header, pkg-config file, launcher,
# analyzer.
#
# usage: tests/house/check-install.sh    by `make installcheck`, which sets bindir, libdir, PKG_CONFIG_PATH
#                                  and, for a staged installation, DESTDIR

. "${0%/*}/../lib.sh"
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
# Programs are linked with each form of the capture. Some systems' compilers link with as-needed.
for name in libranges libranges-static; do
	pkg-config --exists "$name" || continue # the static one is made if there is objcopy
	flags=$(pkg-config --cflags --libs "$name" | sed "s|-I/|-I$DESTDIR/|g; s|-L/|-L$DESTDIR/|g")
	# shellcheck disable=SC2086
	$CC app.c -Wl,--as-needed $flags -o "with-$name"
	LD_LIBRARY_PATH=$DESTDIR$libdir RANGES_OUTPUT="$name.bin" "./with-$name"
	is "$?:$("$DESTDIR$bindir/analyzer" verify "$name.bin" | sed 's/.*, //')" "3:4 events" \
		"a program linked with $name records itself"
done

nvtx=$DESTDIR$(pkg-config --variable=nvtxlibdir libranges)
printf 'int nvtxRangePushA(const char *);\nint nvtxRangePop(void);\n' >old.c
sed 1d app.c >>old.c
$CC old.c -L"$nvtx" -lnvToolsExt -o old
ok $? "a program can be linked with the installed libnvToolsExt"
"$DESTDIR$bindir/ranges" run -o old.bin -- ./old
is "$?:$("$DESTDIR$bindir/analyzer" verify old.bin | sed 's/.*, //')" "3:4 events" \
	"the installed launcher lets it find that library, and records it"
is_empty "$(find "$DESTDIR$libdir" -name '*.la' -size +0 -exec grep -l "$top_builddir" {} + 2>/dev/null)" \
	"no installed file names the build folder"
done_testing

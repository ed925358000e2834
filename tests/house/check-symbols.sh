#!/bin/sh
# SPDX-License-Identifier: MIT
# A symbol's name, <layer>_<file>_<verb>, tells where it is defined. nm reads the names from the
# objects.

. "${0%/*}/../lib.sh"
need_temp
for tool in nm python3; do
	command -v "$tool" >/dev/null 2>&1 || skip_all "$tool is missing"
done
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a sanitizer adds names of its own" ;;
esac

python3 "$top_srcdir/tests/house/symbols.py" "$top_srcdir" "$top_builddir" >"$temp/said"
status=$?
count=$(sed -n 's/^objects //p' "$temp/said")
[ "${count%% *}" != 0 ] || skip_all "nothing is built in $top_builddir"
ok $status "the objects can be read"
is_empty "$(sed -n 's/^bad //p' "$temp/said")" \
	"${count#* symbols } symbols of ${count%% *} objects are named <layer>_<file>_…"
is_empty "$(sed -n 's/^writable //p' "$temp/said")" "format/ has no variables that outlive a call"
done_testing

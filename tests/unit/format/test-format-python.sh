#!/bin/sh
# SPDX-License-Identifier: MIT
# The reader in Python that doc/format.md shows reads what our writer writes.

. "${0%/*}/../../lib.sh"
need_temp
tool=$top_builddir/tests/unit/format/format-tool
[ -x "$tool" ] || skip_all "$tool is not built (make check builds it)"

# An interpreter that has the package, not just the first one in the path.
python=
for candidate in python3 /usr/bin/python3 /usr/local/bin/python3; do
	if "$candidate" -c 'import msgpack' 2>/dev/null; then
		python=$candidate
		break
	fi
done
[ -n "$python" ] || skip_all "no python3 with msgpack. Debian: apt-get install python3-msgpack"

awk '/^## / { inside = /^## 11\./ } /^```/ { block = inside && /python/; next } block' \
	"$top_srcdir/doc/format.md" >"$temp/reader.py"
lines=$(wc -l <"$temp/reader.py")
[ "$lines" -gt 0 ]
ok $? "doc/format.md shows a reader"
[ "$lines" -le 16 ]
ok $? "in $lines lines"
for level in 0 1 6; do
	"$tool" "$temp/log" "$level" >"$temp/wanted" || exit 1
	PYTHONIOENCODING=utf-8 "$python" "$temp/reader.py" "$temp/log" >"$temp/got" 2>"$temp/errors"
	is "$?" 0 "it reads a log of level $level"
	is_empty "$(cat "$temp/errors")" "without a complaint"
	ranges=$(wc -l <"$temp/wanted")
	[ "$ranges" -gt 100 ]
	ok $? "the log has $ranges ranges"
	is_empty "$(diff "$temp/wanted" "$temp/got" | head -n 5)" "and it prints all of them"
done
done_testing

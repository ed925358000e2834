#!/bin/sh
# SPDX-License-Identifier: MIT
# The launcher's help, its man page and the table of variables say the same. `make update-man` rewrites the page's parts.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
page=$top_srcdir/doc/ranges.1
[ -x "$ranges" ] || skip_all "$ranges is not built"

"$ranges" run --help >"$temp/help" 2>"$temp/errors"
is "$?:$(cat "$temp/errors")" 0: "--help is printed on stdout"
"$ranges" recover --help >"$temp/help-recover" 2>"$temp/errors"
is "$?:$(cat "$temp/errors")" 0: "of recover as well"
"$ranges" compare --help >"$temp/help-compare" 2>"$temp/errors"
is "$?:$(cat "$temp/errors")" 0: "and of compare"

for command in ctl top recover compare; do
	[ "$("$ranges" "$command" --help | wc -l)" -lt 50 ] || echo "$command"
done >"$temp/long"
is_empty "$(cat "$temp/long")" "of commands that record nothing by themselves it is one screen"

# Forms, options and variables in the page are those of the program's own help.
"$top_srcdir/tools/man-page" "$ranges" "$page" >"$temp/page"
is "$?$(diff "$page" "$temp/page" | head -n 20)" 0 "the man page is what make update-man writes"

variables=$(awk '/^\.\\" variables$/ { on = 1 } /^\.\\" \.$/ { on = 0 } on && /^\.TP$/' "$page" | wc -l)
known=$(grep -cE '^ *\{ \.name = "RANGES_|\.name = "RANGES_' "$top_srcdir/libranges/settings/config-table.c")
internal=$(grep -c 'internal = true' "$top_srcdir/libranges/settings/config-table.c")
is "$variables" $((known - internal)) "it tells every variable of the table but the internal ones"
is "$(sed -n '/^Environment/,$s/^  \(RANGES_[A-Z_]*\).*/\1/p' "$temp/help" | sort)" \
	"$(awk '/^\.\\" variables$/ { on = 1 } /^\.\\" \.$/ { on = 0 } on && /^.fBRANGES_/' "$page" | sed 's/^.fB\(RANGES_[A-Z_]*\).*/\1/' | sort)" \
	"as --help does"

missing=
for option in $(sed -n '/^Environment/q;p' "$temp/help" "$temp/help-recover" "$temp/help-compare" | grep -oE '(^|[ ,])--?[a-z][a-z0-9-]*' |
	tr -d ' ,' | sort -u); do
	grep -qF -- "$(printf '%s' "$option" | sed 's/-/\\-/g')" "$page" || missing="$missing $option"
done
is_empty "$missing" "the man page tells every option"
is_empty "$(awk 'length > 79' "$temp/help" "$temp/help-recover" "$temp/help-compare")" "the help fits into 79 columns"

if command -v groff >/dev/null 2>&1; then
	is_empty "$(groff -man -Tutf8 -ww -z "$page" 2>&1)" "groff has nothing to complain of"
else
	skip "groff has nothing to complain of" "there is no groff"
fi
done_testing

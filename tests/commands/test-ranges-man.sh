#!/bin/sh
# SPDX-License-Identifier: MIT
# The launcher's help, its man page and the table of variables say the same. UPDATE_GOLDEN=1 rewrites the page's part.

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

# The variables of --help as roff: "  NAME = default  [limits]", then lines of text.
sed -n '/^Environment/,$p' "$temp/help" | awk '
	function flush_text() {
		if (text != "") print text
		text = ""
	}
	/^  RANGES_/ {
		flush_text()
		sub(/^  /, "")
		name = $1
		rest = substr($0, length(name) + 1)
		gsub(/  +/, " ", rest)
		gsub(/-/, "\\-", rest)
		print ".TP"
		if (rest == "") print ".B " name; else printf ".BR %s \"%s\"\n", name, rest
	}
	/^      / {
		sub(/^ */, "")
		gsub(/"/, "\\(dq")
		text = text (text == "" ? "" : " ") $0
	}
	END { flush_text() }' | fold -s -w 95 | sed 's/ *$//' >"$temp/roff"
variables=$(grep -c '^\.TP' "$temp/roff")
known=$(grep -cE '^ *\{ \.name = "RANGES_|\.name = "RANGES_' "$top_srcdir/libranges/settings/config-table.c")
internal=$(grep -c 'internal = true' "$top_srcdir/libranges/settings/config-table.c")
is "$variables" $((known - internal)) "--help tells every variable of the table but the internal ones"

if [ "${UPDATE_GOLDEN:-}" = 1 ]; then
	awk -v part="$temp/roff" '
		/^\.\\" BEGIN ENVIRONMENT/ { print; while ((getline line <part) > 0) print line; skip = 1 }
		/^\.\\" END ENVIRONMENT/ { skip = 0 }
		!skip' "$page" >"$temp/page" && cp "$temp/page" "$page"
fi
sed -n '/^\.\\" BEGIN ENVIRONMENT/,/^\.\\" END ENVIRONMENT/p' "$page" | sed '1d;$d' >"$temp/in-page"
is_empty "$(diff "$temp/in-page" "$temp/roff")" "the man page tells the same variables, defaults and limits"

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

#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the examples of README.md, the pages of doc/guide and the man pages, and compares their
# output.
#
# In a page a block "```console" is run. Lines that begin with "$ " are commands; the lines up to
# the next command are the expected output. A line "…" stands for further output. Numbers, the width
# of columns and the order of lines may differ. A block after "<!-- file: NAME -->" is put into that
# file. A block after "<!-- not run: WHY -->" is not run. In a man page each example, between .EX
# and .EE, is run and must succeed; its lines are commands. An example after the comment '\" not
# run: WHY' is not run.
#
# The commands of a page run in a folder of its own, which holds the programs of examples/ by their
# names. The path has `ranges`, `analyzer` and a pkg-config that knows libranges.
# tests/python/test-python.sh runs doc/guide/python.md, with each Python that is installed.

. "${0%/*}/../lib.sh"
need_temp
# Messages must not mention captures that other tests or people left.
mkdir "$temp/spools"
export RANGES_SPOOL_DIR="$temp/spools"
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
if [ ! -x "$ranges" ] || [ ! -x "$analyzer" ]; then
	skip_all "the programs are not built"
fi
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a library with a sanitizer cannot be loaded into the examples" ;;
esac

mkdir "$temp/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$ranges" >"$temp/bin/ranges"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$analyzer" >"$temp/bin/analyzer"
cat >"$temp/bin/pkg-config" <<END
#!/bin/sh
echo "-I$top_srcdir/libranges/include"
case "\$*" in
*--libs*libranges-static*)
	sed -n 's|^Libs: -L[^ ]*|-L$top_builddir/libranges|p' "$top_builddir/libranges/libranges-static.pc" ;;
esac
END
chmod +x "$temp"/bin/*
PATH=$temp/bin:$PATH

# enter_room: changes into a new folder that holds only the programs of examples/.
enter_room()
{
	rm -rf "$temp/room"
	mkdir "$temp/room"
	for program in "$top_builddir"/examples/*; do
		if [ -f "$program" ] && [ -x "$program" ]; then
			ln -s "$program" "$temp/room/"
		fi
	done
	cd "$temp/room" || exit 1
}

# blocks PAGE: writes NNN.block files. The first line of each is its kind: "console" or "file NAME".
blocks()
{
	rm -f "$temp"/*.block
	awk -v folder="$temp" '
	/^<!-- file: / { name = $3; next }
	/^<!-- not run: / { off = 1; next }
	/^```/ && inside { inside = 0; name = ""; off = 0; if (file) close(file); file = ""; next }
	/^```/ {
		inside = 1
		if (!off && (name != "" || $0 == "```console")) {
			file = sprintf("%s/%03d.block", folder, ++n)
			print (name != "" ? "file " name : "console") >file
		}
		next
	}
	file { print >file }' "$1"
}

# plain: removes the parts of a text that may differ between runs.
plain()
{
	sed -E 's/[0-9]+([.,][0-9]+)*( ?(ns|us|µs|ms|s|min|h))?\>/N/g; s/-{2,}/-/g; s/[[:space:]]+/ /g;
		s/^ //; s/ $//'
}

# run_command COMMAND WANTED-FILE
run_command()
{
	sh -c "$1" >"$temp/out" 2>&1 </dev/null
	status=$?
	plain <"$temp/out" >"$temp/got"
	plain <"$2" >"$temp/wanted"
	# Tables are ordered by times, which change with the machine's load. So any order is
	# accepted.
	missing=$(awk 'FILENAME == ARGV[1] { got[$0]++; next }
		{ shown = 1 }
		$0 == "…" { open = 1; next }
		got[$0]-- < 1 { print "not printed: " $0 }
		END {
			if (shown && !open)
				for (line in got)
					if (got[line] > 0)
						print "not in the text: " line
		}' "$temp/got" "$temp/wanted")
	if [ "$status" -eq 0 ] && [ -z "$missing" ]; then
		pass "$page: $1"
	else
		fail "$page: $1"
		diag "exit status $status"
		[ -z "$missing" ] || diag "$missing"
		diag "$(head -n 20 "$temp/out")"
	fi
}

# run_console FILE: runs the block in the file, without its first line.
run_console()
{
	command=
	: >"$temp/text"
	while IFS= read -r line; do
		case $line in
		'$ '*)
			[ -z "$command" ] || run_command "$command" "$temp/text"
			command=${line#??}
			: >"$temp/text"
			;;
		*) printf '%s\n' "$line" >>"$temp/text" ;;
		esac
	done <"$1"
	[ -z "$command" ] || run_command "$command" "$temp/text"
}

# run_page FILE: runs its blocks, in their order.
run_page()
{
	page=$(basename "$1")
	enter_room
	blocks "$1"
	for block in "$temp"/*.block; do
		[ -f "$block" ] || continue
		kind=$(head -n 1 "$block")
		sed 1d "$block" >"$temp/body"
		case $kind in
		console) run_console "$temp/body" ;;
		*) cp "$temp/body" "${kind#file }" ;;
		esac
	done
}

for text in "$top_srcdir/README.md" "$top_srcdir"/doc/guide/*.md; do
	case $text in
	*/python.md) ;;
	*) run_page "$text" ;;
	esac
done

enter_room
for page in "$top_srcdir"/doc/*.[1-8]; do
	[ -f "$page" ] || continue
	awk '/^\.\\" not run:|^\x27\\" not run:/ { off = 1 }
		/^\.EE/ { if (inside) print "" ; inside = 0; off = 0 }
		inside && !off
		/^\.EX/ { inside = 1 }' "$page" | sed 's/\\-/-/g; s/\\e/\\/g; s/^\$ //; s/\\(aq/'"'"'/g' >"$temp/examples"
	while IFS= read -r command; do
		[ -n "$command" ] || continue
		sh -c "$command" >"$temp/out" 2>&1 </dev/null
		status=$?
		ok $status "$(basename "$page"): $command"
		[ "$status" -eq 0 ] || diag "$(head -n 10 "$temp/out")"
	done <"$temp/examples"
done

# slugs PAGE: prints the anchors of its headings.
slugs()
{
	sed -n 's/^#\{1,\} //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Each linked file and heading exists.
for text in "$top_srcdir"/*.md "$top_srcdir"/doc/*.md "$top_srcdir"/doc/guide/*.md; do
	folder=$(dirname "$text")
	grep -oE '\]\([^):]+\)' "$text" | sed 's/^](//; s/)$//' | sort -u | while read -r link; do
		file=${link%%#*}
		file=${file:+$folder/$file}
		[ -e "${file:-$text}" ] || { echo "$(basename "$text") links to $link"; continue; }
		case $link in
		*.md\#* | \#*) slugs "${file:-$text}" | grep -qxF -- "${link#*\#}" || echo "$(basename "$text") links to $link: no such heading" ;;
		esac
	done
done >"$temp/dead"
is_empty "$(cat "$temp/dead")" "every file and heading that README and doc/ link to exists"

# Each variable that a text names exists.
find "$top_srcdir/README.md" "$top_srcdir/doc" -name '*.md' -exec grep -ohE '\<RANGES_[A-Z_]+' {} + |
	sort -u >"$temp/named"
grep -oE '"RANGES_[A-Z_]+"' "$top_srcdir/libranges/settings/config-table.c" | tr -d '"' | sort -u >"$temp/known"
is_empty "$(comm -23 "$temp/named" "$temp/known" | grep -vE '^RANGES_$|_$|^RANGES_TEST_')" \
	"every RANGES_ variable that README and doc/ name exists"
done_testing

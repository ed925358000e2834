#!/bin/sh
# SPDX-License-Identifier: MIT
# Colours and a pager are used only on terminals that understand them, and only if they are wanted.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the terminal, is missing"
unset NO_COLOR RANGES_PAGER PAGER

{
	echo 'event 1 0 1000 push name="step 1"'
	echo 'event 1 1 2000 pop'
} | python3 "$top_srcdir/tests/tools/text-log.py" "$temp/a.bin"

# on_terminal [NAME=VALUE...] COMMAND...: runs it on a terminal, in this environment, and writes its
# output to $temp/out.
on_terminal()
{
	env TERM=xterm PAGER=cat "$@" >"$temp/out" 2>&1
}

# has_colors: counts the lines of $temp/out with colours.
has_colors()
{
	if grep -q "$(printf '\033')" "$temp/out"; then echo yes; else echo no; fi
}

show=$temp/show
cat >"$show" <<END
#!/bin/sh
exec python3 "$top_srcdir/tests/tools/screen.py" 100 10 "$analyzer" "\$@"
END
chmod +x "$show"
on_terminal "$show" "$temp/a.bin"
is "$(has_colors)" yes "a terminal gets colours"
tr -d '\033' <"$temp/out" | sed 's/\[[0-9]*m//g' >"$temp/plain"
on_terminal NO_COLOR=1 "$show" "$temp/a.bin"
is "$(has_colors)" no "not if NO_COLOR is set"
is "$(cat "$temp/out")" "$(cat "$temp/plain")" "the text is the same, in the same lines"
on_terminal NO_COLOR= "$show" "$temp/a.bin"
is "$(has_colors)" yes "but it has to say something"
on_terminal TERM=dumb "$show" "$temp/a.bin"
is "$(has_colors)" no "nor does a dumb one"
on_terminal "$show" --color=never "$temp/a.bin"
is "$(has_colors)" no "nor with --color=never"
on_terminal "$show" stats "$temp/a.bin" -r ranges,threads
is "$(has_colors)" yes "reports have colours, too"
on_terminal "$show" stats "$temp/a.bin" -f csv
is "$(has_colors)" no "but not as CSV"
"$analyzer" "$temp/a.bin" >"$temp/out"
is "$(has_colors)" no "a pipe gets none"
NO_COLOR=1 "$analyzer" "$temp/a.bin" --color=always >"$temp/out"
is "$(has_colors)" yes "but with --color=always"
"$analyzer" "$temp/a.bin" --color=blue >"$temp/out" 2>&1
is $? 2 "another word is refused"

# wide: prints the lines of $temp/out that are wider than the terminal.
wide()
{
	python3 -c 'import sys
sys.stdout.writelines(line for line in sys.stdin if len(line) > 101)' <"$temp/out"
}
echo '{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":2,"args":{"device":0,"stream":7}}]}' >"$temp/trace.json"
on_terminal "$show" stats --list
is "$(wide)" "" "the list of reports fits into it"
on_terminal "$show" info "$temp/trace.json"
is "$(wide)" "" "and what a trace is"
on_terminal "$show" "$temp/a.bin" "$temp/trace.json"
is "$(wide)$(grep -c . "$temp/out")" 3 "and messages"
is "$("$analyzer" "$temp/a.bin" "$temp/trace.json" 2>&1 | grep -c .)" 1 "which are a line elsewhere"
"$analyzer" "$temp/a.bin" -w 40 >"$temp/out"
is "$(python3 -c 'import sys
sys.stdout.writelines(line for line in sys.stdin if len(line) > 41)' <"$temp/out")" "" "the summary is made as wide as -w says"

"$analyzer" diff "$temp/a.bin" "$temp/a.bin" -w 40 >"$temp/out"
is "$(python3 -c 'import sys
sys.stdout.writelines(line for line in sys.stdin if len(line) > 41 and "/" not in line)' <"$temp/out")" "" "and so is a comparison"

pager='sed s/^/P:/'
paged()
{
	echo "$(grep -c '^P:' "$temp/out") of $(grep -c . "$temp/out")"
}
on_terminal RANGES_PAGER="$pager" "$show" stats "$temp/a.bin"
is "$? $(paged)" "0 6 of 6" "what people read on a terminal goes to RANGES_PAGER"
on_terminal PAGER="$pager" "$show" stats "$temp/a.bin"
is "$(paged)" "6 of 6" "or to PAGER"
on_terminal PAGER="$pager" RANGES_PAGER= "$show" stats "$temp/a.bin"
is "$(paged)" "0 of 5" "or, where RANGES_PAGER is empty, to none"
on_terminal PAGER="$pager" "$show" --no-pager stats "$temp/a.bin"
is "$(paged)" "0 of 5" "nor with --no-pager"
on_terminal PAGER="$temp/none -x" "$show" stats "$temp/a.bin"
is "$(paged)" "0 of 5" "nor to one that is not there"
on_terminal PAGER="$pager" "$show" stats "$temp/a.bin" -o "$temp/prefix"
is "$(grep -c '^P:' "$temp/out")" 0 "what is written to files needs none"
PAGER=$pager TERM=xterm "$analyzer" stats "$temp/a.bin" >"$temp/out"
is "$(paged)" "0 of 4" "a pipe is no terminal"
head -c 700 "$temp/a.bin" >"$temp/cut.bin"
on_terminal PAGER="$pager" "$show" stats --strict "$temp/cut.bin"
is "$? $(grep -c '^P:analyzer: ' "$temp/out")" "4 1" "complaints come after it, and the exit status stays"
done_testing

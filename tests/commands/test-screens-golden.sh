#!/bin/sh
# SPDX-License-Identifier: MIT
# Terminals of 80, 120 and 200 columns show the texts in tests/commands/screens/ for three traces
# and two logs: the summary and every report. In a real terminal nothing wraps.
#
# usage: test-screens-golden.sh; with UPDATE_GOLDEN=1 in the environment it writes what is shown there instead.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
tools=$top_srcdir/tests/tools
wanted=$top_srcdir/tests/commands/screens
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the traces, is missing"
case $analyzer in
/*) ;;
*) analyzer=$PWD/$analyzer ;;
esac

# shows NAME FILE...: the output for the files equals the text stored by this name.
shows()
{
	name=$1
	shift
	(cd "$temp" && python3 "$tools/screens.py" "$analyzer" "$@") >"$temp/$name.shown"
	if [ -n "${UPDATE_GOLDEN:-}" ]; then
		cp "$temp/$name.shown" "$wanted/$name.txt"
	fi
	cmp -s "$wanted/$name.txt" "$temp/$name.shown"
	same=$?
	[ "$same" = 0 ] || diag "$(diff -u "$wanted/$name.txt" "$temp/$name.shown" | sed -e 1,2d -e 40q)"
	ok "$same" "the screens of $name are those of tests/commands/screens/$name.txt"
}

case $tools in
/*) ;;
*) tools=$PWD/$tools wanted=$PWD/$wanted ;;
esac
python3 "$tools/screen-inputs.py" "$temp"
for log in solver cuda; do
	python3 "$tools/text-log.py" "$temp/$log.bin" "$temp/$log.txt"
	shows "$log" "$log.bin"
done
shows train train-0.json
shows ranks train-0.json train-1.json
shows serve serve.json

# A screen of tmux has a line for each line that the analyzer writes, if none is wider than it.
if command -v tmux >/dev/null 2>&1; then
	for width in 80 120 200; do
		tmux -S "$temp/tmux-$width" -f /dev/null new-session -d -x "$width" -y 400 \
			"cd '$temp' && RANGES_PAGER= NO_COLOR=1 '$analyzer' train-0.json 2>/dev/null >/dev/tty; echo :end:; exec sleep 600"
		tries=0
		until tmux -S "$temp/tmux-$width" capture-pane -p | grep -qx :end: || [ "$tries" = 600 ]; do
			sleep 0.1
			tries=$((tries + 1))
		done
		tmux -S "$temp/tmux-$width" capture-pane -p | sed '/^:end:$/,$d' >"$temp/screen"
		tmux -S "$temp/tmux-$width" kill-server
		is "$(cat "$temp/screen")" \
			"$(cd "$temp" && python3 "$tools/screens.py" --one "$width" "$analyzer" train-0.json)" \
			"tmux shows the summary as it is written, $width columns wide"
	done
else
	skip "tmux shows the summary as it is written" "tmux is missing"
fi
done_testing

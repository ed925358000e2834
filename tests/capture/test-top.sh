#!/bin/sh
# SPDX-License-Identifier: MIT
# `ranges top` shows what a running or hanging program is doing. It reads only the program's spool.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
hanger=$top_builddir/tests/capture/hanger
for program in "$ranges" "$analyzer" "$hanger"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID \
	RANGES_DOMAINS RANGES_SCHEDULE RANGES_CAPTURE_RANGE RANGES_DELAY RANGES_DURATION RANGES_STANDBY
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR

# start MODE [OPTION…]: starts the program under the launcher, and waits until it says that it is
# ready. $pid is the program's.
start()
{
	mode=$1
	shift
	rm -f at
	"$ranges" run -q -f -o "$mode.bin" "$@" -- "$hanger" "$PWD/at" "$mode" &
	launcher=$!
	for _ in $(seq 1 3000); do
		[ ! -e at ] || break
		sleep 0.02
	done
	pid=$("$ranges" ctl status --name hanger | sed -n '1s/ .*//p')
}

end()
{
	kill -9 "$pid"
	wait "$launcher" 2>/dev/null
}

# top ARGUMENT…: writes out, err and rc.
top()
{
	rc=0
	"$ranges" top --interval 0.2 "$@" >out 2>err || rc=$?
}

# stack FILE: prints the names of the open ranges, one thread on each line.
stack()
{
	python3 - "$1" <<-'END'
		import json, sys
		top = json.load(open(sys.argv[1]))
		print("; ".join(" > ".join(r["name"] + ("@" + r["domain"] if r["domain"] else "") for r in t["open"])
		                for p in top["processes"] for t in p["threads"]))
	END
}

top --once
is "$rc: $(wc -l <err) $(cat out err)" "3: 1 ranges: top: no program of yours is recorded now" \
	"no program: one line, exit code 3"
for arguments in '--interval 0' '--interval' '--rows 0' '--rows x' '--every' '1 2' '--interval nan'; do
	# shellcheck disable=SC2086
	"$ranges" top $arguments >out 2>err
	is "$? $(wc -l <out)" "2 0" "wrong usage is refused: top $arguments"
done
top 0
is "$rc: $(cat err)" '2: ranges: top: expected a process number, not: 0; see "ranges top --help"' "a number that no process has"
top 4000000
is "$rc: $(cat err)" "3: ranges: top: there is no process 4000000" "a process that does not exist"
top $$
is "$rc: $(sed 's/[0-9][0-9]*/N/' err | cut -c 1-38)" "3: ranges: top: process N is not recorded" \
	"a process that is not recorded"

start hang
top "$pid"
grep -qE '^ *[0-9.]+ .?s +train$' out && grep -qE '^ +[0-9.]+ .?s {4}step$' out &&
	grep -qE '^ +[0-9.]+ .?s {6}allreduce@net$' out && grep -qE '^ +[0-9.]+ .?s +join$' out
ok $? "a program that hangs: the open ranges of each thread, with how long, outermost first"
[ $tap_failed -eq 0 ] || diag "$(cat out err)"
top --json hanger
is "$(stack out)" "join; train > step > allreduce@net" "the same as JSON, by the program's name"
top --json --filter ste
is "$(python3 -c 'import json; print([r["name"] for r in json.load(open("out"))["processes"][0]["ranges"]])')" "['step']" \
	"a filter leaves names that hold a text"
top --json --sort name
is "$(python3 -c 'import json; print([r["name"] for r in json.load(open("out"))["processes"][0]["ranges"]])')" \
	"['allreduce', 'join', 'step', 'train']" "tables are sorted as wanted"
# This is longer than events wait in the spool, so the log has them now.
"$ranges" ctl flush >/dev/null
top --json
is "$(stack out)" "join; train > step > allreduce@net" "the same when all of it has been written"
age='import json; print(json.load(open("out"))["processes"][0]["threads"][0]["open"][0]["open_ns"])'
before=$(python3 -c "$age")
sleep 1
top --json "$pid"
[ "$(python3 -c "$age")" -ge "$((${before:-0} + 1000000000))" ]
ok $? "a range is open for as long as it is"
if command -v setpriv >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
	cp "$ranges" "$temp/ranges"
	chmod 755 "$temp" "$temp/ranges" "$temp/spool"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$temp/ranges" top --once "$pid" >out 2>err
	is "$?: $(sed 's/[0-9][0-9]*/N/' err)" "3: ranges: top: process N belongs to another user" \
		"another user sees nothing of it"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$temp/ranges" top --json >out 2>err
	is "$?: $(cat err)" "3: ranges: top: no program of yours is recorded now" "nor that it is there"
	chmod 700 "$temp"
else
	skip "another user sees nothing of it" "needs root and setpriv"
fi

# screen PATTERN: true as soon as a line of the terminal matches.
screen()
{
	for _ in $(seq 1 300); do
		tmux -S "$temp/tmux" capture-pane -p >pane 2>/dev/null
		! grep -qE "$1" pane || return 0
		sleep 0.05
	done
	diag "no line like $1:"
	diag "$(cat pane)"
	return 1
}

# screen_without PATTERN: true as soon as no line matches.
screen_without()
{
	for _ in $(seq 1 300); do
		tmux -S "$temp/tmux" capture-pane -p >pane
		grep -qE "$1" pane || return 0
		sleep 0.05
	done
	return 1
}

# A program whose terminal goes away during its final search for leaks never ends.
on_terminal="ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 $ranges"
if command -v tmux >/dev/null 2>&1 &&
	tmux -S "$temp/tmux" -f /dev/null new-session -d -x 60 -y 14 "$on_terminal top --interval 0.2; echo rc \$?; sleep 60"; then
	screen '^ +[0-9.]+ .?s {6}allreduce@net$' && screen '^q quit  p pause  s sort: share  / filter  w snapshot  arrows'
	ok $? "on a terminal: what is open, and keys"
	tmux -S "$temp/tmux" send-keys s / s t e
	screen '^names that hold: ste_$' && screen_without '%  train$'
	ok $? "a filter is typed"
	tmux -S "$temp/tmux" send-keys Enter p
	screen '^q quit  p go on  s sort: calls  / filter: ste  w snapshot'
	ok $? "tables are sorted otherwise, and it stays as it is"
	tmux -S "$temp/tmux" send-keys w
	screen '^no snapshot: nothing is kept \(--keep\)$'
	ok $? "a snapshot of what is not kept is refused"
	tmux -S "$temp/tmux" send-keys Down
	screen '^q quit' && head -n 1 pane | grep -q 'thread'
	ok $? "an arrow scrolls"
	tmux -S "$temp/tmux" send-keys q
	screen '^rc 0$'
	ok $? "q ends it"
	tmux -S "$temp/tmux" kill-server
else
	skip "on a terminal" "tmux does not run here"
fi
end
top "$pid"
is "$rc: $(sed 's/[0-9][0-9]*/N/' err)" "3: ranges: top: there is no process N" "a program that was killed"

OMPI_COMM_WORLD_RANK=3
OMPI_COMM_WORLD_SIZE=4
export OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE
start deep
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE
top --once
grep -q '^[0-9]* hanger rank 3: on' out
ok $? "a rank of MPI is told"
top --json
is "$(stack out | sed 's,>,\n,g' | sed -n '1s/ *$//p;$s/^ *//p' | tr '\n' ,)" "level 39,level 99," \
	"of a deep stack the innermost ranges"
grep -q '"outer_not_shown":39}' out
ok $? "and how many are around them"
rows()
{
	sed '1,/ calls\/s /d' out | sed 's/.*% *//' | sort | tr '\n' ,
}
is "$(python3 -c 'import json
print(len([r for r in json.load(open("out"))["processes"][0]["ranges"] if r["name"][:6] == "level "]))')" 20 "JSON has a row for each name"
top --once
is "$(rows)" "level # × 61," "people are shown names that differ only by numbers as one row"
top --once --filter 'level 9'
is "$(rows)" "level 90,level 91,level 92,level 93,level 94,level 95,level 96,level 97,level 98,level 99," \
	"... unless they filter for some of them"
end

start back
top --json
is "$(stack out); $(grep -o '"outer_not_shown":[0-9]*' out)" 'level 0 > level 1 > level 2; "outer_not_shown":5' \
	"of one that was deep what was opened since"
end

RANGES_BUFFER=8M
export RANGES_BUFFER
start busy
bad=
for _ in 1 2 3; do
	top --json
	[ "$rc" -eq 0 ] || bad="exit code $rc: $(cat err)"
	strange=$(stack out | sed 's/[;>]/\n/g' | sed 's/^ *//;s/ *$//' | grep -vE '^(outer|inner|send@net|)$')
	[ -z "$strange" ] || bad="open: $strange"
	strange=$(python3 -c 'import json
for p in json.load(open("out"))["processes"]:
	for r in p["ranges"]:
		if r["name"] not in ("outer", "inner", "send") or r["share"] > 2.05 or r["domain"] not in ("", "net"):
			print(r)')
	[ -z "$strange" ] || bad="ranges: $strange"
done
is_empty "$bad" "a program that makes ranges as fast as it can: none that it does not make"
[ "$(python3 -c 'import json
print(min(r["calls"] for r in json.load(open("out"))["processes"][0]["ranges"]))')" -gt 0 ]
ok $? "and calls of each are counted"
end
"$analyzer" verify busy.bin >verify.txt 2>&1 || true
is "$(grep -c 'damaged' verify.txt)" 0 "its log is whole"

if command -v tmux >/dev/null 2>&1; then
	start hang --keep 1M
	tmux -S "$temp/tmux" -f /dev/null new-session -d -x 200 -y 14 "$on_terminal top --interval 0.2; sleep 60"
	screen '^q quit'
	tmux -S "$temp/tmux" send-keys w
	screen "^snapshot: $PWD/hang.s1.bin\$"
	ok $? "a key has a snapshot written"
	tmux -S "$temp/tmux" kill-server
	"$analyzer" dump hang.s1.bin | grep -q '^event .* push name="step"'
	ok $? "which is there"
	end
else
	skip "a key has a snapshot written" "tmux does not run here"
	skip "which is there" "tmux does not run here"
fi

start started
top --json
is "$(python3 -c 'import json; p = json.load(open("out"))["processes"][0]; print([r["name"] for r in p["started"]])')" \
	"['request 2', 'write', 'write', 'write']" "start/end ranges that are open, before they are in the log"
"$ranges" ctl flush >/dev/null
top --json
is "$(python3 -c 'import json; p = json.load(open("out"))["processes"][0]; print([r["name"] for r in p["started"]], p["started_more"])')" \
	"['request 2', 'write', 'write', 'write'] 0" "start/end ranges that are open"
top
is "$(sed -nE 's/^ {4} *[0-9.]+ .?s {2}([a-z].*)$/\1/p' out | tr '\n' ,):$(grep -c 'no range is open' out)" \
	"request 2,write (the oldest of 3),:0" "also for people, of each name the oldest"
end

# Ranges that one thread starts and another ends: the table has as many as the log. Few of the calls
# of `answer` take nearly all of its time, so the table has the longest.
cat >judge.py <<'END'
import json

bad = set()
for line in open("looks"):
    top = json.loads(line)["processes"][0]
    rows = {row["name"]: row for row in top["ranges"]}
    names = [row["name"] for row in top["started"]]
    if names.count("server") != 1 or set(names) - {"server", "request"}:
        bad.add("open: %s" % names)
    if set(rows) != {"server", "request", "answer"}:
        bad.add("ranges: %s" % sorted(rows))
        continue
    if not 0.9 < rows["server"]["share"] < 1.1 or "mean_ns" in rows["server"]:
        bad.add("server: %s" % rows["server"])
    if abs(rows["request"]["calls"] - rows["answer"]["calls"]) > 1 + top["not_seen"]:
        bad.add("requests: %d, answers: %d" % (rows["request"]["calls"], rows["answer"]["calls"]))
    for name in "request", "answer":
        row = rows[name]
        if not 0 < row["mean_ns"] <= row["max_ns"] or row["p99_ns"] > row["max_ns"]:
            bad.add("%s: %s" % (name, row))
    if rows["answer"]["max_ns"] < 2e7:
        bad.add("the largest: %s" % rows["answer"])
print("; ".join(sorted(bad)))
END
start requests
rm -f looks
for _ in 1 2 3; do
	top --json --interval 1.5 # events are written meanwhile
	cat out >>looks
done
is "$(python3 judge.py)" "" "start/end ranges are in the table, each call once, whichever thread ends it"
top --sort max
is "$(sed -nE 's/^ +[0-9].*%  ([a-z]+)$/\1/p' out | sed '/request/d' | tr '\n' ' ')" "answer server " "tables by the longest call"
end

start hang --standby
top "$pid"
grep -q '^[0-9]* hanger: off, cycle 0' out && grep -q 'not known while the capture is off' out
ok $? "a capture that is off says so"
end
done_testing

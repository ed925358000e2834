#!/bin/sh
# SPDX-License-Identifier: MIT
# JSON made from a log gives the same reports as the log, to the byte, and so does JSON made from
# that JSON. If somebody has changed the events, the events count.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
tools=$top_srcdir/tests/tools

# Every kind of event and definition, in ordinary logs and in logs that are cut, damaged or random.
"$top_builddir/libranges/ranges" run -f -o "$temp/steps.bin" -- "$top_builddir/examples/steps" >/dev/null 2>&1
ok $? "a program is recorded"
head -c 3000 "$temp/steps.bin" >"$temp/cut.bin"
python3 "$tools/payload-log.py" | python3 "$tools/text-log.py" "$temp/payload.bin"
for shift in 0 -30; do
	python3 "$tools/gpu-log.py" 1 $shift 150 $((shift == 0)) | python3 "$tools/text-log.py" "$temp/gpu$shift.bin"
done
set --
for name in gpu-json gpu-sync gpu-rules gpu-realtime waits counters deferred calls payload-report stats-group \
	footer-program domains-off verify-data json-numbers; do
	set -- "$@" "$top_srcdir/tests/cli/$name.sh"
done
python3 "$top_srcdir/tests/kineto/round-trip.py" "$analyzer" "$temp/logs" "$top_srcdir/tests/cli/lib" "$@" \
	"$top_srcdir/tests/data/format-1/odd.bin" "$temp/steps.bin" "$temp/cut.bin" "$temp/payload.bin" \
	"$temp/gpu0.bin" "$temp/gpu-30.bin" >"$temp/wrong" 2>"$temp/count" || echo "the script failed" >>"$temp/wrong"
is_empty "$(head -n 20 "$temp/wrong")" "$(tail -n 1 "$temp/count"): log, JSON of it and JSON of that give the same, whatever is asked"
[ ! -s "$temp/wrong" ] || diag "$(cat "$temp/count")"

# Other ways in.
"$analyzer" "$temp/steps.bin" -o "$temp/steps.json"
"$analyzer" "$temp/steps.bin" -o "$temp/steps.json.gz"
"$analyzer" dump "$temp/steps.bin" >"$temp/wanted"
for way in steps.json steps.json.gz; do
	"$analyzer" dump "$temp/$way" | cmp -s - "$temp/wanted"
	ok $? "$way holds every event"
	"$analyzer" dump - <"$temp/$way" | cmp -s - "$temp/wanted"
	ok $? "$way from a pipe too"
done

# says FILE: prints the footer's line on the log in it, and the name of a range.
says()
{
	"$analyzer" stats "$1" --report footer --format tsv 2>/dev/null | grep -o '[a-z]*_logs'
	"$analyzer" stats "$1" --format tsv 2>/dev/null | grep -o '^\(compute\|xompute\)'
}
grep -q '"name":"compute"' "$temp/steps.json"
ok $? "the program has ranges of a name"
is "$(says "$temp/steps.json")" compute "nothing was changed, and nothing is said"
sed 's/"name":"compute"/"name":"xompute"/' "$temp/steps.json" >"$temp/new.json"
is "$(says "$temp/new.json")" 'changed_logs
xompute' "events that were changed are what counts, and that is said"
"$analyzer" dump "$temp/new.json" >"$temp/said" 2>&1
is "$?:$(grep -c 'was changed after' "$temp/said")" 3:1 "what reads logs has none then"
"$analyzer" "$temp/new.json" -o "$temp/newer.json"
is "$(grep -c '"log":' "$temp/newer.json"):$(says "$temp/newer.json")" 0:xompute "when written again they are alone"
python3 -c 'import json, sys; sys.stdout.write(json.dumps(json.load(open(sys.argv[1]))))' "$temp/steps.json" >"$temp/new.json"
is "$(says "$temp/new.json")" 'changed_logs
compute' "white space that differs is a change: the events are read"
sed '/^"libranges"/!s/^"..../"!!!!/' "$temp/steps.json" >"$temp/new.json"
is "$(says "$temp/new.json")" 'damaged_logs
compute' "a log that is no base64 is damaged: the events are read"
sed '$s/.*/"AAAA"]}}/' "$temp/steps.json" >"$temp/new.json"
is "$("$analyzer" verify "$temp/new.json" | grep -c 'was not closed')" 1 "a log without its end is read as any"
head -c $(($(wc -c <"$temp/steps.json") - 200)) "$temp/steps.json" >"$temp/new.json"
is "$(says "$temp/new.json")" compute "a trace that ends within the log has its events"
sed '$s/}$/,"libranges":{"text_crc32":1,"log":["AAAA"]}}/' "$temp/steps.json" >"$temp/new.json"
is "$(says "$temp/new.json")" 'changed_logs
compute' "of two logs the last counts, which is not that of the events"

# Text that must not be revealed is not in the file.
"$analyzer" "$temp/steps.bin" -o "$temp/new.json" --rename s/compute/secret/
is "$(grep -c '"log":' "$temp/new.json")" 0 "names that --rename put others for are not in a log"
"$analyzer" "$temp/steps.bin" --without-log 2>"$temp/said"
is "$?:$(cat "$temp/said")" "2:analyzer: --without-log needs --output; see analyzer --help" "--without-log is of outputs"

# The text before the log may end anywhere in a block that is read, also in the middle of its key.
cat >"$temp/blocks.py" <<'PY'
import os, subprocess, sys
analyzer, maker, folder = sys.argv[1:]
os.chdir(folder)
def make(length):
    with open("b.txt", "w") as text:
        text.write("capture pid=7 clock=\"monotonic\"\ndef stream id=1 tid=7\nevent 1 0 1 push name=\"%s\"\n"
                   "event 1 1 2 pop\nend status=\"clean\"\n" % ("n" * length))
    subprocess.run([sys.executable, maker, "b.bin", "b.txt"], check=True)
    subprocess.run([analyzer, "b.bin", "-o", "b.json"], check=True)
    return open("b.json", "rb").read().index(b'\n"libranges":{')
rest = make(1) - 1
for inside in (0, 1, 13, 14):
    at = make(65536 - inside - rest)
    dump = [subprocess.run([analyzer, "dump", name], stdout=subprocess.PIPE).stdout for name in ("b.bin", "b.json")]
    if at != 65536 - inside or dump[0] != dump[1] or b"nnn" not in dump[0]:
        print(f"the key {inside} bytes before the end of a block is not found, it is at {at}")
PY
is_empty "$(python3 "$temp/blocks.py" "$analyzer" "$tools/text-log.py" "$temp" 2>&1)" "a key across two blocks is found"
done_testing

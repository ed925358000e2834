#!/bin/sh
# SPDX-License-Identifier: MIT
# A log that is cut anywhere, or in which a byte is flipped, gives results or a clear line, and never more.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"

cd "$temp" || exit 1
text_log()
{
	python3 "$top_srcdir/tests/tools/text-log.py" "$1"
}

for i in 1 2 3 4 5 6 7 8; do
	echo "event $((i % 2 + 1)) 0 $((i * 100)) push name=\"range $i\" domain=$((i % 3)) color=#FF00FF00"
	echo "event $((i % 2 + 1)) 0 $((i * 100 + 50)) pop domain=$((i % 3))"
done >events
{
	printf '%s\n' 'capture pid=100 exe="/bin/x" clock="monotonic"' \
		'clock ticks=0 mono=0 real=0 boot=0 err=0' 'def domain id=1 name="a"' \
		'def domain id=2 name="b"' 'def stream id=1 tid=100' 'def stream id=2 tid=101'
	cat events
	echo 'clock ticks=900 mono=900 real=900 boot=900 err=0'
} | text_log log

# One run reads many files: the result of each command for each damaged copy.
cat >try.py <<'PY'
import os, subprocess, sys
analyzer, log = sys.argv[1], open("log", "rb").read()
good = subprocess.run([analyzer, "dump", "log"], capture_output=True).stdout.splitlines()
events = {line.split(b" ", 4)[4] for line in good if line.startswith(b"event")}
faults = []
def judge(name, data, commands):
    open("bad", "wb").write(data)
    for command in commands:
        done = subprocess.run([analyzer, *command], capture_output=True, timeout=20)
        said = done.stderr.decode().splitlines()
        fault = None
        if done.returncode not in ((0, 3) if command[0] != "verify" else (0, 1, 3)):
            fault = f"exit status {done.returncode}"
        elif len(said) > 11 or any(not line.startswith("analyzer: bad: ") for line in said):
            fault = "more than clear lines"
        elif data != log and not said and command[0] != "verify":
            fault = "nothing is said"
        elif data != log and command[0] == "verify" and done.returncode == 0:
            fault = "verify finds it sound"
        elif said and any("offset " not in line for line in said if "more damaged" not in line):
            fault = "no offset"
        elif command[0] == "dump" and done.returncode == 0:
            found = [line for line in done.stdout.splitlines() if line.startswith(b"event")]
            lost = len(events) - len(found)
            # A chunk holds one or two events here; a flipped byte loses one chunk, or two that touch.
            if name.startswith("flip") and lost > 4:
                fault = f"{lost} events are lost"
        if fault:
            faults.append(f"{name}: {' '.join(command)}: {fault}: {said}")
every = int(sys.argv[2])
commands = [["dump", "bad"], ["verify", "bad"], ["bad", "-o", "out.json"]]
for at in range(0, len(log), every):
    judge(f"cut at {at}", log[:at], commands)
for at in range(0, len(log), every):
    flipped = bytearray(log)
    flipped[at] ^= 0xFF
    judge(f"flip at {at}", bytes(flipped), commands)
print("\n".join(faults[:20]))
PY
step=41 # all kinds of places; every byte takes minutes
is_empty "$(python3 try.py "$analyzer" "${STEP:-$step}" 2>&1)" \
	"each of $(wc -c <log) bytes / ${STEP:-$step} places gives results or one line with its offset"
done_testing

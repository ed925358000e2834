# SPDX-License-Identifier: MIT
# A reader that stops causes no message, whether the writer gets the signal or the error
if [ -n "${UNDER:-}" ]; then
	echo "a program that a signal ends is a complaint of its own under valgrind"
	exit 77
fi
write_small a.bin
python3 - <<'PY'
import os, subprocess
for is_ignored in (False, True):
    for command in ("dump", "info"):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(["analyzer", command, "a.bin"], stdout=writer, stderr=subprocess.PIPE,
                              restore_signals=not is_ignored)
        print(is_ignored, command, done.returncode, done.stderr)
        os.close(writer)
PY

# A pipe can be named.
analyzer a.bin -o /dev/stdout --to perfetto | grep -c '"ph":"X"'

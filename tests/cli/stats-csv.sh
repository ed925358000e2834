# SPDX-License-Identifier: MIT
# CSV has full keys and disarmed names; standard error says what the log lacks
text-log a.bin <<'LOG'
event 1 0 1000000000 push name="=cmd|' /C calc'!A0"
event 1 1 1000000010 push name="a, \"b\"\n\x1b[31m\xff"
event 1 2 1000000020 pop
event 1 3 1000000030 pop
event 1 4 1000000040 pop
LOG
analyzer stats a.bin --format csv
echo ---
analyzer stats a.bin --format tsv --report ranges,threads 2>&1

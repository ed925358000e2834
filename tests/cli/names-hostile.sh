# SPDX-License-Identifier: MIT
# Names of files and of ranges reach no terminal as controls, and no spreadsheet as formulas
hostile=$(printf 'a\033[31m\302\233b.bin')
text-log "$hostile" <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="@main"
event 1 0 1000 push name="=1+1"
event 1 1 2000 pop
event 1 2 2000 push name="-cmd|' /C calc'!A0"
event 1 3 3000 pop
end status="clean"
LOG
analyzer verify "$hostile"
analyzer stats -r ranges,threads -f tsv "$hostile"
analyzer stats -r ranges,threads -f csv "$hostile"
analyzer stats "$hostile.none"
analyzer "$hostile.none"
printf 'no log' >"$hostile"
analyzer stats "$hostile"

# SPDX-License-Identifier: MIT
# verify reports every violation of the format
text-log a.bin <<'LOG'
capture pid=1 clock="tsc"
event 1 0 5 push name=#7
event 1 1 6 push domain=3
chunk flags=0 first=0 last=9
event 1 2 8 start name="a"
event 1 3 8 end
chunk sequence=5
event 1 2 8 mark name="a"
chunk sequence=4
def category id=1 name=#50
raw 4 "\x80"
end events=99 strings=99 defs=9
LOG
analyzer verify a.bin

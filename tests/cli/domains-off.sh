# SPDX-License-Identifier: MIT
# summary, info and dump name the domains that the capture left out
text-log a.bin <<'LOG'
capture tool="text-log" clock="monotonic"
clock ticks=1000000000 mono=1000000000 real=1790000000000000000 boot=1000000000 err=7
def domain_off id=0 name="default"
def domain id=1 name="kept"
def domain_off id=1 name="NCCL"
def domain_off id=2 name="odd\n name"
def domain_off id=3 name=#77
event 1 0 1000000000 mark name="step" domain=1
LOG
analyzer a.bin | grep '^note'
analyzer info a.bin | grep '^domains_off'
analyzer info --format json a.bin | grep -o '"domains_off":[[][^]]*[]]'
analyzer dump a.bin | grep '^def domain'
for i in 4 5 6 7 8 9 10 11 12; do
	echo "def domain_off id=$i name=\"d$i\""
done | text-log b.bin
analyzer b.bin | grep '^note'

# SPDX-License-Identifier: MIT
# Flame graphs of deep stacks: 512 frames, and one frame with the whole weight of everything deeper
awk 'BEGIN {
	print "capture pid=7 clock=\"monotonic\""
	print "def stream id=1 tid=7 name=\"main\""
	for (i = 0; i < 2000; i++)
		printf "event 1 %d %d push name=\"f%d\"\n", i, 1000 + i, i
	for (i = 0; i < 2000; i++)
		printf "event 1 %d %d pop\n", 2000 + i, 4000 + i
	print "end status=\"clean\""
}' | text-log deep.bin
analyzer deep.bin -o deep.folded
awk -F '[; ]' '{ frames = NF - 1 > frames ? NF - 1 : frames; sum += $NF } END { print NR " lines", frames " frames", sum " ns" }' deep.folded
tail -n 1 deep.folded | sed 's/.*;\(f511;\)/\1/'
analyzer deep.bin -o deep.speedscope.json
python3 - <<'PY'
import json
file = json.load(open("deep.speedscope.json"))
profile = file["profiles"][0]
print(len(profile["samples"]), "samples", max(map(len, profile["samples"])), "frames", sum(profile["weights"]), "ns")
print(file["shared"]["frames"][profile["samples"][-1][-1]])
PY

# SPDX-License-Identifier: MIT
# Counts of threads in ranges: sums, a range inside itself, uncounted ends, ranges that stay open, steps
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic" counts="instructions"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="a" count1=101
event 1 1 1100 push name="a" count1=151
event 1 2 1200 pop count1=161
event 1 3 1300 push name="b" count1=171
event 1 4 1400 pop count1=171
event 1 5 1500 pop count1=201
event 1 6 1600 push name="a" count1=1001
event 1 7 1700 pop count1=1011
event 1 8 1800 push name="c" count1=2001
event 1 9 1900 pop
event 1 10 2000 push name="c"
event 1 11 2100 pop count1=9001
event 1 12 2200 push name="d" count1=9002
LOG
analyzer stats -r ranges -f csv a.bin | awk -F, -v OFS=, '{ $2 = $3 = $4 = $5 = $6 = $7 = $8 = $10 = $11 = $12 = ""; gsub(/,,+/, ","); print }'
python3 - <<'PYTHON'
text = ['capture pid=7 clock="monotonic" counts=LIST', 'def stream id=1 tid=7 name="main"', 'def stream id=2 tid=8 name="other"']
for stream in 1, 2:
    for i in range(3):
        at = 1000 + 100 * i
        text += ['event %d %d %d push name="step" count1=%d count2=%d count3=%d' % (stream, 2 * i, at, 10 * i + 1, 5 * i + 1, 900 * i + 1),
                 'event %d %d %d pop count1=%d count2=%d count3=%d' % (stream, 2 * i + 1, at + 50, 10 * i + 9, 5 * i + 5, 900 * i + 301 + i)]
open('three.txt', 'w').write('\n'.join(text) + '\n')
PYTHON
sed 's/counts=LIST/counts="instructions" "cycles" "task-clock"/' three.txt >words.txt && text-log b.bin <words.txt
analyzer stats -r ranges b.bin
analyzer stats -r ranges -f csv --step-range step --steps 1 b.bin 2>/dev/null | awk -F, -v OFS=, '{ $2 = $3 = $4 = $5 = $6 = $7 = $8 = $10 = $11 = $12 = ""; gsub(/,,+/, ","); print }'
sed 's/counts=LIST/counts="page-faults" "what else" "branch-misses"/' three.txt >words.txt && text-log c.bin <words.txt
analyzer stats -r ranges -f csv c.bin | awk -F, -v OFS=, '{ $2 = $3 = $4 = $5 = $6 = $7 = $8 = $10 = $11 = $12 = ""; gsub(/,,+/, ","); print }'

#!/bin/sh
# SPDX-License-Identifier: MIT
# Which ranks are slow and which are only late. A model makes runs of ranks, so the truth is known;
# a public trace has eight ranks.
. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer

# The model: a rank's thread works in ranges, launches a kernel and a collective, and waits for
# every second one. No rank leaves a collective before all have entered. Times are microseconds.
cat >"$temp/run.py" <<'PY'
import json, sys

RANKS, TURNS = 4, 8
folder, plan = sys.argv[1], json.loads(sys.argv[2])


def of(key, rank, usual):
    return plan.get(key, {}).get(str(rank), usual)


class Rank:
    def __init__(self, number):
        self.number = number
        self.cpu = self.begin = of("begin", number, 0)
        self.gpu, self.id, self.events = 0, 0, []

    def add(self, cat, name, start, dur, tid, **args):
        clock = of("clock", self.number, 0)
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if cat == "kernel" else 10,
                            "tid": tid, "ts": start + clock, "dur": dur, "args": args})

    # A range. If the plan has parts, it contains four others of equal time. "more" is lost in the
    # first.
    def work(self, name, dur):
        if name == "backward" and "parts" in plan:
            more, at = of("more", self.number, 0), self.cpu
            for part in range(4):
                length = (dur - more) // 4 + (more if part == 0 else 0)
                self.add("user_annotation", "part " + "ABCD"[part], at, length, 10)
                at += length
        self.add("user_annotation", name, self.cpu, dur, 10)
        if name == "backward" and "helper" in plan:
            for part in range(4):
                self.add("cpu_op", "evaluate " + "ABCD"[part], self.cpu + 10 + part * (dur - 20) // 4, (dur - 20) // 4, 11)
        self.cpu += dur

    def launch(self, name, dur, until=None):
        self.id += 1
        self.add("cuda_runtime", "cudaLaunchKernel", self.cpu, 5, 10, correlation=self.id)
        start = max(self.cpu + 10, self.gpu)
        self.cpu += 5
        if dur is not None:
            self.kernel(name, start, dur)
        return start

    def kernel(self, name, start, dur):
        self.add("kernel", name, start, dur, 7, stream=7, device=0, correlation=self.id)
        self.gpu = start + dur

    def wait(self):
        end = max(self.gpu, self.cpu) + 5
        self.add("cuda_runtime", "cudaStreamSynchronize", self.cpu, end - self.cpu, 10, correlation=0)
        self.cpu = end


ranks = [Rank(r) for r in range(RANKS)]
for turn in range(TURNS):
    starts = []
    for rank in ranks:
        rank.work("forward", of("forward", rank.number, 300))
        rank.work("backward", of("backward", rank.number, 500) + of(("even", "odd")[turn % 2], rank.number, 0))
        if "idle" not in plan:
            rank.launch("gemm", of("gemm", rank.number, 100) + (50 if "odd" in plan and turn % 2 else 0))
        starts.append(rank.launch("nccl", None))
    for rank, start in zip(ranks, starts):
        rank.kernel("ncclDevKernel_AllReduce", start, max(starts) + 20 - start)
        if turn % 2 == 1:
            rank.wait()
for rank in ranks:
    with open("%s/%d.json" % (folder, rank.number), "w") as file:
        json.dump({"schemaVersion": 1, "distributedInfo": {"rank": rank.number},
                   "traceEvents": rank.events}, file)
PY

# rows KEY...: prints these columns of each rank in $temp/run, in the order of ranks.
rows()
{
	"$analyzer" stats -r stragglers -f json "$temp/run" 2>/dev/null | python3 -c '
import json, sys
for row in sorted(json.load(sys.stdin)["reports"]["stragglers"], key=lambda row: row["rank"]):
    print(row["rank"], *(row.get(key) for key in sys.argv[1:]))' "$@"
}

# make PLAN: makes a run in $temp/run.
make_run()
{
	rm -rf "$temp/run"
	mkdir "$temp/run"
	python3 "$temp/run.py" "$temp/run" "$1"
}

# All columns on the delays of each rank.
delays()
{
	rows start_late_ns slower_ns slower_in others_wait_ns others_wait_slower_ns others_wait_start_ns others_first_ns
}

# ranks ROW0 ROW1 ROW2 ROW3: the rows of the ranks. A dash: nothing is late.
ranks()
{
	number=0
	for row in "$@"; do
		[ "$row" != - ] || row="0 0 None 0 0 0 0"
		echo "$number $row"
		number=$((number + 1))
	done
}

# finding: prints the sentence below the table.
finding()
{
	"$analyzer" stats -r stragglers "$temp/run" -w 0 2>/dev/null | sed -n 's/^Slow ranks: //p'
}

make_run '{}'
is "$(delays)" "$(ranks - - - -)" "of equal ranks none is late or slow"
is "$(finding)" "no rank's own work between collectives takes 2 % longer than the middle rank's and holds up others" \
	"... and it says so"

# The thread waits for each second collective, so a rank is late by one turn of 100 us, then by two.
slow="100000 700000 backward 3300000 3000000 300000 300000"
make_run '{"backward": {"2": 600}}'
is "$(delays)" "$(ranks - - "$slow" -)" "a rank that works 100 us longer in each of seven stretches, and where"
is "$(finding)" "rank 2 is slower: its own work between collectives takes 700.000us (+11 %) longer than the middle rank's, most of it in backward (first at 300.000us of its recording), 4.800ms instead of 4.000ms (+20 %); its GPU work between collectives takes 700.000us where the middle rank's takes 700.000us: it loses that on the CPU; the others waited 3.000ms for that (summed over 3 ranks); where it came last, the first to come waited 1.100ms in all; curing just this rank gains up to 700.000us" \
	"... in a sentence"
make_run '{"backward": {"2": 600}, "clock": {"2": 3600000000}}'
is "$(delays)" "$(ranks - - "$slow" -)" "... the same if its clock is an hour ahead"
is "$("$analyzer" why "$temp/run" -w 0 2>/dev/null | sed -n '1p; /^Slow ranks/p')" "Of 4 ranks $(finding)." \
	"why says the same sentence first, and not again"
is "$("$analyzer" why "$temp/run/0.json" "$temp/run/2.json" -f json 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["footers"][0]["slow_ranks"][:16])')" "rank 2 is slower" \
	"... in JSON as the reports have it"

# Rank 3 comes 10 us before rank 2, after every second collective 20 us.
make_run '{"backward": {"2": 600, "3": 590}}'
is "$(finding | grep -o 'just this rank gains [^;.]*\(\.[0-9]*us\)*\|Curing.*')" "just this rank gains up to 110.000us
just this rank gains nothing, as others come last
Curing ranks 2 and 3 together gains up to 700.000us, as they are late for the same collectives" \
	"of two slow ranks, both have to be cured"
is "$("$analyzer" stats -r stragglers "$temp/run" -w 0 2>/dev/null | grep '^Held up most by: rank 2' | grep -o 'curing.*')" \
	"curing just this rank gains up to 110.000us, ranks 2 and 3 together up to 700.000us; that is where it was, not why it is slow" \
	"... and the line on the worst says so, too"
is "$("$analyzer" why --brief=2000 "$temp/run" 2>/dev/null | grep -o '^left out for .*\|^Slower by\|^Exposed')" "left out for --brief: stragglers, overlap" \
	"why explains no columns of tables that are left out"
# Kernels of odd turns are longer: four of 150 us, three of 100 us.
make_run '{"even": {"2": 200}, "odd": {"3": 200}}'
is "$(finding | grep -o 'its GPU work between[^:]*')" "its GPU work between collectives takes 900.000us where the middle rank's takes 900.000us
its GPU work between collectives takes 900.000us where the middle rank's takes 900.000us" \
	"GPU work is that of all stretches, whichever a rank is slower in"

# The others run ahead by a turn less 25 us until they wait; rank 1 has nothing to wait for.
make_run '{"begin": {"1": 5000}}'
is "$(delays)" "$(ranks - "5000000 0 None 2070000 0 2070000 15000000" - -)" \
	"a rank that begins 5 ms later is late, but no slower"
is "$(finding)" "no rank's own work between collectives takes 2 % longer than the middle rank's and holds up others. Rank 1 is late from the start: it entered the first collective 5.000ms after the middle rank, and is no slower: the others waited 15.000ms for it there (summed over 3 ranks), as the recordings need not begin together, and 2.070ms until it had caught up" \
	"... in a sentence"
make_run '{"begin": {"1": 5000}, "backward": {"2": 600}}'
is "$(delays)" "$(ranks - "5000000 0 None 2070000 0 2070000 14900000" "100000 700000 backward 2700000 2700000 0 0" -)" \
	"a late rank hides no slow one"
make_run '{"begin": {"1": 5000}, "backward": {"2": 540}}'
is "$("$analyzer" stats -r ranks "$temp/run" -w 0 2>/dev/null | grep '^The others')" \
	"The others wait for rank 2 in collectives: 1.080ms, 3.4 % of their steps (it is slower: its own time between them is 280.000us, 4 %, longer than the middle rank's); for rank 1: 2.070ms, 5.6 % (late from the start, no slower itself)" \
	"... nor in the report ranks, though the others wait longer for the late one"
"$analyzer" summarize "$temp/run" -o "$temp/run.sum"
is "$("$analyzer" stats -r ranks "$temp/run.sum" -w 0 2>/dev/null | grep '^The others')" \
	"$("$analyzer" stats -r ranks "$temp/run" -w 0 2>/dev/null | grep '^The others')" "... nor from their summary"
"$analyzer" "$temp/run" -o "$temp/run.html" 2>/dev/null
is "$(grep -o '<p class=note id=findings-of>[^.]*' "$temp/run.html")" '<p class=note id=findings-of>Of rank 2, which the others wait for' \
	"... nor on the page"
make_run '{"gemm": {"0": 1000, "1": 1000, "2": 1000, "3": 1300}}'
is "$(delays)" "$(ranks - - - "300000 2100000 gemm 6300000 6300000 0 900000")" \
	"a rank with a slow GPU, and its kernels, though its thread waits for it"
is "$(finding | grep -c CPU)" 0 "... which is not said to lose it on the CPU"
make_run '{"backward": {"2": 600}, "gemm": {"2": 150}}'
is "$(finding | grep -c CPU)" 0 "... nor is one whose GPU work is longer, too"
make_run '{"backward": {"2": 600}, "idle": {}}'
is "$(finding | grep -c 'most of it in backward') $(finding | grep -c CPU)" "1 0" "... nor one that no GPU work is known of"
make_run '{"backward": {"2": 600}, "parts": {}}'
is "$(finding | grep -c 'most of it in backward .*: the CPU is slower in all of it, as no range inside makes up half, so look at the host (clock, pinning, neighbours);')" 1 \
	"a rank that is slower in all parts of a range has a slow CPU"
is "$("$analyzer" stats -r stragglers "$temp/run" -w 0 2>/dev/null | sed -n '/^Slow ranks:/,$p' | grep -c '^Held up most by: rank 2, .*; that is where it was, not why it is slow$')" 1 \
	"... and where it was in the worst waits is not why, which is said last"
make_run '{"backward": {"2": 600}, "parts": {}, "more": {"2": 100}}'
is "$(finding | grep -c 'most of it in part A (first at 300.000us of its recording), 1.800ms instead of 1.000ms (+80 %); .*: it loses that on the CPU;')" 1 \
	"... one that is slower in a single part is told that part"
alone="on thread 11 alone, whose ranges in it take 4.640ms instead of 3.840ms (+21 %), while the range's own thread, 10, is no slower outside of it;"
make_run '{"backward": {"2": 600}, "helper": {}}'
is "$(finding | grep -c "most of it in backward .* 4.800ms instead of 4.000ms (+20 %), $alone .*: the CPU is slower in all that this thread does, so look at its core (clock, pinning, neighbours);")" 1 \
	"a rank that is slower only in the thread that does the work of a range"
make_run '{"backward": {"2": 600}, "forward": {"2": 320}, "helper": {}}'
is "$(finding | grep -c "most of it in backward") $(finding | grep -c "alone")" "1 0" "... but not where the range's own thread is slower elsewhere, too"
make_run '{"begin": {"1": 5000}, "backward": {"2": 600}}'
is "$("$analyzer" stats -r stragglers "$temp/run" -f csv 2>/dev/null | cut -d, -f1 | tr '\n' ' ')" "rank 2 1 0 3 " \
	"slow ranks stand first, then those that are late"
make_run '{"backward": {"0": 500, "1": 501, "2": 502, "3": 499}}'
is "$(finding)" "no rank's own work between collectives takes 2 % longer than the middle rank's and holds up others" \
	"little is worth no word"

# Two groups of two ranks call different numbers of collectives of one name. After the second
# collective rank 0 loses the time that rank 1 lost before it.
rm -rf "$temp/run" && mkdir "$temp/run"
python3 - "$temp/run" <<'PY'
import json, sys

for rank, (group, calls) in enumerate((("1", (50, 70, 20)), ("1", (50, 30, 20)), ("2", (50, 90)), ("2", (40, 20)))):
    events, at = [], 0
    for number, dur in enumerate(calls):
        at += 1000
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": at - dur - 10,
                       "dur": 5, "args": {"correlation": number + 1}})
        events.append({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 7, "ts": at - dur,
                       "dur": dur, "args": {"device": 0, "stream": 7, "correlation": number + 1, "Collective name": "allreduce",
                                            "Process Group Name": group, "Group size": 2}})
    with open("%s/%d.json" % (sys.argv[1], rank), "w") as file:
        json.dump({"schemaVersion": 1, "distributedInfo": {"rank": rank}, "traceEvents": events}, file)
PY
is "$(rows hits collectives late_ns slower_ns others_wait_slower_ns others_first_ns)" "0 0 5 0 40000 0 0
1 1 5 40000 40000 40000 0
2 0 5 0 0 0 0
3 2 5 80000 60000 60000 10000" "collectives are compared within their process group"
is "$("$analyzer" stats -r comm -f csv "$temp/run" 2>/dev/null | cut -d, -f1,3,7,8 | sed 1d | sort)" "0,3,100000,40000
1,3,100000,0
2,2,60000,80000
3,2,60000,0" "... so tells comm their waits"

traces=$top_srcdir/../shared/traces
if [ -e "$traces/dlrm_rank7.json.gz" ]; then
	is "$("$analyzer" stats -r stragglers -f json "$traces"/dlrm_rank?.json.gz 2>/dev/null | python3 -c '
import json, sys
for row in sorted(json.load(sys.stdin)["reports"]["stragglers"], key=lambda row: row["rank"]):
    print(row["rank"], row["start_late_ns"] // 1000, row["slower_ns"] // 1000, row.get("slower_in"))')" \
		"0 2533 69 None
1 0 114 None
2 4161 22 None
3 0 445 None
4 0 846 ## backward ##
5 0 901 ## backward ##
6 4165 19 None
7 4669 -26 None" "dlrm: ranks 4 and 5 are slow in backward, rank 7 is late from the start"
	is "$("$analyzer" why -w 0 "$traces"/dlrm_rank?.json.gz 2>/dev/null | sed -n 1p | grep -o 'first at [0-9.ms]*\|on thread [0-9]* alone, whose ranges in it take [0-9.]*ms instead of 3.804ms (+22 %)\|the CPU is slower in all that this thread does\|(summed[^)]*)')" \
		"first at 11.154ms
on thread 60023 alone, whose ranges in it take 4.643ms instead of 3.804ms (+22 %)
the CPU is slower in all that this thread does
(summed over 7 ranks)
first at 11.322ms
on thread 60015 alone, whose ranges in it take 4.640ms instead of 3.804ms (+22 %)
the CPU is slower in all that this thread does
(summed over 7 ranks)
(summed over 7 ranks)" "... and their kernels are as long as the others'"
else
	skip "dlrm: ranks 4 and 5 are slow in backward, rank 7 is late from the start" "no shared/traces"
	skip "... and their kernels are as long as the others'" "no shared/traces"
fi
done_testing

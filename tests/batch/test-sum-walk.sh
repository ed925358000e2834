#!/bin/sh
# SPDX-License-Identifier: MIT
# Summaries of logs are made while ranges are read. They have the same bytes as from a model that
# holds all ranges, whatever is wrong with the log. The same holds for stats of several logs, check
# and diff. Memory does not grow with the log.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
maker=$top_builddir/tests/tools/gen-log
for program in "$analyzer" "$maker"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
command -v python3 >/dev/null 2>&1 || skip_all "python3 is missing"
cd "$temp" || exit 1
mkdir logs

# differ LOG [OPTION...]: prints the differences between the two ways. A batch that also writes
# timelines holds ranges.
differ()
{
	log=$1
	shift
	rm -rf held read.sum
	"$analyzer" summarize "$log" -o read.sum "$@" >read.out 2>read.err
	read=$?
	"$analyzer" batch "$log" -o held --emit json.gz "$@" >held.out 2>held.err
	held=$?
	[ "$read$held" != 33 ] || return # it cannot be read
	[ "$read$held" = 00 ] || echo "$log $*: exit status $read and $held"
	cmp read.sum held/summary.sum || echo "in $log $*"
}

# compare OLD NEW: does the same for outputs from two logs. Without GPU work, a rule for it changes
# nothing, but makes the analyzer hold all ranges.
compare()
{
	for command in "stats" "stats -r ranges,overview,ranks --json" "stats --by rank" "diff" "diff --json" \
		"check --rule step.mean<1ms --rule range[*].total<1s"; do
		# shellcheck disable=SC2086 # words
		"$analyzer" $command "$1" "$2" >read.out 2>&1
		echo "exit $?" >>read.out
		# shellcheck disable=SC2086 # words
		"$analyzer" $command --attribute process "$1" "$2" >held.out 2>&1
		echo "exit $?" >>held.out
		cmp read.out held.out || echo "in $command $1 $2"
	done
}

# compare_next LOG: compares a log with the one before it. Of RANGES_TEST_SUM_PAIRS such pairs only the last is compared.
compare_next()
{
	number=$((number + 1))
	if [ -n "$last" ] && [ $((number % ${RANGES_TEST_SUM_PAIRS:-1})) -eq 0 ]; then
		compare "$last" "$1"
	fi
	last=$1
}

# ---- existing logs ----
number=0
last=
for log in "$test_dir"/data/*/*.bin "$test_dir"/fuzz/corpus/*; do
	differ "$log"
	case $log in
	*/gpu/*) continue ;; # --attribute is for these
	esac
	compare_next "$log"
done >found 2>&1
is_empty "$(head -n 20 found)" "logs of the tests"

# ---- random logs: threads, domains, depth, and every oddity, alone and together ---- Chunks are
# short, so that a short log has several. Logs of one name, and the last log, have more ranges than
# medians keep (4096), and than one batch of a walk holds (16384).
seed=0
last=
for odd in unmatched open losses spans marks attrs crossing names backwards unclosed \
	crossing,losses crossing,open crossing,losses,open,backwards,unmatched all all all; do
	seed=$((seed + 1))
	size="--pairs $((3000 + seed * 300)) --rows 800"
	case $seed in
	7 | 14 | 16) size="--pairs $((20000 + seed * 300)) --rows 4000" ;;
	esac
	# shellcheck disable=SC2086 # words
	"$maker" logs/$seed.bin --seed $seed $size --threads $((seed % 4 + 1)) --names $((seed % 7 * 3 + 1)) \
		--domains $((seed % 5 + 1)) --depth $((1 + seed * seed % 40)) --odd "$odd" || echo "gen-log failed"
	differ logs/$seed.bin
	compare_next logs/$seed.bin
done >found 2>&1
is_empty "$(head -n 20 found)" "random logs with all that is odd"

# ---- steps by their names, by calls, by a pattern; ranges of several threads that take longer from some time on ----
python3 - <<'END'
import random

def write(path, kind, threads, rounds, seed):
    dice = random.Random(seed)
    with open(path, "w") as out:
        print('capture pid=7 clock="monotonic"\ndef domain id=1 name="D"', file=out)
        for t in range(threads):
            print(f'def stream id={t + 1} tid={t + 7} name="{("main", "load", "work")[t % 3]}"', file=out)
        for t in range(threads):
            time = 1000 + t * 10
            for i in range(rounds // (t + 1)):
                late = time > rounds * 200
                if t == 0 and kind == "call" and i % 10 == 0:
                    print(f'event 1 0 {time} step id={i // 10}', file=out)
                if t == 0 and kind == "name":
                    print(f'event 1 0 {time} push name="step {i}"', file=out)
                if t == 0 and kind == "torch":
                    print(f'event 1 0 {time} push name="ProfilerStep#{i}"', file=out)
                time += dice.randrange(1, 5)
                for name in ("load", "compute", "enumerate(DataLoader)#x", "nccl:all_reduce"):
                    length = dice.randrange(10, 60) * (3 if late and name == "compute" else 1)
                    print(f'event {t + 1} 0 {time} push name="{name}" domain="D"', file=out)
                    print(f'event {t + 1} 0 {time + length // 3} push name="inner"', file=out)
                    print(f'event {t + 1} 0 {time + length // 2} pop', file=out)
                    print(f'event {t + 1} 0 {time + length} pop domain="D"', file=out)
                    time += length + dice.choice((0, 0, 7, 100))
                if t == 0 and kind in ("name", "torch"):
                    print(f'event 1 0 {time} pop', file=out)
                if i % 250 == 249:
                    print("chunk", file=out)
        print('end status="clean"', file=out)

for kind in ("none", "name", "call", "torch"):
    write(f"{kind}.text", kind, 3, 1500, 5)
write("other.text", "name", 2, 2000, 6)
END
for kind in none name call torch other; do
	python3 "$test_dir/tools/text-log.py" $kind.bin $kind.text || echo "text-log failed"
	differ $kind.bin
	differ $kind.bin --step-range "compute@D"
	differ $kind.bin --step-range "c*te"
	differ $kind.bin --rename 's/[0-9]+/N/'
done >found 2>&1
for kind in none name call torch; do
	compare $kind.bin other.bin
	compare other.bin $kind.bin
done >>found 2>&1
is_empty "$(head -n 20 found)" "steps of all kinds, with labels"
for kind in name call torch; do
	"$analyzer" stats -r ranks $kind.bin other.bin --json >ranks.json 2>err
	grep -q '"input":"'$kind'.bin".*"steps":[1-9][0-9]' ranks.json || echo "$kind has no steps"
done >found
is_empty "$(cat found)" "they are found"
"$analyzer" stats --by rank none.bin other.bin -f csv >ranges.csv 2>err
is "$(grep -c '^compute,.*,[23]\.[0-9]*$' ranges.csv)" 2 "and that ranges took longer"

# ---- memory ----
if [ "${SANITIZERS:-no}" = no ] && ! echo "${LOG_COMPILER:-}" | grep -q valgrind; then
	"$maker" large.bin --pairs 3000000 --threads 3 --depth 5 --names 5
	"$maker" other.bin --pairs 1000000 --threads 3 --depth 5 --names 5 --seed 2
	peak()
	{
		python3 - "$@" <<'END'
import os
import subprocess
import sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss if os.waitstatus_to_exitcode(status) < 2 else f"status {status}")
END
	}
	diag "a log of $(stat -c %s large.bin) bytes, 6 million events"
	for command in "summarize -j 1 -o large.sum" "stats --jobs 1 other.bin" "check -j 1 --rule lost==0 other.bin" \
		"diff -j 1 other.bin"; do
		# shellcheck disable=SC2086 # words
		kilobytes=$(peak "$analyzer" $command large.bin)
		diag "$command: $kilobytes KiB"
		[ "$kilobytes" -le 65536 ]
		ok $? "$command: at most 64 MiB of memory"
	done
	kilobytes=$(peak "$analyzer" stats --jobs 1 --attribute process large.bin other.bin)
	diag "held: $kilobytes KiB"
	[ "$kilobytes" -gt 98304 ]
	ok $? "which a model that holds the ranges exceeds"
else
	skip "memory" "a sanitizer takes it"
fi
done_testing

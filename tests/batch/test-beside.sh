#!/bin/sh
# SPDX-License-Identifier: MIT
# Several inputs are read in parallel. Whatever --jobs says, stdout, stderr, files and exit status
# are the same.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
cd "$temp" || exit 1

mkdir runs other
for seed in 1 2 3 4; do
	"$top_builddir/tests/tools/gen-log" "runs/$seed.bin" --pairs 20000 --level 0 --seed "$seed" --odd all
	"$top_builddir/tests/tools/gen-log" "other/$seed.bin" --pairs 20000 --level 0 --seed "1$seed"
done
head -c 200000 runs/4.bin >runs/5.bin # cut short
echo "no log" >runs/6.bin
"$analyzer" summarize other/1.bin -o runs/7.sum 2>/dev/null
is "$(find runs -name '*.bin' -size +100k | wc -l)" 5 "the inputs are large enough for processes"

# Under a sanitizer, other tests try one process.
numbers="1 2 7 all"
[ "${SANITIZERS:-no}" = no ] || numbers="2 7"

# same WHAT WORD...: a command gives the same with any number of processes.
same()
{
	what=$1
	shift
	wrong=
	for jobs in $numbers; do
		option=$([ "$jobs" = all ] || echo "--jobs=$jobs")
		# shellcheck disable=SC2086 # no word for all
		"$analyzer" "$@" $option >"out.$jobs" 2>"err.$jobs"
		echo "exit $?" >>"err.$jobs"
		cmp "out.${numbers%% *}" "out.$jobs" >/dev/null && cmp "err.${numbers%% *}" "err.$jobs" >/dev/null ||
			wrong="$wrong $jobs"
	done
	is "$wrong" "" "$what"
}

same "the summary of a folder" runs
is "$(grep -c 'runs/6.bin' err.2)$(tail -n 1 err.2)" "1exit 5" "what can't be read is told, in its place"
same "reports of several" stats -r overview,ranges -f csv runs/1.bin runs/2.bin runs/6.bin runs/3.bin
same "rows of ranks" stats --by rank runs/1.bin runs/2.bin runs/3.bin
same "rules" check --rule 'range.count > 1000000000' runs/1.bin runs/2.bin runs/5.bin
same "a comparison, whose calls are paired" diff --brief other other
same "a comparison" diff runs/1.bin other
mkdir good
cp runs/[123].bin good
same "a comparison of runs" diff good other
for jobs in 1 3; do
	"$analyzer" summarize -j "$jobs" good other -o "sum.$jobs" 2>/dev/null
done
is "$(cksum <sum.3)" "$(cksum <sum.1)" "a summary"
"$analyzer" summarize -j 0 good -o none.sum 2>err
is "$?$(grep -c 'not a number from 1 to 1024' err)" 21 "a number that is none is refused"

# If a process dies, nothing is lost: the command itself reads its input again.
cat >dies.c <<'E2'
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Called in each process before it begins. */
int prctl(int what, ...)
{
	const char *when = getenv("DIES");

	(void) what;
	(void) !write(9, "x", 1);
	if (when != NULL && strcmp(when, "all") == 0) {
		raise(SIGKILL);
	}
	if (when != NULL && getpid() % 2 == 0) {
		raise(SIGSEGV);
	}
	return 0;
}
E2
if [ "${SANITIZERS:-no}" = no ] && ${CC:-cc} -shared -fPIC -o dies.so dies.c 2>/dev/null; then
	for die in some all; do
		DIES=$die LD_PRELOAD=$temp/dies.so "$analyzer" runs --jobs 3 >out.die 2>err.die 9>processes
		echo "exit $?" >>err.die
		is "$(wc -c <processes)" 6 "a process for each log"
		"$analyzer" runs --jobs 1 >out.1 2>err.1
		echo "exit $?" >>err.1
		cmp out.1 out.die && cmp err.1 err.die
		is "$?" 0 "where $die processes die the answer is the same"
	done
else
	skip "a process for each log" "no compiler, or sanitizers"
	skip "where processes die the answer is the same" "no compiler, or sanitizers"
fi
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# ranges_step(): steps that a program declares are in its log, in reports, and in JSON made from the
# log.
. "${0%/*}/../lib.sh"
need_temp

ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
CC=${CC:-cc}
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a library with a sanitizer cannot be loaded into a program without" ;;
esac
cd "$temp" || exit 1

cat >program.c <<'EOP'
#include <ranges/nvtx.h>
#include <ranges/ranges.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void work(const char *name)
{
	nvtxRangePushA(name);
	nvtxRangePop();
}

int main(int argc, char **argv)
{
	int i;

	nvtxRangePushA("all");
	for (i = 0; i < 3; i++) {
		ranges_step();
		work("train");
	}
	ranges_step_end();
	work("validate");
	ranges_step_at(10, "warm-up");
	work("train");
	ranges_step();
	work("train");
	if (argc > 1 && strcmp(argv[1], "kill") == 0) {
		raise(SIGKILL);
	}
	if (argc > 1) { /* calls that cost nothing much, if nobody records */
		for (i = atoi(argv[1]); i > 0; i--) {
			ranges_step();
		}
	}
	nvtxRangePop();
	return 3;
}
EOP
# shellcheck disable=SC2086 # CC may have flags
$CC -O1 -Wall -Wextra -Werror -I"$top_srcdir/libranges/include" program.c -ldl -o program 2>cc.txt ||
	{ cat cc.txt >&2; skip_all "the program can't be compiled here"; }
./program 100000000
is $? 3 "where nobody records, a step is the test of a pointer"

"$ranges" run -q -o trace.bin -- ./program
is "$?:$("$analyzer" dump trace.bin | grep -o ' step.*' | tr '\n' ,)" \
	'3: step payload=u64:0, step payload=u64:1, step payload=u64:2, step_end, step name="warm-up" payload=u64:10, step payload=u64:11,' \
	"steps are counted, numbered and named in the log"
"$analyzer" verify trace.bin >/dev/null
is $? 0 "which is a log as it should be"

# csv FILE OPTION...: a report as rows of comma-separated values.
csv()
{
	file=$1
	shift
	"$analyzer" stats --format csv "$@" "$file" 2>/dev/null
}
is "$(csv trace.bin -r overview | cut -d, -f1 | tr '\n' ' ')" "step 0 1 2 10 11 " "reports are of these steps"
is "$(csv trace.bin -r ranges --steps 1-2 | cut -d, -f1-3 | tr '\n' ' ')" \
	"name,domain,kind train,(default),push/pop step,ranges.step,start/end " "which --steps chooses among"
is "$(csv trace.bin -r ranges | sed -n '/^step,/p;/^warm-up,/p' | cut -d, -f1-3,9)" \
	"step,ranges.step,start/end,4
warm-up,ranges.step,start/end,1" "each is a range by the name that it has"
is "$(csv trace.bin -r overview --step-range train | cut -d, -f1 | tr '\n' ' ')" "step 0 1 2 3 4 " \
	"--step-range comes first"
"$analyzer" trace.bin -o trace.json
is "$(grep -c '"ph":"b".*"domain":"ranges.step","payload":1[01]*,' trace.json)" 3 "the timeline has them on a row of their own"
is "$(csv trace.json -r overview,ranges; csv trace.json -r ranges --steps 2-10)" \
	"$(csv trace.bin -r overview,ranges; csv trace.bin -r ranges --steps 2-10)" \
	"and the JSON, read again, has the same steps"

"$ranges" run -q -o killed.bin -- ./program kill 2>/dev/null
is "$(csv killed.bin -r overview | cut -d, -f1 | tr '\n' ' ')" "step 0 1 2 10 11 " "no step is lost when the program is killed"

# An older libranges, whose table of functions ends before those for steps.
cat >old.c <<'EOP'
#include <stddef.h>
static const struct { size_t size; void *calls[4]; } calls = { sizeof(calls), { 0 } };
const void *ranges_entry(void);
const void *ranges_entry(void)
{
	return &calls;
}
EOP
# shellcheck disable=SC2086
$CC -shared -fPIC -O1 old.c -o old.so
NVTX_INJECTION64_PATH=$temp/old.so ./program
is $? 3 "an older libranges is asked for nothing that it lacks"
done_testing

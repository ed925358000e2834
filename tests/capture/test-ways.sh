#!/bin/sh
# SPDX-License-Identifier: MIT
# Unusual ways to enter and to leave a program.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
library=$top_builddir/libranges/.libs/libranges.so
[ -x "$ranges" ] || skip_all "$ranges is not built"
cd "$temp" || exit 1
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR

# ---- A statically linked program ----

cat >static.c <<'EOF'
#include <ranges/nvtx.h>
int main(void)
{
	nvtxRangePushA("a");
	nvtxRangePop();
	return 3;
}
EOF
why=
[ "${SANITIZERS:-no}" = no ] || why="sanitizers need a dynamic program"
[ -n "$why" ] || ${CC:-cc} -static -I"$top_srcdir/libranges/include" static.c -o static >cc.txt 2>&1 ||
	why="no static C library here"
if [ -n "$why" ]; then
	skip "a statically linked program is told about and runs unharmed" "$why"
else
	"$ranges" run -o static.bin -- ./static 2>err.txt
	is "$?:$(head -n 1 err.txt)" "3:ranges: a statically linked program can't be captured" \
		"a statically linked program is told about and runs unharmed"
fi

# ---- A main thread that has left while others go on ----

cat >left.c <<'EOF'
#include <pthread.h>
#include <unistd.h>
#include <ranges/nvtx.h>
static void *work(void *argument)
{
	for (int i = 0; i < 300 && access("go", F_OK) != 0; i++) {
		nvtxRangePushA("work");
		usleep(20000);
		nvtxRangePop();
	}
	return argument;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_exit(NULL);
}
EOF
if [ "${SANITIZERS:-no}" != no ]; then
	skip "a living program is not recovered" "its build has no sanitizers"
else
	${CC:-cc} -I"$top_srcdir/libranges/include" left.c -o left -lpthread -ldl
	"$ranges" run -o left.bin -- ./left 2>err.txt &
	sleep 0.5
	"$ranges" recover "$temp"/spool/*/ 2>recover.txt
	ls spool/*/*.spool >/dev/null 2>&1
	is "$?" 0 "the spool of a program whose main thread has left is not taken away while it lives"
	: >go
	wait
	is "$(sed 's/^ranges: [0-9]* events/ranges: N events/; s/(.*//' err.txt)" \
		"ranges: N events, 1 thread, 0 lost: left.bin " "and its log is complete in the end"
fi

# ---- A thread that ends long after its last event, inside a range ----

cat >quiet.c <<'EOF'
#include <pthread.h>
#include <unistd.h>
#include <ranges/nvtx.h>
static void *work(void *argument)
{
	nvtxRangePushA("left open");
	for (int i = 0; i < 1000 && access("seen", F_OK) != 0; i++) {
		usleep(10000);
	}
	return argument;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	nvtxMarkA("later");
	return 0;
}
EOF
if [ "${SANITIZERS:-no}" != no ]; then
	skip "a range left open ends with its thread" "its build has no sanitizers"
else
	${CC:-cc} -I"$top_srcdir/libranges/include" quiet.c -o quiet -lpthread -ldl
	RANGES_FLUSH_MS=1 "$ranges" run -q -o quiet.bin -- ./quiet &
	i=0
	while [ $i -lt 200 ] && ! "$top_builddir/analyzer/analyzer" dump quiet.bin 2>/dev/null |
		grep -q ' push '; do
		i=$((i + 1))
		sleep 0.02
	done
	: >seen
	wait
	"$top_builddir/analyzer/analyzer" stats quiet.bin --format json >quiet.json
	grep -q '"open":\[{"name":"left open",[^}]*"dur_ns":0}\]' quiet.json
	ok $? "a range left open ends with its thread, also if nothing was left to write by then"
fi

# ---- No file for the event buffer ----

cat >limited.c <<'EOF'
#include <signal.h>
#include <sys/resource.h>
#include <ranges/nvtx.h>
int main(void)
{
	const struct rlimit limit = { 300000, 300000 };

	setrlimit(RLIMIT_FSIZE, &limit);
	for (int i = 0; i < 1000; i++) {
		nvtxRangePushA("a");
		nvtxRangePop();
	}
	return 4;
}
EOF
if [ "${SANITIZERS:-no}" != no ]; then
	skip "a program whose files must stay small is captured" "its build has no sanitizers"
else
	${CC:-cc} -I"$top_srcdir/libranges/include" limited.c -o limited -ldl
	"$ranges" run -o limited.bin -- ./limited 2>err.txt
	is "$?" 4 "a program whose files must stay small ends as without us"
	is "$(tail -n 1 err.txt | sed "s|$temp/||")" "ranges: 2000 events, 0 lost: limited.bin" \
		"and the report is right though it has no spool"
	is "$(grep -c 'no NVTX range' err.txt)" 0 "nobody says that there was nothing"
fi

# ---- Under valgrind ----

why=
[ "${SANITIZERS:-no}" = no ] || why="its build has no sanitizers"
command -v valgrind >/dev/null 2>&1 || why="valgrind is missing"
if [ -n "$why" ]; then
	skip "valgrind's search for leaks ends soon" "$why"
else
	cat >leak.c <<'EOF'
#include <ranges/nvtx.h>
int main(void)
{
	for (int i = 0; i < 200000; i++) {
		nvtxRangePushA("a");
		nvtxRangePop();
	}
	return malloc(16) != NULL ? 6 : 0;
}
EOF
	${CC:-cc} -w -I"$top_srcdir/libranges/include" leak.c -o leak -ldl
	NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=leak.bin RANGES_EXIT_MS=30000 \
		timeout -s KILL 60 valgrind -q --error-exitcode=9 ./leak >err.txt 2>&1
	status=$?
	if grep -q "debuginfo reader: Possibly corrupted" err.txt; then
		skip "valgrind's search for leaks ends soon" "it cannot read this compiler's debug information"
	else
		is "$status:$(cat err.txt)" 6: "valgrind's search for leaks ends soon and finds no error"
	fi
fi

# ---- Preloaded, without a launcher ----

case ${SANITIZERS:-no} in
no)
	cat >plain.c <<'EOF'
#include <ranges/nvtx.h>
int main(void)
{
	nvtxRangePushA("a");
	nvtxRangePop();
	return 0;
}
EOF
	${CC:-cc} -I"$top_srcdir/libranges/include" plain.c -o plain -ldl
	LD_PRELOAD=$library RANGES_OUTPUT=preload.bin ./plain
	is "$?:$(ls preload.bin)" "0:preload.bin" "a preloaded library captures by itself"
	NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=inject.bin ./plain
	is "$?:$(ls inject.bin)" "0:inject.bin" "an injected one, too"
	is "$(find spool -name '*.spool')" "" "no spool is left behind"
	;;
*) skip "a preloaded library captures by itself" "a sanitizer must be loaded first" ;;
esac
done_testing

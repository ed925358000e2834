#!/bin/sh
# SPDX-License-Identifier: MIT
# exec: each program that a process becomes has a log of its own. The plain name belongs to the
# first, even if that program could not open its log before the next exec.
# shellcheck disable=SC2016 # texts for inner shells

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
emit=$top_builddir/tests/nvtx/emit
library=$top_builddir/libranges/.libs/libranges.so
analyzer=$top_builddir/analyzer/analyzer
for program in "$ranges" "$emit" "$library" "$analyzer"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID RANGES_STANDBY RANGES_THREADS
RANGES_SPOOL_DIR=$temp/spool
RANGES_EXIT_MS=60000
EMIT=$emit
export RANGES_SPOOL_DIR RANGES_EXIT_MS EMIT

# While the folder has another name, no log can be opened in it. These programs are gone before they
# can open one. script NAME LINE…: a program of these lines.
script()
{
	name=$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" >"$name"
	chmod +x "$name"
}
script first 'mv out away' 'echo $$ >pid' 'exec "$EMIT" 3 become=./last'
script last 'mv away out' 'unset RANGES_STANDBY' 'exec "$EMIT" 5'
script first-of-three 'mv out away' 'echo $$ >pid' 'exec "$EMIT" 3 become=./second'
script second 'exec "$EMIT" 4 become=./last'
script off 'export RANGES_STANDBY=on' 'exec ./first'
script lost 'mv out away' 'exec "$EMIT" 3 become=./lost-too'
script lost-too 'exec "$EMIT" 4 quit=0'

# clean: restores the state at the start.
clean()
{
	rm -rf out away pid "$temp"/spool/*
	mkdir out
}

# logs: prints the logs, with the number of ranges in each; the process id is shown as PID.
logs()
{
	for log in out/*; do
		printf '%s=%s ' "$(echo "${log#out/}" | sed "s/$(cat pid)/PID/")" "$("$analyzer" dump "$log" | grep -c ' push ')"
	done
}

clean
"$ranges" run -o out/log.bin ./first 2>err.txt
is "$?:$(logs)" "0:log.PID.bin=5 log.bin=3 " "the plain name is the first program's, who had no time to open its log"
clean
"$ranges" run -o out/log.bin ./first-of-three 2>err.txt
is "$?:$(logs)" "0:log.PID.1.bin=5 log.PID.bin=4 log.bin=3 " "of three programs each has the name of its turn"
is "$(tail -n 1 err.txt | grep -o "processes: [^,]*,")" "processes: out/log.bin," "and the first program's is named first"
clean
"$ranges" run --no-thread -o out/log.bin ./first-of-three 2>err.txt
is "$?:$(logs)" "0:log.PID.1.bin=5 log.PID.bin=4 log.bin=3 " "also if the launcher writes the logs"
clean
"$ranges" run -o out/log.%p.bin ./first 2>err.txt
is "$?:$(logs)" "0:log.PID.1.bin=5 log.PID.bin=3 " "so it is with names of the process's number"
clean
"$ranges" run -o out/log.%n.bin ./first 2>err.txt
is "$?:$(logs)" "0:log.1.bin=3 log.2.bin=5 " "and with numbered ones"
clean
"$ranges" run -o out/log.bin ./off 2>err.txt
is "$?:$(logs)" "0:log.bin=5 " "a program that recorded nothing has no claim to the name"
clean
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=out/log.bin ./first 2>err.txt
is "$?:$(logs)" "0:log.PID.bin=5 " "without a launcher, the plain name is kept"
"$ranges" recover --all 2>err.txt
is "$?:$(logs)" "0:log.PID.bin=5 log.bin=3 " "for the recovery of the first program's log"
clean
NVTX_INJECTION64_PATH=$library RANGES_OUTPUT=out/log.bin ./lost 2>err.txt
mv away out
for spool in "$temp"/spool/*/*.spool; do
	number=$((${number:-0} + 1))
	"$ranges" recover -o "out/$number.bin" "$spool" 2>>err.txt
done
echo none >pid
is "$(echo out/*):$(logs | grep -oE '=[34] ' | sort | tr -d '\n')" "out/1.bin out/2.bin:=3 =4 " \
	"a recovery gives logs the names that it is told"
clean
done_testing

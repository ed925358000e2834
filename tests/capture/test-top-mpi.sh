#!/bin/sh
# SPDX-License-Identifier: MIT
# `ranges top` on a terminal, for an MPI program that hangs because one rank does not go on. The
# screen equals that in tests/capture/screens.
#
# With RANGES_TEST_SCREENS=write the test stores the screen there.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
[ -x "$ranges" ] || skip_all "the program is not built"
[ "${SANITIZERS:-no}" = no ] || skip_all "MPI itself fails under sanitizers"
for program in mpicc mpirun tmux; do
	command -v "$program" >/dev/null 2>&1 || skip_all "there is no $program"
done
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
timeout 60 mpirun -n 1 --oversubscribe true >/dev/null 2>&1 || skip_all "mpirun does not start a program here"
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID \
	RANGES_DOMAINS RANGES_SCHEDULE RANGES_CAPTURE_RANGE RANGES_DELAY RANGES_DURATION RANGES_STANDBY RANGES_KEEP
mkdir "$temp/spool" "$temp/logs"
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
mpicc -O2 -I"$top_srcdir/libranges/include" "$top_srcdir/examples/mpi/stencil.c" -o "$temp/stencil" -lm 2>"$temp/err" ||
	skip_all "mpicc does not build it: $(head -n 1 "$temp/err")"
cd "$temp" || exit 1

# Rank 2 computes for 500 times as long as the others, so it is in `compute` nearly all the time.
mpirun --oversubscribe -n 4 "$ranges" run -o 'logs/log.%r.bin' -- ./stencil 1000000 2 0 >out 2>err &
job=$!
for _ in $(seq 1 600); do
	pids=$("$ranges" ctl status --all 2>/dev/null | sed 's/ .*//')
	[ "$(echo "$pids" | wc -w)" -lt 4 ] || break
	sleep 0.1
done
pid_of()
{
	"$ranges" top --json --interval 0.1 | python3 -c '
import json, sys
for p in json.load(sys.stdin)["processes"]:
    if p.get("rank") == int(sys.argv[1]):
        print(p["pid"])' "$1"
}
slow=$(pid_of 2)
if ! tmux -S "$temp/tmux" -f /dev/null new-session -d -x 90 -y 36 "$ranges top --interval 0.5; echo rc \$?; sleep 60"; then
	kill "$job"
	wait "$job"
	skip_all "tmux does not run here"
fi

# look: prints the screen without figures. It keeps only the presence of times and rates.
look()
{
	tmux -S "$temp/tmux" capture-pane -p | sed -E 's/^[0-9]+ stencil/PID stencil/; s/thread [0-9]+ /thread TID /
		s/[0-9.e+]+ events\/s/N events\/s/; s/[0-9.]+ [kM]B: .*\//SIZE: /
		s/^ {4} *[0-9.]+ (ns|us|ms|s) {2}/            TIME  /; s/^ {4} *[0-9]+ min [0-9]+ s {2}/            TIME  /
		s/^ +[0-9.e+]+( +([0-9.]+ (ns|us|ms|s)|-)){3} +/  FIGURES /; s/9[0-9]\.[0-9] %|10[0-9]\.[0-9] %/100 %/; s/ +$//' |
		sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' # without the empty lines at the end
}

wanted=$top_srcdir/tests/capture/screens/top-mpi.txt
# Rank 2 is stopped until the others wait for it, as they do in nine of ten steps.
same=1
for _ in $(seq 1 60); do
	kill -STOP "$slow"
	sleep 2
	look >screen
	cmp -s screen "$wanted" && same=0 && break
	[ "${RANGES_TEST_SCREENS:-}" != write ] || grep -q residual screen || break
	kill -CONT "$slow"
	sleep 0.2
done
if [ "${RANGES_TEST_SCREENS:-}" = write ]; then
	cp screen "$wanted" && same=0
fi
ok $same "a rank that does not go on: where it is, and in what the others wait for it" ||
	diag "$(diff screen "$wanted")"
tmux -S "$temp/tmux" send-keys q
for _ in $(seq 1 100); do
	tmux -S "$temp/tmux" capture-pane -p >pane
	! grep -q '^rc 0$' pane || break
	sleep 0.1
done
is "$(grep -c '^rc 0$' pane)" 1 "q ends it"
tmux -S "$temp/tmux" kill-server
kill -CONT "$slow"
kill "$job"
wait "$job"
is "$(find logs -name 'log.*.bin' | sort | tr '\n' ' ')" "logs/log.0.bin logs/log.1.bin logs/log.2.bin logs/log.3.bin " \
	"the job goes on, and each rank has a log when it is ended"
done_testing

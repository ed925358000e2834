#!/bin/sh
# SPDX-License-Identifier: MIT
# A capture that is switched on and off has exactly the GPU work that the program launched while it
# was on. Nothing of CUPTI is on in between.

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
prepare_cupti 130400

# steps_of LOG: prints the steps whose kernels are in it, as "number:kernels".
steps_of()
{
	"$analyzer" dump "$1" | sed -n 's/^event .* kernel name="in_step_\([0-9]*\)".*/\1/p' | sort -n | uniq -c |
		awk '{ printf "%s:%s ", $2, $1 }'
}

# ranges_of LOG: prints the names of the ranges that opened in it.
ranges_of()
{
	"$analyzer" dump "$1" | sed -n 's/^event .* push name="\([^"]*\)".*/\1/p' | tr '\n' ','
}

# steps COMMAND…: runs the program, which makes steps under a schedule.
steps()
{
	rm -f log*.bin
	RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 "$ranges" run -f -o log.%c.bin --schedule "$schedule" \
		"$temp/program" "$@" >"$temp/out" 2>"$temp/errors"
}

schedule=wait=80,warmup=3,active=1,repeat=2
steps init steps=200
is "$(echo log*.bin)" "log.1.bin log.2.bin" "two cycles give two logs"
is "$(steps_of log.1.bin)" "83:3 " "the first has the kernels of step 83, and no others"
is "$(steps_of log.2.bin)" "167:3 " "the second those of step 167"
is "$(ranges_of log.1.bin)$(ranges_of log.2.bin)" "step 83,step 167," "and the ranges"
is "$("$analyzer" dump log.2.bin | grep -c '^event .* api ')" 3 "and the calls"
is_empty "$(grep fake "$temp/errors")" "no rule of CUPTI is broken"

# calls COMMAND…: counts the calls of each of CUPTI's functions, and CUPTI's calls of us.
calls()
{
	rm -f "$temp/calls"
	FAKE_CUPTI_CALLS=$temp/calls steps init "$@"
	sort "$temp/calls" | uniq -c
}
schedule=wait=100,active=1
calls steps=1 >"$temp/few"
calls steps=50 sleep=1500 steps=49 >"$temp/many"
is "$(cat "$temp/many"):$(grep -c cuptiSubscribe "$temp/few")" "$(cat "$temp/few"):1" \
	"while the capture is off no function of CUPTI is called, nor are we by it"

# Without a warm-up the first launch comes directly after the switch.
schedule=wait=5,active=2,repeat=3
steps init steps=40
is "$(steps_of log.1.bin)$(steps_of log.2.bin)$(steps_of log.3.bin)" "5:3 6:3 12:3 13:3 19:3 20:3 " \
	"without warm-up nothing is missing either"

# Cycles that follow each other without a pause.
schedule=warmup=1,active=1,repeat=20
steps init steps=40
found=
for cycle in $(seq 1 20); do
	found="$found$(steps_of "log.$cycle.bin")"
done
is "$found" "$(for step in $(seq 1 2 39); do printf '%d:3 ' "$step"; done)" "twenty cycles in a row have their own kernels each"

# The program made its devices and streams while the capture was off.
is "$("$analyzer" dump log.20.bin | grep -c '^def context ')" 4 "contexts made before are known"

schedule=wait=80,warmup=3,active=1,repeat=2
steps init steps=83
is "$(sed -n 's/^ranges: //p' "$temp/errors" | sed 's/ (.*//')" \
	"the schedule was never active: 83 of 84 steps; there is no log" "a program that ends too early is told so"

# ---- Between cudaProfilerStart and cudaProfilerStop, as with nsys ----

# profile RANGE COMMAND…: runs the program with that capture range.
profile()
{
	rm -f log*.bin
	range=$1
	shift
	RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 "$ranges" run -f -o log.bin --capture-range "$range" \
		"$temp/program" "$@" >"$temp/out" 2>"$temp/errors"
}

profile cudaProfilerApi init launches=10 work profile=1 launches=5 range=first work profile=0 launches=10 range=between work \
	profile=1 range=second work profile=0
is "$(echo log*.bin):$("$analyzer" dump log.bin | grep -c '^event .* kernel ')" log.bin:5 "the capture is on between cudaProfilerStart and cudaProfilerStop"
is "$(ranges_of log.bin | tr ',' '\n' | sort -u | tr '\n' ' ')" "first " "with its ranges, and no others"
profile cudaProfilerApi:each init profile=1 launches=5 range=first work profile=0 launches=10 range=between work profile=1 launches=7 \
	range=second work profile=0
is "$(ranges_of log.c1.bin | tr ',' '\n' | sort -u | tr '\n' ' ')$(ranges_of log.c2.bin | tr ',' '\n' | sort -u | tr '\n' ' ')" \
	"first second " "each time in a log of its own"
profile cudaProfilerApi init launches=10 work
grep -q 'the capture was never on; nobody called cudaProfilerStart()' "$temp/errors"
ok $? "that nobody called it is said"
# ---- GPU work is visible while it runs ----

work=$(for _ in $(seq 1 1000); do echo launches=10 work sleep=10; done)
# shellcheck disable=SC2086
RANGES_FLUSH_MS=100 RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 "$ranges" run -q -f -o top.bin \
	"$temp/program" init $work >"$temp/out" 2>"$temp/errors" &
launcher=$!
cat >"$temp/judge.py" <<'END'
import json, sys

try:
    top = json.load(open(sys.argv[1]))["processes"][0]
except ValueError:  # the log does not exist yet
    sys.exit()
kernels = top["kernels"]
if kernels and all(k["mean_ns"] > 0 for k in kernels):
    print(len(kernels), 0 < top["gpu_share"] <= 1)
END
found=
for _ in $(seq 1 30); do
	"$ranges" top --json --interval 0.5 >"$temp/top.json" 2>"$temp/top.errors"
	found=$(python3 "$temp/judge.py" "$temp/top.json")
	[ -z "$found" ] || break
done
is "$found" "3 True" "ranges top has the kernels, and how much of the time one ran"
[ -n "$found" ] || diag "$(cat "$temp/errors" "$temp/top.errors")"
kill "$(sed 's/.*"pid":\([0-9]*\),.*/\1/' "$temp/top.json")"
wait "$launcher" 2>/dev/null
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# advice and why report kernels that stall while they run. They do not report calls with more work,
# too few calls, collectives, or kernels whose durations vary anyway.
. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

# stalls NAME EXPRESSION: a trace of 600 kernels of three names and one grid each. The i-th takes
# EXPRESSION us more than 50 us. KERNEL and GRID are expressions of name and grid. With LATE,
# kernels are launched that many us late.
stalls()
{
	KERNEL=${KERNEL:-'"abc"[i % 3]'} GRID=${GRID:-'[i % 3 + 1, 1, 1]'} python3 - "$2" >"$temp/$1.json" <<'PY'
import json, os, sys
events, at, late = [], 0, int(os.environ.get("LATE", 0))
for i in range(600):
    dur = 50 + eval(sys.argv[1])
    name, grid = eval(os.environ["KERNEL"]), eval(os.environ["GRID"])
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 3000 if late else i * 5, "dur": 4, "args": {"correlation": i + 1}})
    args = {"device": 0, "stream": 7, "correlation": i + 1, "block": [128, 1, 1]}
    if grid:
        args["grid"] = grid
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": 3100 + at, "dur": dur, "args": args})
    at += dur + late
print(json.dumps({"traceEvents": events}))
PY
	"$analyzer" stats -r advice -f csv "$temp/$1.json" 2>/dev/null | grep '^kernel_stalls,' >"$temp/row" || :
}

# 1000, 1097, 1194 ...: each 20th kernel.
some='1000 + 97 * (i // 20) if i % 20 == 7 else 0'
stalls some "$some"
is "$(cut -d, -f1,3,4,10 "$temp/row")" "kernel_stalls,72195000,30,3813000" "calls that took long: what is beyond the medians, how many, the worst"
is "$(grep -o '[0-9]* calls of .* of the same kernel and grid' "$temp/row")" \
	"30 calls of 3 kernels took up to 77.3 times as long as others of the same kernel and grid" "in words"
"$analyzer" why -w 0 "$temp/some.json" 2>/dev/null | sed 1q >"$temp/why"
is "$(grep -c '30 calls of 3 kernels took up to 77.3 times as long as others' "$temp/why")" 1 "why tells them"
LATE=500 stalls late "$some"
"$analyzer" why -w 0 "$temp/late.json" 2>/dev/null | sed 1q >"$temp/why"
is "$(grep -c "In .* too late.*Not all of the kernels' time is work: 30 calls of 3 kernels took\|too late.*Not all of the kernels' time is work: 30 calls of 3" "$temp/why")" 1 \
	"also where something else costs more"
GRID='[1000 + i if i % 20 == 7 else 1, 1, 1]' stalls grids "$some"
is "$(cat "$temp/row")" "" "calls of a grid of their own do not stall"
GRID='None' stalls gridless "$some"
is "$(cat "$temp/row")" "" "nor those whose grid is not known"
KERNEL='"ncclDevKernel_AllReduce_Sum_f32"' stalls ranks "$some"
is "$(cat "$temp/row")" "" "nor collectives, which wait for others"
stalls size '2000 + i % 7 if i % 20 == 7 else 0'
is "$(cat "$temp/row")" "" "nor calls that come again and again and take as long"
stalls two '5000 if i == 7 else 9000 if i == 17 else 0'
is "$(cat "$temp/row")" "" "nor two"
stalls half '1000 + 97 * (i // 2) if i % 2 == 1 else 0'
is "$(cat "$temp/row")" "" "nor the half of all"
stalls small '100 + 3 * (i // 20) if i % 20 == 7 else 0'
is "$(cat "$temp/row")" "" "nor what takes less than 200 us longer"
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/gpu is ready for a machine with a GPU. Its programs compile, and its comparison tells right
# from wrong. Without a GPU it says why it has nothing to do.
# shellcheck disable=SC2016 # texts for inner shells

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
check=$top_builddir/tests/gpu/check
[ -x "$check" ] || skip_all "$check is not built"
[ "${SANITIZERS:-no}" = no ] || skip_all "what it runs is tested with sanitizers by test-cupti.sh"
cd "$temp" || exit 1
unset NVTX_INJECTION64_PATH CUDA_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR \
	RANGES_ROOT_PID RANGES_DOMAINS RANGES_CUDA RANGES_CUPTI_PATH RANGES_CUDA_BUFFER RANGES_FLUSH_MS RANGES_GRAPH_NODES

# ---- The comparison, on logs of the stand-ins ----

build_fake 130000 130400 2>"$temp/errors" || skip_all "the stand-ins can't be built: $(cat "$temp/errors")"
build_program 2>"$temp/errors" || skip_all "the program can't be built: $(cat "$temp/errors")"
mkdir spool
RANGES_SPOOL_DIR=$temp/spool
RANGES_EXIT_MS=60000 # a loaded machine is slow
RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export RANGES_SPOOL_DIR RANGES_EXIT_MS RANGES_CUPTI_PATH ASAN_OPTIONS

# figures COMMAND…: prints the findings of the comparison for a log of the program.
figures()
{
	"$top_builddir/libranges/ranges" run -q -f -o log.bin ./program init devices=2 streams=2 threads=3 \
		launches=60 per_range=5 encoded=1 "$@" >/dev/null 2>"$temp/errors"
	"$check" log.bin | grep -E "^(kernels|shaped|wrong_range|queues|disorder|no_call|attributed_permille) " | tr '\n' ' '
}
is "$(figures book=book work)" \
	"kernels 180 shaped 180 wrong_range 0 queues 4 disorder 0 no_call 0 attributed_permille 1000 " \
	"launches are found in their ranges by their shapes"
is "$(figures work)" \
	"kernels 180 shaped 180 wrong_range 180 queues 4 disorder 0 no_call 0 attributed_permille 1000 " \
	"and not in others"

# The figures of a real GPU (NVIDIA H200, CUPTI 13.0) for layers.cu, with 20 replays of each graph.
real=$top_srcdir/tests/gpu/layers-h200.bin
is "$("$check" "$real" origin | grep -E "^(kernels|shaped|wrong_range) " | tr '\n' ' ')" "kernels 5740 shaped 5640 wrong_range 0 " \
	"kernels of a real GPU's graphs belong to the ranges that their nodes were made in"
is "$("$check" "$real" | sed -n 's/^wrong_range //p')" 5640 "or, without the rule, to those that launched them"

# ---- The harness, on stand-ins for its programs ----

# stand_in NAME SAID COMMAND…: makes a program of that name, which prints SAID and runs the test's
# program.
stand_in()
{
	name=$1
	said=$2
	shift 2
	printf '#!/bin/sh\nprintf "%s"\n%s\nexec "%s" init %s\n' "$said" "$prologue" "$temp/program" "$*" >"stand-ins/$name"
	chmod +x "stand-ins/$name"
}
mkdir -p stand-ins cuda/lib64
cp "$RANGES_CUPTI_PATH" cuda/lib64
CUDA_HOME=$temp/cuda # where it is found if nothing names it
export CUDA_HOME
prologue=
stand_in streams 'kernels 1000\nstreams 4\n' encoded=1 book=/dev/null threads=4 streams=4 launches=250 per_range=10 work
prologue='[ "${RANGES_GRAPH_NODES:-}" != 100 ] || exec "$program" init graphs=1000 wholes graphs=99000
	[ $# = 0 ] || exit 0' # what a launch costs
program=$temp/program
export program
stand_in graphs 'graph_launches 20\ngraph_nodes 2\nmanaged_bytes 65536\nns_per_graph 1000\n' unified graphs=20
prologue=
is "$("$top_srcdir/tests/gpu/run" -s nothing 2>&1 | sed 's/.*: nothing/nothing/'):$?" "nothing is no section: search programs ends record modes v2 origins nvml pytorch defects costs loop managed logs:0" \
	"an unknown section is said to be none"
stand_in gemm 'gemm_calls 10\n' range=gemm launches=10 work
stand_in driver 'kernels 500\n' driver=1 range=work per_range=500 launches=500 work
prologue='[ "$1" != reset ] || set -- return; [ "$1" != nosync ] || set -- return; [ "$1" != exit ] || set -- return
	[ "${1:-return}" != return ] || set -- launches=0'
stand_in exits 'kernels 500\n' range=work per_range=500 launches=500 work 'sleep=${2:-0}' '"$1"'
prologue='exit 0'
stand_in launches 'ns_per_launch 1000\n'
PYTHON=false top_builddir=$top_builddir "$top_srcdir/tests/gpu/run" -p "$temp/stand-ins" -o "$temp/results" >"$temp/out" 2>"$temp/errors"
is "$?:$(grep '^not ok' "$temp/out"):$(cat "$temp/errors")" 0:: "the harness finds nothing wrong where nothing is"
[ "$(grep -c '^ok ' "$temp/out")" -ge 44 ]
ok $? "it has tried all ($(grep -c '^ok ' "$temp/out") facts)"
is "$(sed -n 's/^ok [0-9]* - \(.*\) # SKIP.*/\1/p' "$temp/out" | tr '\n' ';')" \
	"both have every kernel;torch.profiler beside us;origins of graphs' nodes;layers in PyTorch's graphs;power and energy;a training loop;planted defects;what a training loop costs;" \
	"but what has no stand-in"
is "$(tar -tzf "$temp/results.tar.gz" | sed -n 's,.*/\(search\|streams\|graphs\).bin$,\1,p' | sort -u | tr '\n' ' ')" "graphs search streams " \
	"packed what it found"
is "$(cd "$temp/results/golden" && echo ./*)" "./graphs.bin ./graphs.dump ./record-streams.bin ./record-streams.dump ./record-streams.rec.gz ./streams.bin ./streams.dump" "and kept golden logs"
# A CUPTI that can be shared, and another user of it in the program.
cp "$temp/cupti-130400/libcupti.so.13" cuda/lib64
RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 PYTHON=false top_builddir=$top_builddir "$top_srcdir/tests/gpu/run" -s v2 \
	-p "$temp/stand-ins" -o "$temp/shared" >"$temp/out" 2>"$temp/errors"
is "$?:$(grep '^not ok' "$temp/out"):$(cat "$temp/errors"):$(grep -c '^ok .*and so has it (1000)' "$temp/out")" 0:::1 \
	"where CUPTI can be shared the other user of it has every kernel, too"
prologue=
stand_in streams 'kernels 1001\nstreams 5\n' encoded=1 threads=4 streams=4 launches=250 per_range=10 work
PYTHON=false top_builddir=$top_builddir "$top_srcdir/tests/gpu/run" -p "$temp/stand-ins" -o "$temp/results" >"$temp/out" 2>"$temp/errors"
is "$?:$(grep -c '^not ok' "$temp/out")" 1:18 "and what is wrong where something is"

# ---- Its Python, on a stand-in for PyTorch ----

nvtx=$top_builddir/libranges/.libs/libnvToolsExt.so.1
if ! command -v python3 >/dev/null 2>&1 || [ ! -e "$nvtx" ]; then
	skip "PyTorch's part finds nothing wrong where nothing is" "python3 or libnvToolsExt.so.1 is missing"
	skip "and what is wrong where something is" "python3 or libnvToolsExt.so.1 is missing"
else
	FAKE_TORCH_CUDA=$temp/libcuda.so.1
	FAKE_TORCH_NVTX=$nvtx
	PYTHONPATH=$top_srcdir/tests/gpu/stand-in
	PYTHONDONTWRITEBYTECODE=1
	export FAKE_TORCH_CUDA FAKE_TORCH_NVTX PYTHONPATH PYTHONDONTWRITEBYTECODE
	top_builddir=$top_builddir "$top_srcdir/tests/gpu/run" -s pytorch -p "$temp/stand-ins" -o "$temp/python" >"$temp/out" 2>"$temp/errors"
	is "$?:$(grep '^not ok' "$temp/out"):$(cat "$temp/errors")" 0:: "PyTorch's part finds nothing wrong where nothing is"
	diag "$(grep -c '^ok ' "$temp/out") facts, $(grep -c ' # SKIP' "$temp/out") of them skipped"
	FAKE_CUPTI_DROP=5 top_builddir=$top_builddir "$top_srcdir/tests/gpu/run" -s pytorch -p "$temp/stand-ins" -o "$temp/python" \
		>"$temp/out" 2>"$temp/errors"
	is "$?:$(grep -c '^not ok .* as many kernels as torch.profiler sees$' "$temp/out")" 1:1 "and what is wrong where something is"
	unset PYTHONPATH
fi

# ---- The harness' own programs ----

if ! command -v nvcc >/dev/null 2>&1 && [ ! -x /usr/local/cuda/bin/nvcc ]; then
	skip "its CUDA programs compile" "nvcc is missing"
	skip "without a GPU it says so" "nvcc is missing"
else
	"$top_srcdir/tests/gpu/run" -b "$temp/programs" >"$temp/out" 2>"$temp/errors"
	is "$?:$(grep -c '^ok ' "$temp/out"):$(grep -v -e '^ok ' -e 'Cannot find valid GPU' -e '^1\.\.' "$temp/out")" 0:8: \
		"its CUDA programs compile"
	if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
		skip "without a GPU it says so" "there is one: tests/gpu/run tries it"
	else
		"$top_srcdir/tests/gpu/run" -p "$temp/programs" -o "$temp/nothing" >"$temp/out" 2>"$temp/errors"
		is "$?:$(grep -c '^ok .* # SKIP no GPU' "$temp/out"):$(tail -n 1 "$temp/out"):$(cat "$temp/errors"):$(ls -d "$temp/nothing" 2>/dev/null)" \
			"0:14:1..14::" "without a GPU it says so of each section, and leaves nothing"
		"$top_srcdir/tests/gpu/run" --require -s ends -s costs -p "$temp/programs" -o "$temp/nothing" >"$temp/out" 2>"$temp/errors"
		is "$?:$(grep -c '^not ok .*: no GPU' "$temp/out"):$(tail -n 1 "$temp/out")" "1:2:1..2" "and fails where one is required"
	fi
fi

# ---- The pack for a bare machine ----

if ! "$top_srcdir/tests/gpu/pack" "$temp/pack" "$temp/stand-ins" 2>"$temp/errors"; then
	fail "it is packed"
	diag "$(cat "$temp/errors")"
else
	packed=$(du -sk "$temp/pack" | awk '{ print $1 }')
	case ${SANITIZERS:-no} in
	no)
		[ "$packed" -le 20480 ]
		ok $? "the pack is small ($packed KiB)"
		;;
	*) skip "the pack is small" "a sanitizer makes programs several times as large" ;;
	esac
	rm "$temp/pack/tests/gpu/programs/exits"
	printf '#!/bin/sh\necho no device >&2\nexit 77\n' >"$temp/pack/tests/gpu/programs/exits"
	chmod +x "$temp/pack/tests/gpu/programs/exits"
	(unset top_srcdir top_builddir && cd / && "$temp/pack/run" -o "$temp/packed") >"$temp/out" 2>"$temp/errors"
	is "$?:$(grep -c '^ok .* # SKIP no GPU: no device' "$temp/out"):$(cat "$temp/errors")" 0:14: "it runs by itself, and says that there is no GPU, once a section"
	(unset top_srcdir top_builddir && cd / && "$temp/pack/run" --require -o "$temp/packed") >"$temp/out" 2>"$temp/errors"
	is "$?:$(grep -c '^not ok' "$temp/out")" 1:14 "which is a failure with --require"
fi
done_testing

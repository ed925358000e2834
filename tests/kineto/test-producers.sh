#!/bin/sh
# SPDX-License-Identifier: MIT
# The names that each producer uses identify the work of devices. It is in no column of the CPU.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

# cells FILE REPORT COLUMN...: those columns of a report, rows separated by ";".
cells()
{
	file=$1
	report=$2
	shift 2
	"$analyzer" stats "$temp/$file" -r "$report" -f tsv 2>/dev/null | awk -F '\t' -v wanted="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, column, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $(at[column[i]]), i < n ? "," : ";" }'
}

footer()
{
	"$analyzer" stats "$temp/$1" -r ranges 2>&1 | grep -c "$2"
}

for kind in jax tpu ascend autograd rocprof mtia proton host; do
	python3 "$top_srcdir/tests/kineto/producers.py" "$kind" >"$temp/$kind.json" || exit 1
done

is "$(cells jax.json ranges name self_cpu_ns self_cuda_ns)" \
	"train,3000000,0;PjitFunction(step),1500000,3450000;(outside any range),,50000;" \
	"XLA: the CPU has the time of the host's thread, and what it launched is attributed"
is "$(cells jax.json kernels name calls total_ns mean_est_achieved_occupancy)" "loop_fusion,5,3450000,0.625000;" \
	"XLA: kernels are those of the rows of streams, their occupancy that of kernel_details"
is "$(cells jax.json memcpy name calls total_ns bytes)" "Memcpy DtoH,5,50000,20480;" "XLA: copies and their bytes"
is "$(cells jax.json api name calls total_ns)" "cuLaunchKernelEx,5,250000;" "XLA: calls have the work's correlation_id"
is "$(cells jax.json launch correlation stream tid api | cut -d ';' -f 1)" "1,13,100,cuLaunchKernelEx" \
	"XLA: ids that begin at 0 are counted from 1"
is "$(footer jax.json '^note: 2 events stand on rows of devices.*(Mystery)$')" 1 "XLA: a row that nobody knows is named"
if python3 -c 'import sqlite3' 2>/dev/null && "$analyzer" "$temp/jax.json" -o "$temp/jax.sqlite" 2>"$temp/said"; then
	is "$(python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("SELECT gridX, gridY, blockX, registersPerThread, dynamicSharedMemory, streamId "
                                            "FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone())' "$temp/jax.sqlite")" \
		"128 2 64 16 40 13" "XLA: grid, block, registers and shared memory are those of kernel_details"
else
	skip "XLA: facts of launches" "no SQLite"
fi
is "$(cells jax.json operators name calls self_device_ns)" "loop_fusion.3,5,3450000;(outside any operator),,50000;" \
	"XLA: hlo_op is the operator of a kernel"
is "$(cells jax.json overview step kernel_ns memcpy_ns | cut -d ';' -f 1-2)" "10,690000,10000;11,690000,10000" \
	"XLA: ranges with step_num are the steps"
is "$(cells tpu.json ranges name self_cpu_ns self_cuda_ns)" \
	"PjitFunction(step),1500000,0;(outside any range),,3500000;" "XLA: operations are the work of a TPU"
is "$(cells tpu.json kernels name calls total_ns)" "fusion.1,5,2000000;fusion.2,5,1500000;" \
	"XLA: what holds other work on a TPU is none itself"
is "$(cells tpu.json devices device kernel_ns)" "1,3500000;" "XLA: the device has its number"
is "$(cells ascend.json ranges name self_cpu_ns self_cuda_ns)" "aten::mm,1500000,3500000;" \
	"CANN: the CPU has what ran on it, and arrows tell what it launched on the device"
is "$(cells ascend.json launch name stream api api_start_ns | cut -d ';' -f 1)" "MatMul,2,Node@launch,10000" \
	"CANN: work is linked by connection_id, of any size; times are texts"
is "$(footer ascend.json '^note: 5 events sum up others.*(Overlap Analysis)$')" 1 \
	"CANN: what the writer computed of other rows is in no report, and counted"
is "$(cells autograd.json ranges name self_cpu_ns self_cuda_ns)" "mm,1500000,2800000;(outside any range),,700000;" \
	"autograd: the process CUDA functions is a device; arrows tell what launched its work"
is "$(cells autograd.json devices device kernel_ns)" "1,3500000;" "autograd: whose threads are the devices"
is "$(cells rocprof.json devices device kernel_ns)" "2,3500000;" "rocprof: GPU2 is a device"
is "$(cells rocprof.json api name calls total_ns)" "hipLaunchKernel,5,250000;" "rocprof: calls are known by their process"
is "$(cells proton.json operators name calls self_device_ns)" '(outside any operator),,501000;step/attn "q",5,500000;step,5,500000;' \
	"Proton: the scopes of a kernel are its operator"
is "$(cells proton.json modules name calls self_device_ns)" "step,10,1000000;(outside any operator),,501000;" \
	"Proton: the outermost scope is its module; a call_stack of others says nothing"
is "$(cells proton.json trace section name count | tr ';' '\n' | grep '^stream,' | tr '\n' ';')" "stream,0:7,15;stream,0:8,1;" \
	"Proton: a thread is a stream"
is "$(cells mtia.json ranges name self_cpu_ns self_cuda_ns)" "aten::mm,1500000,3500000;" \
	"XPU, MTIA: categories tell runtime calls and work"
is "$(cells host.json ranges name self_cpu_ns)" "draw,1500000;read,1000000;send,500000;" "what is no device stays on the CPU"

# Inputs modelled on public bug reports, with the results that their index gives.
inputs=$top_srcdir/../shared/inputs
if [ -d "$inputs" ]; then
	for file in jax_made ascend_made xpu_made pids_as_texts; do
		cp "$inputs/$file.json" "$temp/" || exit 1
	done
	is "$(cells jax_made.json ranges name self_cpu_ns cuda_total_ns) $(cells jax_made.json kernels name calls total_ns mean_est_achieved_occupancy)" \
		"PjitFunction(step),1500000,3500000; loop_multiply_fusion,5,3500000,1.000000;" "jax_made: 5 kernels, linked, and 1.5 ms of the CPU"
	is "$(cells jax_made.json launch api range | cut -d ';' -f 5) $(cells jax_made.json operators name calls) $(cells jax_made.json modules name calls)" \
		"cuLaunchKernelEx,PjitFunction(step) loop_multiply_fusion.3,5; jit_step,5;" "jax_made: launched by calls, of operators and modules"
	is "$(cells ascend_made.json kernels name calls total_ns) $(cells ascend_made.json ranges name calls self_cpu_ns | cut -d ';' -f 1) $(cells ascend_made.json devices name)" \
		"MatMul,5,3500000; aten::mm,5,1500000 NPU;" "ascend_made: 5 operations of the NPU"
	"$analyzer" "$temp/ascend_made.json" -o "$temp/page.html" 2>/dev/null
	is "$(grep -c 'NPU 0, stream 2' "$temp/page.html")" 1 "ascend_made: the page calls it NPU 0, stream 2"
	is "$(cells xpu_made.json kernels name calls total_ns) $(cells xpu_made.json ranges name cuda_total_ns) $(cells xpu_made.json api name calls)" \
		"gemm_kernel,5,3500000; aten::mm,3500000; urEnqueueKernelLaunch,5;" "xpu_made: 5 kernels, all attributed"
	is "$(cells pids_as_texts.json ranges name self_cpu_ns cuda_total_ns calls)" "add,134490,134170,1;" "pids_as_texts: CUDA functions are a device's"
else
	skip "inputs after public bug reports" "they are not here"
fi

# Traces that are written and read again give the same.
"$analyzer" "$temp/jax.json" -o "$temp/again.json" 2>/dev/null
is "$("$analyzer" stats "$temp/again.json" -r all 2>&1)" "$("$analyzer" stats "$temp/jax.json" -r all 2>&1)" \
	"XLA: a trace that was written again has the same reports"
done_testing

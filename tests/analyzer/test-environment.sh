#!/bin/sh
# SPDX-License-Identifier: MIT
# Variables of CUDA, NCCL and PyTorch that change all figures are recorded, and shown with every
# report.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

# log TEXTS: a log with these variables, whose GPU work comes late.
log()
{
	python3 "$top_srcdir/tests/tools/text-log.py" "$temp/log.bin" <<END
capture pid=7 clock="monotonic"$1
clock ticks=0 mono=0 real=0 boot=0 err=0
def device id=0 name="GPU" detail=[8,0,108,64,32,32,1024,65536,65536,167936,49152,166912,1024,0,0,1000]
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="all"
event 3 0 2000 api name="cudaLaunchKernel" tid=7 dur=10000 kind=1 corr=1
event 3 1 4000 kernel name="gemm" dur=7000 device=0 context=1 queue=7 corr=1
event 3 2 20000 api name="cudaLaunchKernel" tid=7 dur=10000 kind=1 corr=2
event 3 3 22000 kernel name="gemm" dur=7000 device=0 context=1 queue=7 corr=2
event 1 1 40000 pop
end status="clean"
END
}

# told FORMAT: the lines that name the variables.
told()
{
	"$analyzer" stats --report kernels --format "$1" "$temp/log.bin" 2>&1 | grep ' is set: ' | cut -d: -f 1-3
}

log ''
is "$(told table)" '' "without them nothing is said"
"$analyzer" stats --report advice --format csv "$temp/log.bin" 2>/dev/null | cut -d, -f 1 >"$temp/rules"
is "$(grep -c host_bound "$temp/rules")" 1 "and a late host is one"

log ' environment=["CUDA_LAUNCH_BLOCKING=1","NCCL_DEBUG=INFO","PYTORCH_NO_CUDA_MEMORY_CACHING=","CUDA_DEVICE_MAX_CONNECTIONS=1"]'
blocking='CUDA_LAUNCH_BLOCKING is set'
is "$(told table | grep -c "program: $blocking")" 1 "the footer has a line"
is "$(told csv | sed 's/^analyzer: program: //; s/ is set.*//' | tr '\n' ' ')" \
	'CUDA_LAUNCH_BLOCKING CUDA_DEVICE_MAX_CONNECTIONS NCCL_DEBUG PYTORCH_NO_CUDA_MEMORY_CACHING ' \
	"for each, also on standard error"
is "$("$analyzer" stats --report kernels --format json "$temp/log.bin" | grep -o '"environment":[^]]*]')" \
	'"environment":["launch_blocking","max_connections","nccl_debug","no_memory_caching"]' "and JSON their keys"
is "$("$analyzer" "$temp/log.bin" | grep -c "$blocking")" 1 "so has the summary"
"$analyzer" stats --report advice --format csv "$temp/log.bin" 2>/dev/null | cut -d, -f 1 >"$temp/rules"
is "$(grep -c launch_blocking "$temp/rules") $(grep -Ec 'host_bound|short_kernels|launch_bound' "$temp/rules")" '1 0' \
	"advice blames the variable, and not the host"

log ' environment=["CUDA_LAUNCH_BLOCKING=0","HIP_LAUNCH_BLOCKING=","NCCL_DEBUG=WARN","CUDA_DEVICE_MAX_CONNECTIONS=8","CUDA_MODULE_LOADING=LAZY","NVIDIA_TF32_OVERRIDE=1","OTHER=1",""]'
is "$(told table)" '' "values that change nothing are not spoken of"

# --- recorded ---

library=$top_builddir/libranges/.libs/libranges.so
if [ "${SANITIZERS:-no}" != no ] || [ ! -f "$library" ]; then
	skip "what is set is recorded" "libranges can't be loaded into a program"
else
	cat >"$temp/program.c" <<'END'
#include <ranges/nvtx.h>

int main(void)
{
	nvtxMarkA("here");
	return 0;
}
END
	${CC:-cc} -I"$top_srcdir/libranges/include" -o "$temp/program" "$temp/program.c" -ldl
	long=$(printf '%0200d' 0)
	(
		cd "$temp" && rm -f log.bin || exit 1
		unset NCCL_DEBUG
		CUDA_LAUNCH_BLOCKING=1 TORCH_DISTRIBUTED_DEBUG=$long PYTORCH_NO_CUDA_MEMORY_CACHING='' SECRET=1 \
			RANGES_OUTPUT=log.bin NVTX_INJECTION64_PATH=$library ./program
	)
	"$analyzer" info "$temp/log.bin" | grep '^environment' >"$temp/out"
	is "$(wc -w <"$temp/out") $(grep -c SECRET "$temp/out") $(grep -o '[A-Z_]*=' "$temp/out" | tr -d '\n')" \
		'4 0 CUDA_LAUNCH_BLOCKING=TORCH_DISTRIBUTED_DEBUG=PYTORCH_NO_CUDA_MEMORY_CACHING=' \
		"what is set is recorded, and nothing else"
	is "$(told table | grep -c .)" 2 "and said"
fi
done_testing

/* SPDX-License-Identifier: MIT */
/* libnvToolsExt.so.1, the library that NVTX was until version 2, for programs linked with it. */

/* The header's functions, exported instead of inlined. The library has one table for all who use
 * it. */
#define RANGES_NVTX_FUNCTION __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the header knows inline functions only */
#include "ranges/nvtx-cuda.h"
#include "ranges/nvtx-cudart.h"
#include "ranges/nvtx-opencl.h"
#include "ranges/nvtx-sync.h"
#include "ranges/nvtx.h"

/*
 * Of version 2 only: what a tool is given when it is loaded, for whoever asks. Functions set
 * through it are called from then on, also where there was no tool.
 */
RANGES_NVTX_FUNCTION const void *nvtxGetExportTable(uint32_t table_id)
{
	/* First, because it clears the slots. */
	ranges_nvtx_pass_2(&RANGES_NVTX_UNIT.gate, ranges_nvtx_run_tool_2, NULL);
	__atomic_store_n(&RANGES_NVTX_UNIT.gate.state, RANGES_NVTX_ON, __ATOMIC_RELEASE);
	return ranges_nvtx_get_table_2(table_id);
}

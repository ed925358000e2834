/* SPDX-License-Identifier: MIT */
/* Replaces libnvToolsExt.so.1, NVTX's library up to version 2, for programs linked with it. */

/* Exports the header's functions, which are inline in other programs. The library has one table for
 * all its users. */
#define RANGES_NVTX_FUNCTION __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the header has them only inline */
#include "ranges/nvtx-cuda.h"
#include "ranges/nvtx-cudart.h"
#include "ranges/nvtx-opencl.h"
#include "ranges/nvtx-sync.h"
#include "ranges/nvtx.h"

/*
 * Only version 2 has this function. It gives any caller what a tool gets when NVTX loads it. The
 * functions that the caller sets are called from then on, even if there was no tool.
 */
RANGES_NVTX_FUNCTION const void *nvtxGetExportTable(uint32_t table_id)
{
	/* Loads the tool before, because loading clears the slots. */
	ranges_nvtx_pass_2(&RANGES_NVTX_UNIT.gate, ranges_nvtx_run_tool_2, NULL);
	__atomic_store_n(&RANGES_NVTX_UNIT.gate.state, RANGES_NVTX_ON, __ATOMIC_RELEASE);
	return ranges_nvtx_get_table_2(table_id);
}

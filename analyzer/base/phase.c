/* SPDX-License-Identifier: MIT */
/* Reports phases of the analyzer as NVTX ranges. */
#include "analyzer/base/phase.h"

#include <ranges/nvtx.h>

void ra_phase_begin(const char *name)
{
	nvtxRangePushA(name);
}

void ra_phase_end(void)
{
	nvtxRangePop();
}

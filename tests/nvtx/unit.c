/* SPDX-License-Identifier: MIT */
/*
 * One linkage unit of several: it has an NVTX table of its own. Compiled with UNIT as its number,
 * with our header, NVIDIA's (NVIDIA_HEADER), or none, linked with libnvToolsExt (LINKED).
 */
#include <stddef.h>

#if defined(LINKED)
extern int nvtxRangePushA(const char *name);
extern int nvtxRangePop(void);
#elif defined(NVIDIA_HEADER)
#include <nvtx3/nvToolsExt.h>
#else
#include <ranges/nvtx.h>
#endif

#define PASTE(a, b) a##b
#define NAME(unit)  PASTE(run_unit_, unit)
#define TEXT(unit)  #unit
#define LABEL(unit) "unit " TEXT(unit)

/* Opens a range, calls `inner`, closes it. Return: the depths that NVTX told were right. */
int NAME(UNIT)(int depth, int (*inner)(int depth));

__attribute__((visibility("default"))) int NAME(UNIT)(int depth, int (*inner)(int depth))
{
	int right = nvtxRangePushA(LABEL(UNIT)) == depth;

	if (inner != NULL) {
		right = inner(depth + 1) && right;
	}
	return (nvtxRangePop() == depth) && right;
}

/* SPDX-License-Identifier: MIT */
/* Prints what nvtxDomainIsEnabled says, and what functions return that a tool may leave out. */
#ifdef NVIDIA_HEADER
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtPayload.h>
#else
#include <ranges/nvtx-counters.h>
#include <ranges/nvtx-mem.h>
#include <ranges/nvtx-payload.h>
#endif

#include <stdio.h>

int main(void)
{
	/* One call per statement, because the test checks the order in which extensions start. */
	printf("enabled %d", nvtxDomainIsEnabled(NULL));
	printf(" push %d", nvtxRangePushPayload(NULL, NULL, 0));
	printf(" pop %d", nvtxRangePopPayload(NULL, NULL, 0));
	printf(" start %d", (int) nvtxRangeStartPayload(NULL, NULL, 0));
	printf(" schema %d", (int) nvtxPayloadSchemaRegister(NULL, NULL));
	printf(" time %d", (int) nvtxTimestampGet());
	printf(" counter %d", (int) nvtxCounterRegister(NULL, NULL));
	printf(" heap %d", nvtxMemHeapRegister(NULL, NULL) != NULL);
	printf(" permissions %d\n", nvtxMemPermissionsCreate(NULL, 0) != NULL);
	return 0;
}

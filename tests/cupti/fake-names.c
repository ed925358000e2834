/* SPDX-License-Identifier: MIT */
/* Names of calls in the stand-in for CUPTI: of those that the stand-in for CUDA has, and of a few
 * others. */
#define _GNU_SOURCE /* NOLINT(readability-identifier-naming) */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "fake.h"

int fake_find_name(uint32_t domain, uint32_t cbid, const char **name)
{
	const char *(*find)(uint32_t, uint32_t, int *) = NULL;
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	void *function = driver ? dlsym(driver, "fake_call_name") : NULL;
	int is_programs = 0;
	static const struct {
		uint32_t domain;
		uint32_t cbid;
		const char *name;
	} names[] = { { 2, 211, "cudaLaunchKernel_v7000" },
		      { 2, 3, "cudaGetDevice_v3020" },
		      { 2, 4, "cudaStreamGetCaptureInfo_v2_v11030" },
		      { 2, 31, "cudaMemcpy_v3020" },
		      { 2, 48, "cudaMemset_ptsz_v3020" },
		      { 2, 131, "cudaStreamSynchronize" },
		      { 2, 20, "cudaMalloc_v3020" },
		      { 2, 134, "cudaEventCreateWithFlags_v3020" },
		      { 2, 135, "cudaEventRecord_v3020" },
		      { 2, 136, "cudaEventDestroy_v3020" },
		      { 2, 137, "cudaEventSynchronize_v3020" },
		      { 2, 295, "cudaStreamWaitEvent_v3020" },
		      { 2, 164, "cudaDeviceReset_v3020" },
		      { 2, 310, "cudaProfilerStart_v4000" },
		      { 2, 311, "cudaProfilerStop_v4000" },
		      { 1, 311, "cuProfilerStart" },
		      { 1, 312, "cuProfilerStop" },
		      { 2, 350, "__cudaGraphLaunch_v10000" },
		      { 1, 307, "cuLaunchKernel" },
		      { 1, 277, "cuMemcpyHtoDAsync_v2" },
		      { 1, 209, "cuMemsetD8Async" },
		      { 1, 126, "cuStreamSynchronize" },
		      { 1, 243, "cuMemAlloc_v2" },
		      { 2, 420, "cudaMallocAsync_v11020" },
		      { 2, 421, "cudaFreeAsync_v11020" },
		      { 2, 422, "cudaMemPoolTrimTo_v11020" },
		      { 1, 549, "cuMemCreate" },
		      { 1, 551, "cuMemRelease" },
		      { 1, 552, "cuMemMap" },
		      { 1, 554, "cuMemUnmap" },
		      { 1, 120, "cuEventRecord" },
		      { 1, 513, "cuGraphInstantiate" },
		      { 1, 514, "cuGraphLaunch" },
		      { 1, 157, "cuCtxDestroy_v2" } };

	memcpy(&find, &function, sizeof(function));
	*name = find ? find(domain, cbid, &is_programs) : NULL;
	if (is_programs) {
		return *name ? 0 : 1;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].domain == domain && names[i].cbid == cbid) {
			*name = names[i].name;
			return 0;
		}
	}
	/* All other numbers of functions count as taken. */
	*name = domain == 2 ? "cudaNothing" : "cuNothing";
	return cbid < 560 ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
/*
 * Loads a libcupti.so as libranges does, and prints the results: "path", "version", and "size
 * KIND BYTES" for each kind of record that libranges reads. Needs neither driver nor GPU.
 *
 *   probe [PATH]   without PATH it searches
 */
#include <stdio.h>

#include "libranges/cupti/load/cupti-load.h"

int main(int argc, char **argv)
{
	static const int kinds[] = { RCAP_CUPTI_MEMCPY,
		                     RCAP_CUPTI_MEMSET,
		                     RCAP_CUPTI_KERNEL,
		                     RCAP_CUPTI_DRIVER,
		                     RCAP_CUPTI_RUNTIME,
		                     RCAP_CUPTI_DEVICE,
		                     RCAP_CUPTI_CONTEXT,
		                     RCAP_CUPTI_CONCURRENT_KERNEL,
		                     RCAP_CUPTI_OVERHEAD,
		                     RCAP_CUPTI_MEMCPY2,
		                     RCAP_CUPTI_CUDA_EVENT,
		                     RCAP_CUPTI_STREAM,
		                     RCAP_CUPTI_SYNCHRONIZATION,
		                     RCAP_CUPTI_MEMORY2,
		                     RCAP_CUPTI_MEMORY_POOL,
		                     RCAP_CUPTI_GRAPH_TRACE,
		                     RCAP_CUPTI_JIT,
		                     RCAP_CUPTI_UNIFIED_MEMORY,
		                     RCAP_CUPTI_EXTERNAL };

	if (!rcap_cupti_load_open(argc > 1 ? argv[1] : "")) {
		printf("none: %s\n", rcap_cupti.path);
		return 1;
	}
	printf("path %s\nversion %u\n", rcap_cupti.path, rcap_cupti.version);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		printf("size %d %u\n", kinds[i], rcap_cupti.stride[kinds[i]]);
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* The figures are those of CUPTI's headers. */
#include "fake-strides.h"

#include <stdbool.h>

#include "libranges/abi/cupti-abi.h"

/* CUPTI counted its versions up to 28, and goes by CUDA's from 13.0 on. */
#if FAKE_VERSION > 28
#define AT_LEAST(old, new) true
#else
#define AT_LEAST(old, new) (FAKE_VERSION >= (old))
#endif

size_t fake_strides_of(uint32_t kind)
{
	switch (kind) {
	case RCAP_CUPTI_MEMCPY:
		return FAKE_VERSION >= 130400 ? 112
		       : AT_LEAST(26, 130000) ? 96
		       : AT_LEAST(17, 0)      ? 88
		       : AT_LEAST(14, 0)      ? 80
		                              : 72;
	case RCAP_CUPTI_MEMSET:
		return FAKE_VERSION >= 130400 ? 104
		       : AT_LEAST(17, 0)      ? 88
		       : AT_LEAST(14, 0)      ? 80
		                              : 72;
	case RCAP_CUPTI_KERNEL:
	case RCAP_CUPTI_CONCURRENT_KERNEL:
		return FAKE_VERSION >= 130400   ? 240
		       : FAKE_VERSION >= 130000 ? 216
		       : AT_LEAST(19, 0)        ? 208
		       : AT_LEAST(18, 0)        ? 200
		       : AT_LEAST(17, 0)        ? 176
		       : AT_LEAST(15, 0)        ? 168
		                                : 160;
	case RCAP_CUPTI_DRIVER:
	case RCAP_CUPTI_RUNTIME:
		return 40;
	case RCAP_CUPTI_DEVICE:
		return AT_LEAST(19, 0) ? 184 : AT_LEAST(17, 0) ? 176 : AT_LEAST(16, 0) ? 152 : 144;
	case RCAP_CUPTI_CONTEXT:
		return AT_LEAST(23, 0) ? 32 : AT_LEAST(22, 0) ? 24 : 16;
	case RCAP_CUPTI_OVERHEAD:
		return AT_LEAST(22, 0) ? 56 : AT_LEAST(20, 0) ? 48 : 40;
	case RCAP_CUPTI_MEMCPY2:
		return AT_LEAST(17, 0) ? 96 : AT_LEAST(14, 0) ? 88 : 80;
	case RCAP_CUPTI_UNIFIED_MEMORY:
		return AT_LEAST(26, 0) ? 104 : 64;
	case RCAP_CUPTI_EXTERNAL:
		return 24;
	case RCAP_CUPTI_CUDA_EVENT:
		return AT_LEAST(26, 0) ? 56 : 24;
	case RCAP_CUPTI_STREAM:
		return 24;
	case RCAP_CUPTI_SYNCHRONIZATION:
		return AT_LEAST(26, 0) ? 56 : 40;
	case RCAP_CUPTI_MEMORY2:
		return AT_LEAST(24, 0) ? 128 : AT_LEAST(17, 0) ? 120 : AT_LEAST(15, 0) ? 112 : 0;
	case RCAP_CUPTI_MEMORY_POOL:
		return AT_LEAST(29, 130000) ? 80 : AT_LEAST(17, 0) ? 72 : AT_LEAST(15, 0) ? 64 : 0;
	case RCAP_CUPTI_GRAPH_TRACE:
		return AT_LEAST(21, 0) ? 56 : AT_LEAST(17, 0) ? 48 : 0;
	case RCAP_CUPTI_JIT:
		return AT_LEAST(22, 0) ? 72 : AT_LEAST(18, 0) ? 64 : 0;
	case 58: /* a host function, as far as its documentation tells; nobody asks for it */
		return FAKE_VERSION >= 130400 ? 48 : 0;
	default:
		return 0;
	}
}

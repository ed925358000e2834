/* SPDX-License-Identifier: MIT */
/* NVTX's functions: where a tool finds them, and what they take. */
#ifndef SHOW_TOOL_H
#define SHOW_TOOL_H

#include <stddef.h>

#include "libranges/nvtx/nvtx-calls.h"

/*
 * kinds: a letter per argument. a text, w wide text, e event attributes, r of a resource, y of a
 * lock, p payloads (and their count, which is the next argument), s a schema, m an enumeration,
 * c a counter, i 32 bits, b 8 bits, n a pointer or 64 bits, f double.
 * result: v none, h a new handle or id, + and - a depth, 1 one.
 */
struct show_tool_row {
	int module; /* of an extension: 100 + its id */
	unsigned slot;
	const char *name;
	const char *kinds;
	char result;
};

static const struct show_tool_row show_tool_rows[] = {
/* clang-format off */
#define ROW(module, slot, name, kinds, gives) { module, slot, name, kinds, gives },
#define CORE_ROW(slot, number, name, kinds, gives, ...) ROW(1, number, name, kinds, gives)
#define CUDA_ROW(slot, number, name, kinds, gives, ...) ROW(2, number, name, kinds, gives)
#define OPENCL_ROW(slot, number, name, kinds, gives, ...) ROW(3, number, name, kinds, gives)
#define CUDART_ROW(slot, number, name, kinds, gives, ...) ROW(4, number, name, kinds, gives)
#define CORE2_ROW(slot, number, name, kinds, gives, ...) ROW(5, number, name, kinds, gives)
#define SYNC_ROW(slot, number, name, kinds, gives, ...) ROW(6, number, name, kinds, gives)
#define PAYLOAD_ROW(slot, number, name, kinds, gives, ...) ROW(102, number, name, kinds, gives)
#define COUNTERS_ROW(slot, number, name, kinds, gives, ...) ROW(104, number, name, kinds, gives)
#define MEM_ROW(slot, number, name, kinds, gives, ...) ROW(101, number, name, kinds, gives)
	RCAP_NVTX_CORE_CALLS(CORE_ROW)
	RCAP_NVTX_CUDA_CALLS(CUDA_ROW)
	RCAP_NVTX_OPENCL_CALLS(OPENCL_ROW)
	RCAP_NVTX_CUDART_CALLS(CUDART_ROW)
	RCAP_NVTX_CORE2_CALLS(CORE2_ROW)
	RCAP_NVTX_SYNC_CALLS(SYNC_ROW)
	RCAP_NVTX_PAYLOAD_CALLS(PAYLOAD_ROW)
	RCAP_NVTX_COUNTERS_CALLS(COUNTERS_ROW)
	RCAP_NVTX_MEM_CALLS(MEM_ROW)
	/* clang-format on */
	{ 0, 0, NULL, NULL, 0 },
};

#endif

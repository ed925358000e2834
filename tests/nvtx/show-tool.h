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
	{ 1, 1, "MarkEx", "e", 'v' },
	{ 1, 2, "MarkA", "a", 'v' },
	{ 1, 3, "MarkW", "w", 'v' },
	{ 1, 4, "RangeStartEx", "e", 'h' },
	{ 1, 5, "RangeStartA", "a", 'h' },
	{ 1, 6, "RangeStartW", "w", 'h' },
	{ 1, 7, "RangeEnd", "n", 'v' },
	{ 1, 8, "RangePushEx", "e", '+' },
	{ 1, 9, "RangePushA", "a", '+' },
	{ 1, 10, "RangePushW", "w", '+' },
	{ 1, 11, "RangePop", "", '-' },
	{ 1, 12, "NameCategoryA", "ia", 'v' },
	{ 1, 13, "NameCategoryW", "iw", 'v' },
	{ 1, 14, "NameOsThreadA", "ia", 'v' },
	{ 1, 15, "NameOsThreadW", "iw", 'v' },
	{ 2, 1, "NameCuDeviceA", "ia", 'v' },
	{ 2, 2, "NameCuDeviceW", "iw", 'v' },
	{ 2, 3, "NameCuContextA", "na", 'v' },
	{ 2, 4, "NameCuContextW", "nw", 'v' },
	{ 2, 5, "NameCuStreamA", "na", 'v' },
	{ 2, 6, "NameCuStreamW", "nw", 'v' },
	{ 2, 7, "NameCuEventA", "na", 'v' },
	{ 2, 8, "NameCuEventW", "nw", 'v' },
	{ 3, 1, "NameClDeviceA", "na", 'v' },
	{ 3, 2, "NameClDeviceW", "nw", 'v' },
	{ 3, 3, "NameClContextA", "na", 'v' },
	{ 3, 4, "NameClContextW", "nw", 'v' },
	{ 3, 5, "NameClCommandQueueA", "na", 'v' },
	{ 3, 6, "NameClCommandQueueW", "nw", 'v' },
	{ 3, 7, "NameClMemObjectA", "na", 'v' },
	{ 3, 8, "NameClMemObjectW", "nw", 'v' },
	{ 3, 9, "NameClSamplerA", "na", 'v' },
	{ 3, 10, "NameClSamplerW", "nw", 'v' },
	{ 3, 11, "NameClProgramA", "na", 'v' },
	{ 3, 12, "NameClProgramW", "nw", 'v' },
	{ 3, 13, "NameClEventA", "na", 'v' },
	{ 3, 14, "NameClEventW", "nw", 'v' },
	{ 4, 1, "NameCudaDeviceA", "ia", 'v' },
	{ 4, 2, "NameCudaDeviceW", "iw", 'v' },
	{ 4, 3, "NameCudaStreamA", "na", 'v' },
	{ 4, 4, "NameCudaStreamW", "nw", 'v' },
	{ 4, 5, "NameCudaEventA", "na", 'v' },
	{ 4, 6, "NameCudaEventW", "nw", 'v' },
	{ 5, 1, "DomainMarkEx", "ne", 'v' },
	{ 5, 2, "DomainRangeStartEx", "ne", 'h' },
	{ 5, 3, "DomainRangeEnd", "nn", 'v' },
	{ 5, 4, "DomainRangePushEx", "ne", '+' },
	{ 5, 5, "DomainRangePop", "n", '-' },
	{ 5, 6, "DomainResourceCreate", "nr", 'h' },
	{ 5, 7, "DomainResourceDestroy", "n", 'v' },
	{ 5, 8, "DomainNameCategoryA", "nia", 'v' },
	{ 5, 9, "DomainNameCategoryW", "niw", 'v' },
	{ 5, 10, "DomainRegisterStringA", "na", 'h' },
	{ 5, 11, "DomainRegisterStringW", "nw", 'h' },
	{ 5, 12, "DomainCreateA", "a", 'h' },
	{ 5, 13, "DomainCreateW", "w", 'h' },
	{ 5, 14, "DomainDestroy", "n", 'v' },
	{ 5, 15, "Initialize", "n", 'v' },
	{ 6, 1, "DomainSyncUserCreate", "ny", 'h' },
	{ 6, 2, "DomainSyncUserDestroy", "n", 'v' },
	{ 6, 3, "DomainSyncUserAcquireStart", "n", 'v' },
	{ 6, 4, "DomainSyncUserAcquireFailed", "n", 'v' },
	{ 6, 5, "DomainSyncUserAcquireSuccess", "n", 'v' },
	{ 6, 6, "DomainSyncUserReleasing", "n", 'v' },
/* clang-format off */
#define ROW(module, slot, name, kinds, gives) { 100 + (module), slot, name, kinds, gives },
#define PAYLOAD_ROW(slot, number, name, kinds, gives, ...) ROW(2, number, name, kinds, gives)
#define COUNTERS_ROW(slot, number, name, kinds, gives, ...) ROW(4, number, name, kinds, gives)
#define MEM_ROW(slot, number, name, kinds, gives, ...) ROW(1, number, name, kinds, gives)
	RCAP_NVTX_PAYLOAD_CALLS(PAYLOAD_ROW)
	RCAP_NVTX_COUNTERS_CALLS(COUNTERS_ROW)
	RCAP_NVTX_MEM_CALLS(MEM_ROW)
	/* clang-format on */
	{ 0, 0, NULL, NULL, 0 },
};

#endif

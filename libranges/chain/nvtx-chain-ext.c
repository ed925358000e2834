/* SPDX-License-Identifier: MIT */
/* Starts the chained tool's part of extensions. */
#include "libranges/chain/nvtx-chain-ext.h"

#include "libranges/chain/nvtx-chain-ext-wrap.h"

#define START "InitializeInjectionNvtxExtension"

typedef int start_fn(struct rcap_nvtx_ext_info *info);

static _Atomic int states[RCAP_CHAIN_EXT_MODULES]; /* one of RCAP_CHAIN_… for each module */

#define ENTRY(slot, number, name, kinds, gives, function, result, arguments) \
	[number] = (rcap_nvtx_fn) rcap_nvtx_chain_##function,

static const rcap_nvtx_fn payload[RCAP_CHAIN_EXT_SLOTS] = { RCAP_NVTX_PAYLOAD_CALLS(ENTRY) };
static const rcap_nvtx_fn counters[RCAP_CHAIN_EXT_SLOTS] = { RCAP_NVTX_COUNTERS_CALLS(ENTRY) };
static const rcap_nvtx_fn mem[RCAP_CHAIN_EXT_SLOTS] = { RCAP_NVTX_MEM_CALLS(ENTRY) };

static const rcap_nvtx_fn *const wrappers[RCAP_CHAIN_EXT_MODULES] = {
	[RCAP_NVTX_EXT_PAYLOAD] = payload,
	[RCAP_NVTX_EXT_COUNTERS] = counters,
	[RCAP_NVTX_EXT_MEM] = mem,
};

/* Starts the tool's part of an extension. Gives the tool slots that we own, which replace the slots
 * of all linkage units. Return: the new state. */
static int open_module(const struct rcap_nvtx_ext_info *info, const rcap_nvtx_fn *ours,
                       unsigned int count)
{
	start_fn *const start = (start_fn *) rcap_nvtx_chain_find(START);
	struct rcap_nvtx_ext_segment segment = *info->segments;
	struct rcap_nvtx_ext_info copy = *info;
	const unsigned int module = info->module_id;

	if (!start) {
		return RCAP_CHAIN_NONE;
	}
	for (unsigned int slot = 0; slot < count; slot++) {
		rcap_nvtx_chain_ext_wrap_ours[module][slot] = ours[slot];
	}
	segment.slots = rcap_nvtx_chain_ext_wrap_slots[module];
	segment.slot_count = segment.slot_count < RCAP_CHAIN_EXT_SLOTS ? segment.slot_count
	                                                               : RCAP_CHAIN_EXT_SLOTS;
	if (module == RCAP_NVTX_EXT_MEM) {
		/* With another number of slots, the tool might take this for a table that counts
		 * from 1: see nvtx-ext-install.c. */
		segment.slot_count = RCAP_CHAIN_EXT_SLOTS - 1;
	}
	copy.struct_size = sizeof(copy);
	copy.segment_count = 1;
	copy.segments = &segment;
	if (start(&copy) != 0) {
		return RCAP_CHAIN_READY;
	}
	/* NVTX does the same if a tool refuses. */
	for (unsigned int slot = 0; slot < RCAP_CHAIN_EXT_SLOTS; slot++) {
		__atomic_store_n(&rcap_nvtx_chain_ext_wrap_slots[module][slot], 1,
		                 __ATOMIC_RELEASE);
	}
	return RCAP_CHAIN_NONE;
}

const rcap_nvtx_fn *rcap_nvtx_chain_ext_open(const struct rcap_nvtx_ext_info *info,
                                             const rcap_nvtx_fn *ours, unsigned int count)
{
	const unsigned int module = info->module_id;
	const int saved = errno;
	int now;

	if (!atomic_load_explicit(&rcap_nvtx_chain_is_ready, memory_order_acquire) ||
	    module >= RCAP_CHAIN_EXT_MODULES || !wrappers[module] || count > RCAP_CHAIN_EXT_SLOTS) {
		return NULL;
	}
	now = rcap_nvtx_chain_claim(&states[module]);
	if (now == RCAP_CHAIN_UNTRIED) {
		now = open_module(info, ours, count);
		atomic_store_explicit(&states[module], now, memory_order_release);
	}
	errno = saved;
	return now == RCAP_CHAIN_NONE ? NULL : wrappers[module];
}

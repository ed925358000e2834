/* SPDX-License-Identifier: MIT */
/* Has the tables of our functions for each extension, and installs them. */
#include "libranges/entry/nvtx-ext-install.h"

#include "libranges/base/log.h"
#include "libranges/chain/nvtx-chain-ext.h"
#include "libranges/nvtx/nvtx-calls.h"
#include "libranges/process/oddity.h"
#include "libranges/record/payloads/schemas.h"

/* The howto doc/howto-add-nvtx-call.md tells how to add a call. */
#define ENTRY(slot, number, name, kinds, gives, function, result, arguments) \
	[number] = (rcap_nvtx_fn) rcap_nvtx_##function,

static const rcap_nvtx_fn payload[] = { RCAP_NVTX_PAYLOAD_CALLS(ENTRY) };
static const rcap_nvtx_fn counters[] = { RCAP_NVTX_COUNTERS_CALLS(ENTRY) };
static const rcap_nvtx_fn mem[] = { RCAP_NVTX_MEM_CALLS(ENTRY) };

/* Functions for an unknown version of the payload extension. */
static const rcap_nvtx_fn payload_unknown[] = {
	[RCAP_NVTX_SLOT_DOMAIN_IS_ENABLED] = (rcap_nvtx_fn) rcap_nvtx_payload_is_enabled,
};

/* The number of slots in NVIDIA's sources of 2024. */
#define OLD_MEM_SLOTS 17

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A row for each version that has its own table of functions. */
static const struct {
	unsigned int module;
	unsigned int compat; /* 0 means any other version */
	const rcap_nvtx_fn *functions;
	unsigned int count;
} versions[] = {
	{ RCAP_NVTX_EXT_PAYLOAD, RCAP_NVTX_COMPAT_PAYLOAD, payload, COUNT(payload) },
	{ RCAP_NVTX_EXT_PAYLOAD, RCAP_NVTX_COMPAT_PAYLOAD_OLD, payload, COUNT(payload) },
	{ RCAP_NVTX_EXT_PAYLOAD, 0, payload_unknown, COUNT(payload_unknown) },
	{ RCAP_NVTX_EXT_COUNTERS, RCAP_NVTX_COMPAT_COUNTERS, counters, COUNT(counters) },
	{ RCAP_NVTX_EXT_MEM, RCAP_NVTX_COMPAT_MEM, mem, COUNT(mem) },
};

/*
 * Returns our functions of one extension, indexed by slot. A slot for which we have no function is
 * NULL.
 *
 * @compat: version of the extension that the program was built with. For an unknown version, only
 * functions whose arguments have never changed are returned.
 * @count: gets the number of slots.
 * Return: NULL for an unknown extension.
 */
static const rcap_nvtx_fn *find_functions(unsigned int module, unsigned int compat,
                                          unsigned int *count)
{
	for (size_t i = 0; i < COUNT(versions); i++) {
		if (versions[i].module == module &&
		    (versions[i].compat == compat || versions[i].compat == 0)) {
			*count = versions[i].count;
			return versions[i].functions;
		}
	}
	return NULL;
}

/* Counts and reports an extension of which we do not have all functions. */
static void note_unknown(const struct rcap_nvtx_ext_info *info, const rcap_nvtx_fn *functions)
{
	if (!functions || functions == payload_unknown) {
		rcap_oddity_count(RLOG_ODDITY_UNKNOWN_EXTENSION);
		RCAP_LOG(RCAP_LOG_INFO,
		         "an NVTX extension that we do not know: module=%u version=%u",
		         (unsigned int) info->module_id, (unsigned int) info->compat_id);
	}
}

/*
 * True for NVIDIA's sources of 2024, which number the functions of mem from 1, and state 17 slots
 * although there are 18 functions. Later sources have the same compat id, number the functions from
 * 0, and have 63 slots.
 */
static bool is_counted_from_one(const struct rcap_nvtx_ext_info *info)
{
	return info->module_id == RCAP_NVTX_EXT_MEM && info->compat_id == RCAP_NVTX_COMPAT_MEM &&
	       info->segments->slot_count == OLD_MEM_SLOTS;
}

int rcap_nvtx_ext_install_unit(const struct rcap_nvtx_ext_info *info)
{
	const rcap_nvtx_fn *wrappers = NULL;
	const rcap_nvtx_fn *functions;
	intptr_t *slots;
	unsigned int count = 0;

	if (!info || info->struct_size < sizeof(*info) || info->segment_count == 0 ||
	    !info->segments || !info->segments->slots) {
		return 1;
	}
	functions = find_functions(info->module_id, info->compat_id, &count);
	note_unknown(info, functions);
	if (functions && functions != payload_unknown) {
		wrappers = rcap_nvtx_chain_ext_open(info, functions, count);
	}
	/* There has never been more than one segment. Its id, 0 or 1, has no meaning. */
	slots = info->segments->slots + (is_counted_from_one(info) ? 1 : 0);
	for (unsigned int slot = 0; slot < count && slot < info->segments->slot_count; slot++) {
		if (functions[slot]) {
			slots[slot] = (intptr_t) (wrappers ? wrappers[slot] : functions[slot]);
		}
	}
	if (functions == payload && info->ext_info) {
		rcap_schemas_take_types(info->ext_info);
	}
	return 1;
}

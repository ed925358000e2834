/* SPDX-License-Identifier: MIT */
/* The tables of our functions, extension by extension, and their way into a program. */
#include "libranges/entry/nvtx-ext-install.h"

#include "libranges/base/log.h"
#include "libranges/chain/nvtx-chain-ext.h"
#include "libranges/nvtx/nvtx-counters.h"
#include "libranges/nvtx/nvtx-mem.h"
#include "libranges/nvtx/nvtx-payload.h"
#include "libranges/nvtx/nvtx-schemas.h"
#include "libranges/nvtx/nvtx-time.h"
#include "libranges/spool/oddity.h"
#include "libranges/record/schemas.h"

/* To add a call: write it with NVTX's signature, declare it in its file's header, name it here. */
#define ENTRY(slot, function) [RCAP_NVTX_SLOT_##slot] = (rcap_nvtx_fn) (function)

static const rcap_nvtx_fn payload[] = {
	ENTRY(SCHEMA_REGISTER, rcap_nvtx_schemas_register_schema),
	ENTRY(ENUM_REGISTER, rcap_nvtx_schemas_register_enum),
	ENTRY(MARK, rcap_nvtx_payload_mark),
	ENTRY(RANGE_PUSH, rcap_nvtx_payload_push),
	ENTRY(RANGE_POP, rcap_nvtx_payload_pop),
	ENTRY(RANGE_START, rcap_nvtx_payload_start),
	ENTRY(RANGE_END, rcap_nvtx_payload_end),
	ENTRY(DOMAIN_IS_ENABLED, rcap_nvtx_payload_is_enabled),
	ENTRY(TIMESTAMP_GET, rcap_nvtx_time_get),
	ENTRY(TIME_DOMAIN_REGISTER, rcap_nvtx_time_register_domain),
	ENTRY(TIMER_SOURCE, rcap_nvtx_time_set_source),
	ENTRY(TIMER_SOURCE_WITH_DATA, rcap_nvtx_time_set_source_with_data),
	ENTRY(SCOPE_REGISTER, rcap_nvtx_schemas_register_scope),
	ENTRY(TIME_SYNC_POINT, rcap_nvtx_time_sync_point),
	ENTRY(TIME_SYNC_POINT_TABLE, rcap_nvtx_time_sync_table),
	ENTRY(TIMESTAMP_CONVERSION_FACTOR, rcap_nvtx_time_convert),
	ENTRY(EVENT_SUBMIT, rcap_nvtx_payload_submit),
	ENTRY(EVENT_BATCH_SUBMIT, rcap_nvtx_payload_submit_batch),
};

/* Of a version of the payload extension that we do not know. */
static const rcap_nvtx_fn payload_unknown[] = {
	ENTRY(DOMAIN_IS_ENABLED, rcap_nvtx_payload_is_enabled),
};

static const rcap_nvtx_fn counters[] = {
	ENTRY(COUNTER_REGISTER, rcap_nvtx_counters_register),
	ENTRY(COUNTER_SAMPLE_INT64, rcap_nvtx_counters_sample_i64),
	ENTRY(COUNTER_SAMPLE_FLOAT64, rcap_nvtx_counters_sample_f64),
	ENTRY(COUNTER_SAMPLE, rcap_nvtx_counters_sample),
	ENTRY(COUNTER_SAMPLE_NO_VALUE, rcap_nvtx_counters_sample_none),
	ENTRY(COUNTER_BATCH_SUBMIT, rcap_nvtx_counters_submit_batch),
};

static const rcap_nvtx_fn mem[] = {
	ENTRY(MEM_HEAP_REGISTER, rcap_nvtx_mem_register_heap),
	ENTRY(MEM_HEAP_UNREGISTER, rcap_nvtx_mem_unregister_heap),
	ENTRY(MEM_HEAP_RESET, rcap_nvtx_mem_reset_heap),
	ENTRY(MEM_REGIONS_REGISTER, rcap_nvtx_mem_register_regions),
	ENTRY(MEM_REGIONS_RESIZE, rcap_nvtx_mem_resize_regions),
	ENTRY(MEM_REGIONS_UNREGISTER, rcap_nvtx_mem_unregister_regions),
	ENTRY(MEM_REGIONS_NAME, rcap_nvtx_mem_name_regions),
	ENTRY(MEM_PERMISSIONS_ASSIGN, rcap_nvtx_mem_assign),
	ENTRY(MEM_PERMISSIONS_CREATE, rcap_nvtx_mem_create_permissions),
	ENTRY(MEM_PERMISSIONS_DESTROY, rcap_nvtx_mem_destroy_permissions),
	ENTRY(MEM_PERMISSIONS_RESET, rcap_nvtx_mem_reset_permissions),
	ENTRY(MEM_PERMISSIONS_BIND, rcap_nvtx_mem_bind),
	ENTRY(MEM_PERMISSIONS_UNBIND, rcap_nvtx_mem_unbind),
	ENTRY(MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS, rcap_nvtx_mem_cuda_process),
	ENTRY(MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS, rcap_nvtx_mem_cuda_device),
	ENTRY(MEM_CUDA_SET_PEER_ACCESS, rcap_nvtx_mem_cuda_set_peer),
	ENTRY(MEM_CUDA_MARK_INITIALIZED, rcap_nvtx_mem_cuda_mark_initialized),
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* One row for each version that has a layout of its own. */
static const struct {
	unsigned int module;
	unsigned int compat; /* 0: any other */
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
 * Our functions of one extension, indexed by slot, NULL where there is none.
 *
 * @compat: which version of the extension the program was built with. Of one that we do not know
 * only functions whose arguments have always been the same are given.
 * @count: gets the number of entries.
 * Return: NULL for an extension that we do not know.
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

/* One whose functions are not all ours. */
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
 * NVIDIA's sources of 2024 count the functions of mem from 1, up to the 17th, and say that there
 * are 17 slots where there are 18. Later ones, with the same compat id, count from 0 and have 63.
 */
static bool is_counted_from_one(const struct rcap_nvtx_ext_info *info)
{
	return info->module_id == RCAP_NVTX_EXT_MEM && info->compat_id == RCAP_NVTX_COMPAT_MEM &&
	       info->segments->slot_count == COUNT(mem);
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
	/* More segments than one there have never been, and their ids mean nothing: 0, or 1. */
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

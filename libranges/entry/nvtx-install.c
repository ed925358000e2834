/* SPDX-License-Identifier: MIT */
/* The tables of our functions, module by module, and their way into a program. */
#include "libranges/entry/nvtx-install.h"

#include <stdlib.h>

#include "libranges/record/handles.h"
#include "libranges/chain/nvtx-chain-wrap.h"
#include "libranges/nvtx/nvtx-core.h"
#include "libranges/nvtx/nvtx-names.h"
#include "libranges/nvtx/nvtx-objects.h"
#include "libranges/nvtx/nvtx-resources.h"
#include "libranges/nvtx/nvtx-sync.h"

/*
 * To add a call: write a function with NVTX's signature, declare it in its file's header, and name
 * it here. A call that is not named stays a no-op in the program.
 */
#define ENTRY(id, function) [id] = (rcap_nvtx_fn) (function)

static const rcap_nvtx_fn core[RCAP_NVTX_CORE_COUNT] = {
	ENTRY(RCAP_NVTX_MARK_EX, rcap_nvtx_core_mark_ex),
	ENTRY(RCAP_NVTX_MARK_A, rcap_nvtx_core_mark_a),
	ENTRY(RCAP_NVTX_MARK_W, rcap_nvtx_core_mark_w),
	ENTRY(RCAP_NVTX_RANGE_START_EX, rcap_nvtx_core_range_start_ex),
	ENTRY(RCAP_NVTX_RANGE_START_A, rcap_nvtx_core_range_start_a),
	ENTRY(RCAP_NVTX_RANGE_START_W, rcap_nvtx_core_range_start_w),
	ENTRY(RCAP_NVTX_RANGE_END, rcap_nvtx_core_range_end),
	ENTRY(RCAP_NVTX_RANGE_PUSH_EX, rcap_nvtx_core_range_push_ex),
	ENTRY(RCAP_NVTX_RANGE_PUSH_A, rcap_nvtx_core_range_push_a),
	ENTRY(RCAP_NVTX_RANGE_PUSH_W, rcap_nvtx_core_range_push_w),
	ENTRY(RCAP_NVTX_RANGE_POP, rcap_nvtx_core_range_pop),
	ENTRY(RCAP_NVTX_NAME_CATEGORY_A, rcap_nvtx_names_category_a),
	ENTRY(RCAP_NVTX_NAME_CATEGORY_W, rcap_nvtx_names_category_w),
	ENTRY(RCAP_NVTX_NAME_OS_THREAD_A, rcap_nvtx_names_os_thread_a),
	ENTRY(RCAP_NVTX_NAME_OS_THREAD_W, rcap_nvtx_names_os_thread_w),
};

/*
 * The same where the default domain is left out: what is not here stays NULL, and costs the program
 * as much as without a tool. Ranges of other domains may end by nvtxRangeEnd(), threads are of no
 * domain.
 */
static const rcap_nvtx_fn core_off[RCAP_NVTX_CORE_COUNT] = {
	ENTRY(RCAP_NVTX_RANGE_END, rcap_nvtx_core_range_end),
	ENTRY(RCAP_NVTX_NAME_OS_THREAD_A, rcap_nvtx_names_os_thread_a),
	ENTRY(RCAP_NVTX_NAME_OS_THREAD_W, rcap_nvtx_names_os_thread_w),
};

static const rcap_nvtx_fn core2[RCAP_NVTX_CORE2_COUNT] = {
	ENTRY(RCAP_NVTX_DOMAIN_MARK_EX, rcap_nvtx_core_domain_mark_ex),
	ENTRY(RCAP_NVTX_DOMAIN_RANGE_START_EX, rcap_nvtx_core_domain_range_start_ex),
	ENTRY(RCAP_NVTX_DOMAIN_RANGE_END, rcap_nvtx_core_domain_range_end),
	ENTRY(RCAP_NVTX_DOMAIN_RANGE_PUSH_EX, rcap_nvtx_core_domain_range_push_ex),
	ENTRY(RCAP_NVTX_DOMAIN_RANGE_POP, rcap_nvtx_core_domain_range_pop),
	ENTRY(RCAP_NVTX_DOMAIN_RESOURCE_CREATE, rcap_nvtx_resources_create),
	ENTRY(RCAP_NVTX_DOMAIN_RESOURCE_DESTROY, rcap_nvtx_resources_destroy),
	ENTRY(RCAP_NVTX_DOMAIN_NAME_CATEGORY_A, rcap_nvtx_names_domain_category_a),
	ENTRY(RCAP_NVTX_DOMAIN_NAME_CATEGORY_W, rcap_nvtx_names_domain_category_w),
	ENTRY(RCAP_NVTX_DOMAIN_REGISTER_STRING_A, rcap_nvtx_names_register_string_a),
	ENTRY(RCAP_NVTX_DOMAIN_REGISTER_STRING_W, rcap_nvtx_names_register_string_w),
	ENTRY(RCAP_NVTX_DOMAIN_CREATE_A, rcap_nvtx_names_create_domain_a),
	ENTRY(RCAP_NVTX_DOMAIN_CREATE_W, rcap_nvtx_names_create_domain_w),
	ENTRY(RCAP_NVTX_DOMAIN_DESTROY, rcap_nvtx_names_destroy_domain),
	ENTRY(RCAP_NVTX_INITIALIZE, rcap_nvtx_names_initialize),
};

#define MODULE(id, table, wrappers) \
	[id] = { (table), (wrappers), sizeof(table) / sizeof((table)[0]) }

static const struct {
	const rcap_nvtx_fn *functions;
	const rcap_nvtx_fn *wrappers; /* installed instead when a tool is chained */
	unsigned int count;
} modules[RCAP_NVTX_MODULE_COUNT] = {
	MODULE(RCAP_NVTX_MODULE_CORE, core, rcap_nvtx_chain_core_core),
	MODULE(RCAP_NVTX_MODULE_CUDA, rcap_nvtx_objects_cuda, rcap_nvtx_chain_objects_cuda),
	MODULE(RCAP_NVTX_MODULE_OPENCL, rcap_nvtx_objects_opencl, rcap_nvtx_chain_objects_opencl),
	MODULE(RCAP_NVTX_MODULE_CUDART, rcap_nvtx_objects_cudart, rcap_nvtx_chain_objects_cudart),
	MODULE(RCAP_NVTX_MODULE_CORE2, core2, rcap_nvtx_chain_domain_core2),
	MODULE(RCAP_NVTX_MODULE_SYNC, rcap_nvtx_sync_functions, rcap_nvtx_chain_domain_sync),
};

/* Our functions of one module, indexed by id; NULL for a module that NVTX does not have. */
static const rcap_nvtx_fn *borrow_functions(int module, unsigned int *count)
{
	if (module < 0 || module >= RCAP_NVTX_MODULE_COUNT) {
		return NULL;
	}
	*count = modules[module].count;
	if (module == RCAP_NVTX_MODULE_CORE && rcap_handles_is_off(NULL)) {
		return core_off;
	}
	return modules[module].functions;
}

/* Old NVTX has shorter tables (v2: no Initialize): look at each slot for itself. */
static void install_module(const struct rcap_nvtx_callbacks *callbacks, int module, bool is_chained)
{
	unsigned int count = 0;
	const rcap_nvtx_fn *functions = borrow_functions(module, &count);
	rcap_nvtx_fn **table = NULL;
	unsigned int size = 0;

	if (!functions || !callbacks->get_module_function_table(module, &table, &size) || !table) {
		return;
	}
	if (is_chained) {
		functions = modules[module].wrappers;
	}
	for (unsigned int id = 1; id < count && id < size; id++) {
		if (functions[id] && table[id]) {
			*table[id] = functions[id];
		}
	}
}

/* From the environment for the first unit, as the capture itself will at the first event. */
static void decide_default(void)
{
	_Atomic uint32_t *const alive = rcap_process_alive;

	/* Acquire pairs with the release in rcap_process_start(): config is there. */
	if (alive && atomic_load_explicit(alive, memory_order_acquire) == RCAP_ALIVE_YES) {
		rcap_handles_decide_default(rcap_process.config.domains);
	} else {
		rcap_handles_decide_default(secure_getenv("RANGES_DOMAINS"));
	}
}

int rcap_nvtx_install_unit(rcap_nvtx_get_export_table_fn *get_export_table)
{
	const struct rcap_nvtx_callbacks *callbacks;
	const struct rcap_nvtx_version_info *version;
	bool is_chained;

	callbacks = get_export_table(RCAP_NVTX_ETID_CALLBACKS);
	if (!callbacks || callbacks->struct_size < sizeof(*callbacks) ||
	    !callbacks->get_module_function_table) {
		return 0;
	}
	/* NVTX v2 has no version table. */
	version = get_export_table(RCAP_NVTX_ETID_VERSIONINFO);
	if (version && version->struct_size >= sizeof(*version) &&
	    version->set_injection_nvtx_version) {
		version->set_injection_nvtx_version(3);
	}
	decide_default();
	is_chained = rcap_nvtx_chain_open(borrow_functions);
	for (int module = 0; module < RCAP_NVTX_MODULE_COUNT; module++) {
		install_module(callbacks, module, is_chained);
	}
	return 1;
}

/* SPDX-License-Identifier: MIT */
/* Has the tables of our functions for each module, and installs them. */
#include "libranges/entry/nvtx-install.h"

#include <stdlib.h>

#include "libranges/record/names/handles.h"
#include "libranges/chain/nvtx-chain-wrap.h"

/* The howto doc/howto-add-nvtx-call.md tells how to add a call. A slot without a function stays a
 * no-op in the program. */
#define OURS(slot, number, name, kinds, gives, function, result, arguments) \
	[number] = (rcap_nvtx_fn) rcap_nvtx_##function,
#define WRAPPER(slot, number, name, kinds, gives, function, result, arguments) \
	[number] = (rcap_nvtx_fn) rcap_nvtx_chain_##function,

/* Defines two tables for each module: our functions, and the wrappers that are installed instead if
 * there is a chained tool. */
#define TABLES(module, calls)                                                       \
	static const rcap_nvtx_fn module[] = { calls(OURS) };                       \
	static const rcap_nvtx_fn module##_chain[] = { calls(WRAPPER) };            \
	_Static_assert(sizeof(module) / sizeof((module)[0]) <= RCAP_NVTX_CHAIN_IDS, \
	               "the chain has room for all calls of a module");

TABLES(core, RCAP_NVTX_CORE_CALLS)
TABLES(cuda, RCAP_NVTX_CUDA_CALLS)
TABLES(opencl, RCAP_NVTX_OPENCL_CALLS)
TABLES(cudart, RCAP_NVTX_CUDART_CALLS)
TABLES(core2, RCAP_NVTX_CORE2_CALLS)
TABLES(sync_user, RCAP_NVTX_SYNC_CALLS)

/*
 * Functions of the core module for a capture that leaves out the default domain. A slot that is not
 * listed stays NULL, and its call costs the program as much as without a tool. nvtxRangeEnd() is
 * listed because it may end ranges of other domains. Names of threads are listed because threads
 * have no domain.
 */
static const rcap_nvtx_fn core_off[sizeof(core) / sizeof(core[0])] = {
	[RCAP_NVTX_RANGE_END] = (rcap_nvtx_fn) rcap_nvtx_core_range_end,
	[RCAP_NVTX_NAME_OS_THREAD_A] = (rcap_nvtx_fn) rcap_nvtx_names_os_thread_a,
	[RCAP_NVTX_NAME_OS_THREAD_W] = (rcap_nvtx_fn) rcap_nvtx_names_os_thread_w,
};

#define MODULE(table)                                                      \
	{                                                                  \
		(table), table##_chain, sizeof(table) / sizeof((table)[0]) \
	}

static const struct {
	const rcap_nvtx_fn *functions;
	const rcap_nvtx_fn *wrappers;
	unsigned int count;
} modules[RCAP_NVTX_MODULE_COUNT] = {
	[RCAP_NVTX_MODULE_CORE] = MODULE(core),     [RCAP_NVTX_MODULE_CUDA] = MODULE(cuda),
	[RCAP_NVTX_MODULE_OPENCL] = MODULE(opencl), [RCAP_NVTX_MODULE_CUDART] = MODULE(cudart),
	[RCAP_NVTX_MODULE_CORE2] = MODULE(core2),   [RCAP_NVTX_MODULE_SYNC] = MODULE(sync_user),
};

/* Returns our functions of one module, indexed by id; NULL for a module that NVTX does not have. */
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

/* Checks each slot, because old versions of NVTX have shorter tables (v2 has no Initialize). */
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

/* Decides whether the default domain is left out. For the first linkage unit this reads the
 * environment, as the capture itself will at its first event. */
static void decide_default(void)
{
	_Atomic uint32_t *const alive = rcap_process_alive;

	/* Acquire pairs with the release in rcap_process_start(): `config` is filled. */
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

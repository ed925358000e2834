/* SPDX-License-Identifier: MIT */
/* The entry points: what NVTX looks up, and what happens when the library is loaded by other means.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "libranges/lifetime.h"
#include "libranges/nvtx-install.h"

#define EXPORT __attribute__((visibility("default")))

/* Looked up by name in us; NVTX declares it in its own headers. */
EXPORT int InitializeInjectionNvtx2(rcap_nvtx_get_export_table_fn *get_export_table);
/* For programs built with NVTX_SUPPORT_ALREADY_INJECTED_LIBRARY. */
EXPORT int InitializeInjectionNvtx2Preinject(rcap_nvtx_get_export_table_fn *get_export_table);

/*
 * Called by each executable and library that uses NVTX, at its first call, perhaps by several at
 * once (facts: nvtx, section 1). Never fails once something is installed: NVTX would unload us
 * under running threads.
 */
int InitializeInjectionNvtx2(rcap_nvtx_get_export_table_fn *get_export_table)
{
	if (!get_export_table || !rcap_lifetime_load()) {
		return 1; /* success with no function installed: every call stays a no-op */
	}
	return rcap_nvtx_install_unit(get_export_table);
}

int InitializeInjectionNvtx2Preinject(rcap_nvtx_get_export_table_fn *get_export_table)
{
	return InitializeInjectionNvtx2(get_export_table);
}

/*
 * Linked or preloaded instead of injected: name ourselves in NVTX's variable, so that header-only
 * NVTX finds us. A variable that is set already wins.
 */
__attribute__((constructor)) static void load(void)
{
	Dl_info info;

	if (!rcap_lifetime_load()) {
		return;
	}
	/* Constructors run before the program can have threads of its own.
	 * NOLINTBEGIN(concurrency-mt-unsafe) */
	if (!getenv("NVTX_INJECTION64_PATH") &&
	    dladdr((void *) InitializeInjectionNvtx2, &info) != 0 && info.dli_fname) {
		setenv("NVTX_INJECTION64_PATH", info.dli_fname, 0);
	}
	/* NOLINTEND(concurrency-mt-unsafe) */
}

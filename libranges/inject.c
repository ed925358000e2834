/* SPDX-License-Identifier: MIT */
/* The entry points: what NVTX and our own header look up. */
#include "libranges/inject.h"

#include "libranges/nvtx-install.h"

#define EXPORT __attribute__((visibility("default")))

/* Looked up by name in us; NVTX declares it in its own headers. */
EXPORT int InitializeInjectionNvtx2(rcap_nvtx_get_export_table_fn *get_export_table);
/* For programs built with NVTX_SUPPORT_ALREADY_INJECTED_LIBRARY. */
EXPORT int InitializeInjectionNvtx2Preinject(rcap_nvtx_get_export_table_fn *get_export_table);
/* For programs built with ranges/nvtx.h and linked with us. */
EXPORT int ranges_nvtx_entry(rcap_nvtx_get_export_table_fn *get_export_table);

/*
 * Called by each executable and library that uses NVTX, at its first call, perhaps by several at
 * once (facts: nvtx, section 1). Never fails once something is installed: NVTX would unload us
 * under running threads.
 */
int InitializeInjectionNvtx2(rcap_nvtx_get_export_table_fn *get_export_table)
{
	const struct rcap_inject_entries *other = NULL;

	if (!get_export_table) {
		return 1;
	}
	if (rcap_inject_begin(&other)) {
		return rcap_nvtx_install_unit(get_export_table);
	}
	/* Success with no function installed: every call stays a no-op. */
	return other ? other->core(get_export_table) : 1;
}

int InitializeInjectionNvtx2Preinject(rcap_nvtx_get_export_table_fn *get_export_table)
{
	return InitializeInjectionNvtx2(get_export_table);
}

int ranges_nvtx_entry(rcap_nvtx_get_export_table_fn *get_export_table)
{
	return InitializeInjectionNvtx2(get_export_table);
}

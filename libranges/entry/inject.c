/* SPDX-License-Identifier: MIT */
/* The entry points that NVTX and our own header look up. */
#include "libranges/entry/inject.h"

#include "libranges/entry/nvtx-ext-install.h"
#include "libranges/entry/nvtx-install.h"

#define EXPORT __attribute__((visibility("default")))

/* NVTX looks up this function in us by its name. NVTX declares it in its own headers. */
EXPORT int InitializeInjectionNvtx2(rcap_nvtx_get_export_table_fn *get_export_table);
/* The same for programs built with NVTX_SUPPORT_ALREADY_INJECTED_LIBRARY. */
EXPORT int InitializeInjectionNvtx2Preinject(rcap_nvtx_get_export_table_fn *get_export_table);
/* The same for programs that are built with ranges/nvtx.h and linked with us. */
EXPORT int ranges_nvtx_entry(rcap_nvtx_get_export_table_fn *get_export_table);

/* The same three entry points for NVTX's extensions. */
EXPORT int InitializeInjectionNvtxExtension(struct rcap_nvtx_ext_info *info);
EXPORT int InitializeInjectionNvtxExtensionPreinject(struct rcap_nvtx_ext_info *info);
EXPORT int ranges_nvtx_ext_entry(struct rcap_nvtx_ext_info *info);

/*
 * Each executable and library that uses NVTX calls this at its first NVTX call. Several may do so
 * at once. It never fails once functions are installed: NVTX would unload us while threads may be
 * in our functions.
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
	/* Returns success although no function is installed: every call stays a no-op. */
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

/* Each executable and library calls this at its first call of an extension. */
int InitializeInjectionNvtxExtension(struct rcap_nvtx_ext_info *info)
{
	const struct rcap_inject_entries *other = NULL;

	if (rcap_inject_begin(&other)) {
		return rcap_nvtx_ext_install_unit(info);
	}
	/* With 0, every call of the extension is a no-op, and domains look disabled. */
	return other && other->struct_size >= offsetof(struct rcap_inject_entries, ext) +
	                                              sizeof(other->ext)
	               ? other->ext(info)
	               : 0;
}

int InitializeInjectionNvtxExtensionPreinject(struct rcap_nvtx_ext_info *info)
{
	return InitializeInjectionNvtxExtension(info);
}

int ranges_nvtx_ext_entry(struct rcap_nvtx_ext_info *info)
{
	return InitializeInjectionNvtxExtension(info);
}

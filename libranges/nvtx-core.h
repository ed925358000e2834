/* SPDX-License-Identifier: MIT */
/* NVTX's core and core2 modules: turning calls into records. */
#ifndef RCAP_NVTX_CORE_H
#define RCAP_NVTX_CORE_H

#include "libranges/nvtx-abi.h"

/*
 * Puts our functions into one linkage unit's table. Slots that its NVTX version does not have are
 * left alone.
 *
 * Return: 0 if the table can't be used (nothing was changed), else 1.
 * Context: NVTX's initialisation; several threads may do this at once for several tables.
 */
int rcap_nvtx_core_install(rcap_nvtx_get_export_table_fn *get_export_table);

#endif

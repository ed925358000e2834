/* SPDX-License-Identifier: MIT */
/* Which function of ours stands behind which NVTX call, and putting them into a program's tables.
 */
#ifndef RCAP_NVTX_INSTALL_H
#define RCAP_NVTX_INSTALL_H

#include "libranges/abi/nvtx-abi.h"

/*
 * Puts our functions into one linkage unit's tables. Slots that its NVTX version does not have are
 * left alone.
 *
 * Return: 0 if the table can't be used (nothing was changed), else 1.
 * Context: NVTX's initialisation; several threads may do this at once for several tables.
 */
int rcap_nvtx_install_unit(rcap_nvtx_get_export_table_fn *get_export_table);

#endif

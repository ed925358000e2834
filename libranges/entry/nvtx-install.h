/* SPDX-License-Identifier: MIT */
/* Maps NVTX calls to our functions, and installs these in a program's tables. */
#ifndef RCAP_NVTX_INSTALL_H
#define RCAP_NVTX_INSTALL_H

#include "libranges/abi/nvtx-abi.h"

/*
 * Installs our functions in one linkage unit's tables. Does not write beyond the slots that the
 * unit's NVTX version has.
 *
 * Return: 0 if the table can't be used (nothing is changed then), else 1.
 * Context: NVTX's initialisation; several threads may do this at once for several tables.
 */
int rcap_nvtx_install_unit(rcap_nvtx_get_export_table_fn *get_export_table);

#endif

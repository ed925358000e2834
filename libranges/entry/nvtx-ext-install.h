/* SPDX-License-Identifier: MIT */
/* Maps calls of NVTX's extensions to our functions, and installs these. */
#ifndef RCAP_NVTX_EXT_INSTALL_H
#define RCAP_NVTX_EXT_INSTALL_H

#include "libranges/abi/nvtx-abi-ext.h"

/*
 * Installs our functions in the slots of one linkage unit's extension. Does not write beyond the
 * slots that the unit's version has. The slots must stay at their address. The rest of `info` is
 * not used later.
 *
 * Return: 1.
 * Context: NVTX's initialisation; several threads may do this at once for several units.
 */
int rcap_nvtx_ext_install_unit(const struct rcap_nvtx_ext_info *info);

#endif

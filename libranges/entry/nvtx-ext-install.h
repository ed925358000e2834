/* SPDX-License-Identifier: MIT */
/* Which function of ours stands behind which call of NVTX's extensions, and putting them into a
 * program. */
#ifndef RCAP_NVTX_EXT_INSTALL_H
#define RCAP_NVTX_EXT_INSTALL_H

#include "libranges/abi/nvtx-abi-ext.h"

/*
 * Puts our functions into the slots of one linkage unit's extension. Slots that its version does
 * not have are left alone; nothing of `info` but the slots is kept.
 *
 * Return: 1.
 * Context: NVTX's initialisation; several threads may do this at once for several units.
 */
int rcap_nvtx_ext_install_unit(const struct rcap_nvtx_ext_info *info);

#endif

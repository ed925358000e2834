/* SPDX-License-Identifier: MIT */
/* The chained tool's part of NVTX's extensions. */
#ifndef RCAP_NVTX_CHAIN_EXT_H
#define RCAP_NVTX_CHAIN_EXT_H

#include "libranges/abi/nvtx-abi-ext.h"
#include "libranges/abi/nvtx-abi.h"

/*
 * Starts the tool's part of an extension at the first call, as rcap_nvtx_chain_open() starts the
 * tool.
 *
 * @info: from the program's linkage unit; not kept.
 * @ours: our functions of the module.
 * @count: number of our functions.
 * Return: as many wrappers, to be installed instead of our functions; NULL if the tool does not
 * support the extension.
 */
const rcap_nvtx_fn *rcap_nvtx_chain_ext_open(const struct rcap_nvtx_ext_info *info,
                                             const rcap_nvtx_fn *ours, unsigned int count);

#endif

/* SPDX-License-Identifier: MIT */
/* The functions of both tools that the wrappers of NVTX's extensions call. */
#include "libranges/chain/nvtx-chain-ext-wrap.h"

rcap_nvtx_fn rcap_nvtx_chain_ext_wrap_ours[RCAP_CHAIN_EXT_MODULES][RCAP_CHAIN_EXT_SLOTS]
	__attribute__((visibility("hidden")));
intptr_t rcap_nvtx_chain_ext_wrap_slots[RCAP_CHAIN_EXT_MODULES][RCAP_CHAIN_EXT_SLOTS]
	__attribute__((visibility("hidden")));

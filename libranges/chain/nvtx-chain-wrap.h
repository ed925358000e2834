/* SPDX-License-Identifier: MIT */
/* What the files of wrappers share. */
#ifndef RCAP_NVTX_CHAIN_WRAP_H
#define RCAP_NVTX_CHAIN_WRAP_H

#include <errno.h>

#include "libranges/chain/nvtx-chain.h"
#include "libranges/nvtx/nvtx-calls.h"

/* Our function for a call, and the tool's, with their type. Each may be NULL. */
#define RCAP_CHAIN_OURS(type, module, id)   ((type *) rcap_nvtx_chain_ours[module][id])
#define RCAP_CHAIN_THEIRS(type, module, id) ((type *) rcap_nvtx_chain_theirs((module), (id)))

static inline void rcap_nvtx_chain_wrap_restore(const int *saved)
{
	errno = *saved;
}

/* Saves errno in a variable, and restores it at the end of the function, because the tool may
 * change it. */
#define RCAP_CHAIN_KEEP_ERRNO \
	__attribute__((cleanup(rcap_nvtx_chain_wrap_restore), unused)) const int kept_errno = errno

/* Declares the wrappers: rcap_nvtx_chain_<function> for each call. */
#define RCAP_CHAIN_DECLARE(slot, number, name, kinds, gives, function, result, arguments) \
	result rcap_nvtx_chain_##function arguments;

RCAP_NVTX_CORE_CALLS(RCAP_CHAIN_DECLARE)
RCAP_NVTX_CUDA_CALLS(RCAP_CHAIN_DECLARE)
RCAP_NVTX_OPENCL_CALLS(RCAP_CHAIN_DECLARE)
RCAP_NVTX_CUDART_CALLS(RCAP_CHAIN_DECLARE)
RCAP_NVTX_CORE2_CALLS(RCAP_CHAIN_DECLARE)
RCAP_NVTX_SYNC_CALLS(RCAP_CHAIN_DECLARE)

#endif

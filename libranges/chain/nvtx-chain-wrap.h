/* SPDX-License-Identifier: MIT */
/* What the files of wrappers share, and their tables. */
#ifndef RCAP_NVTX_CHAIN_WRAP_H
#define RCAP_NVTX_CHAIN_WRAP_H

#include <errno.h>

#include "libranges/chain/nvtx-chain.h"

/* Both functions of a call as what they are; each may be missing. */
#define RCAP_CHAIN_OURS(type, module, id)   ((type *) rcap_nvtx_chain_ours[module][id])
#define RCAP_CHAIN_THEIRS(type, module, id) ((type *) rcap_nvtx_chain_theirs((module), (id)))

static inline void rcap_nvtx_chain_wrap_restore(const int *saved)
{
	errno = *saved;
}

/* A declaration: errno stays as the program left it, whatever the tool does to it. */
#define RCAP_CHAIN_KEEP_ERRNO \
	__attribute__((cleanup(rcap_nvtx_chain_wrap_restore), unused)) const int kept_errno = errno

/* Tables of wrappers, indexed by id. */
extern const rcap_nvtx_fn rcap_nvtx_chain_core_core[RCAP_NVTX_CORE_COUNT]
	__attribute__((visibility("hidden")));
extern const rcap_nvtx_fn rcap_nvtx_chain_domain_core2[RCAP_NVTX_CORE2_COUNT]
	__attribute__((visibility("hidden")));
extern const rcap_nvtx_fn rcap_nvtx_chain_domain_sync[RCAP_NVTX_SYNC_COUNT]
	__attribute__((visibility("hidden")));
extern const rcap_nvtx_fn rcap_nvtx_chain_objects_cuda[RCAP_NVTX_CUDA_COUNT]
	__attribute__((visibility("hidden")));
extern const rcap_nvtx_fn rcap_nvtx_chain_objects_opencl[RCAP_NVTX_OPENCL_COUNT]
	__attribute__((visibility("hidden")));
extern const rcap_nvtx_fn rcap_nvtx_chain_objects_cudart[RCAP_NVTX_CUDART_COUNT]
	__attribute__((visibility("hidden")));

#endif

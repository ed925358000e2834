/* SPDX-License-Identifier: MIT */
/* NVTX's user-defined synchronisation objects. */
#ifndef RCAP_NVTX_SYNC_H
#define RCAP_NVTX_SYNC_H

#include "libranges/abi/nvtx-abi.h"

/* The functions by id. NULL and wild handles are ignored. */
extern const rcap_nvtx_fn rcap_nvtx_sync_functions[RCAP_NVTX_SYNC_COUNT];

#endif

/* SPDX-License-Identifier: MIT */
/* NVTX's calls that name objects of CUDA and OpenCL. */
#ifndef RCAP_NVTX_OBJECTS_H
#define RCAP_NVTX_OBJECTS_H

#include "libranges/abi/nvtx-abi.h"

/*
 * The functions by id. Each defines its object's name in the log and records the call; NULL texts
 * are ignored. Objects are numbers to us: nothing behind them is looked at, so they need not be
 * alive.
 */
extern const rcap_nvtx_fn rcap_nvtx_objects_cuda[RCAP_NVTX_CUDA_COUNT];
extern const rcap_nvtx_fn rcap_nvtx_objects_cudart[RCAP_NVTX_CUDART_COUNT];
extern const rcap_nvtx_fn rcap_nvtx_objects_opencl[RCAP_NVTX_OPENCL_COUNT];

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Names for devices, contexts, streams and events of the CUDA driver, as NVTX 3 takes them.
 * Replaces NVTX's nvToolsExtCuda.h.
 *
 * <cuda.h> is not needed, and may be included before or after this header or not at all: CUdevice
 * is an int, and CUcontext, CUstream and CUevent are pointers to the structures declared here.
 */
#ifndef RANGES_NVTX_CUDA_H
#define RANGES_NVTX_CUDA_H

#include <ranges/nvtx.h>

/* Names are NVTX's and CUDA's.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */

#ifdef __cplusplus
extern "C" {
#endif

struct CUctx_st;
struct CUstream_st;
struct CUevent_st;

/* Values of nvtxResourceAttributes_t.identifierType. */
#define NVTX_RESOURCE_CLASS_CUDA 4

typedef enum nvtxResourceCUDAType_t {
	NVTX_RESOURCE_TYPE_CUDA_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDA, 1),  /* CUdevice */
	NVTX_RESOURCE_TYPE_CUDA_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 2), /* CUcontext */
	NVTX_RESOURCE_TYPE_CUDA_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDA, 3),  /* CUstream */
	NVTX_RESOURCE_TYPE_CUDA_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 4),   /* CUevent */
} nvtxResourceCUDAType_t;

RANGES_NVTX_DO(nvtxNameCuDeviceA, CUDA, 1, (int device, const char *name), (device, name))
RANGES_NVTX_DO(nvtxNameCuDeviceW, CUDA, 2, (int device, const wchar_t *name), (device, name))
RANGES_NVTX_DO(nvtxNameCuContextA, CUDA, 3, (struct CUctx_st * context, const char *name),
               (context, name))
RANGES_NVTX_DO(nvtxNameCuContextW, CUDA, 4, (struct CUctx_st * context, const wchar_t *name),
               (context, name))
RANGES_NVTX_DO(nvtxNameCuStreamA, CUDA, 5, (struct CUstream_st * stream, const char *name),
               (stream, name))
RANGES_NVTX_DO(nvtxNameCuStreamW, CUDA, 6, (struct CUstream_st * stream, const wchar_t *name),
               (stream, name))
RANGES_NVTX_DO(nvtxNameCuEventA, CUDA, 7, (struct CUevent_st * event, const char *name),
               (event, name))
RANGES_NVTX_DO(nvtxNameCuEventW, CUDA, 8, (struct CUevent_st * event, const wchar_t *name),
               (event, name))

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCuDevice  nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream  nvtxNameCuStreamW
#define nvtxNameCuEvent   nvtxNameCuEventW
#else
#define nvtxNameCuDevice  nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream  nvtxNameCuStreamA
#define nvtxNameCuEvent   nvtxNameCuEventA
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */

#endif

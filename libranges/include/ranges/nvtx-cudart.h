/* SPDX-License-Identifier: MIT */
/*
 * Names for devices, streams and events of the CUDA runtime, as NVTX 3 takes them. Replaces NVTX's
 * nvToolsExtCudaRt.h.
 *
 * <cuda_runtime_api.h> is not needed, and may be included before or after this header or not at
 * all: cudaStream_t and cudaEvent_t are pointers to the structures declared here.
 */
#ifndef RANGES_NVTX_CUDART_H
#define RANGES_NVTX_CUDART_H

#include <ranges/nvtx.h>

/* Names are NVTX's and CUDA's.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st;
struct CUevent_st;

/* Values of nvtxResourceAttributes_t.identifierType. They start at 0, unlike the driver's. */
#define NVTX_RESOURCE_CLASS_CUDART 5

typedef enum nvtxResourceCUDARTType_t {
	NVTX_RESOURCE_TYPE_CUDART_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDART, 0), /* int */
	NVTX_RESOURCE_TYPE_CUDART_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDART, 1), /* cudaStream_t */
	NVTX_RESOURCE_TYPE_CUDART_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDART, 2),  /* cudaEvent_t */
} nvtxResourceCUDARTType_t;

RANGES_NVTX_DO(nvtxNameCudaDeviceA, CUDART, 1, (int device, const char *name), (device, name))
RANGES_NVTX_DO(nvtxNameCudaDeviceW, CUDART, 2, (int device, const wchar_t *name), (device, name))
RANGES_NVTX_DO(nvtxNameCudaStreamA, CUDART, 3, (struct CUstream_st * stream, const char *name),
               (stream, name))
RANGES_NVTX_DO(nvtxNameCudaStreamW, CUDART, 4, (struct CUstream_st * stream, const wchar_t *name),
               (stream, name))
RANGES_NVTX_DO(nvtxNameCudaEventA, CUDART, 5, (struct CUevent_st * event, const char *name),
               (event, name))
RANGES_NVTX_DO(nvtxNameCudaEventW, CUDART, 6, (struct CUevent_st * event, const wchar_t *name),
               (event, name))

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent  nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */

#endif

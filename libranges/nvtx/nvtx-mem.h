/* SPDX-License-Identifier: MIT */
/* NVTX's calls about memory: heaps, regions, permissions. */
#ifndef RCAP_NVTX_MEM_H
#define RCAP_NVTX_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-counters.h"

/*
 * Signatures are NVTX's; streams, heaps and permissions are opaque. Each call is an event; memory
 * that is spoken of is never touched, only descriptions are read, through the kernel.
 *
 * Handles: a heap of virtual memory is its address, as NVTX wants it; everything else is a number
 * of ours. Where nothing is recorded, what a program without a tool gets.
 *
 * Context: any thread; errno is kept.
 */
void *rcap_nvtx_mem_register_heap(const void *domain, const struct rcap_nvtx_mem_heap_desc *desc);
void rcap_nvtx_mem_unregister_heap(const void *domain, const void *heap);
void rcap_nvtx_mem_reset_heap(const void *domain, const void *heap);
void rcap_nvtx_mem_register_regions(const void *domain,
                                    const struct rcap_nvtx_mem_register_batch *batch);
void rcap_nvtx_mem_resize_regions(const void *domain,
                                  const struct rcap_nvtx_mem_region_batch *batch);
void rcap_nvtx_mem_unregister_regions(const void *domain,
                                      const struct rcap_nvtx_mem_unregister_batch *batch);
void rcap_nvtx_mem_name_regions(const void *domain, const struct rcap_nvtx_mem_name_batch *batch);
void rcap_nvtx_mem_assign(const void *domain, const struct rcap_nvtx_mem_assign_batch *batch);
void *rcap_nvtx_mem_create_permissions(const void *domain, int32_t flags);
void rcap_nvtx_mem_destroy_permissions(const void *domain, const void *permissions);
void rcap_nvtx_mem_reset_permissions(const void *domain, const void *permissions);
void rcap_nvtx_mem_bind(const void *domain, const void *permissions, uint32_t scope,
                        uint32_t flags);
void rcap_nvtx_mem_unbind(const void *domain, uint32_t scope);
void *rcap_nvtx_mem_cuda_process(const void *domain);
void *rcap_nvtx_mem_cuda_device(const void *domain, int device);
void rcap_nvtx_mem_cuda_set_peer(const void *domain, const void *permissions, int peer,
                                 uint32_t flags);
void rcap_nvtx_mem_cuda_mark_initialized(const void *domain, const void *stream,
                                         uint8_t is_per_thread,
                                         const struct rcap_nvtx_mem_region_batch *batch);

#endif

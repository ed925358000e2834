/* SPDX-License-Identifier: MIT */
/* NVTX's marks and ranges: turning calls into records. */
#ifndef RCAP_NVTX_CORE_H
#define RCAP_NVTX_CORE_H

#include <wchar.h>

#include "libranges/abi/nvtx-abi.h"

/*
 * Signatures and meaning are NVTX's. Anything may be NULL; a wild domain counts as the default one,
 * a wild registered string as no name, fields of attributes outside their `size` as not given.
 *
 * Push and pop return the depth of the range, 0-based, or RCAP_NVTX_NO_TRACKING (pop without push,
 * nothing recorded). Start returns the range's id, unique in the process, or 0.
 *
 * Context: any thread, signal handlers, fork children; the first call of a process starts the
 * capture. errno is kept.
 */
void rcap_nvtx_core_mark_ex(const struct rcap_nvtx_attributes *attributes);
void rcap_nvtx_core_mark_a(const char *text);
void rcap_nvtx_core_mark_w(const wchar_t *text);
uint64_t rcap_nvtx_core_range_start_ex(const struct rcap_nvtx_attributes *attributes);
uint64_t rcap_nvtx_core_range_start_a(const char *text);
uint64_t rcap_nvtx_core_range_start_w(const wchar_t *text);
void rcap_nvtx_core_range_end(uint64_t id);
int rcap_nvtx_core_range_push_ex(const struct rcap_nvtx_attributes *attributes);
int rcap_nvtx_core_range_push_a(const char *text);
int rcap_nvtx_core_range_push_w(const wchar_t *text);
int rcap_nvtx_core_range_pop(void);

void rcap_nvtx_core_domain_mark_ex(const void *domain,
                                   const struct rcap_nvtx_attributes *attributes);
uint64_t rcap_nvtx_core_domain_range_start_ex(const void *domain,
                                              const struct rcap_nvtx_attributes *attributes);
void rcap_nvtx_core_domain_range_end(const void *pointer, uint64_t id);
int rcap_nvtx_core_domain_range_push_ex(const void *pointer,
                                        const struct rcap_nvtx_attributes *attributes);
int rcap_nvtx_core_domain_range_pop(const void *pointer);

#endif

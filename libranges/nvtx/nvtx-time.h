/* SPDX-License-Identifier: MIT */
/* NVTX's calls about clocks of the program's own, for deferred events. */
#ifndef RCAP_NVTX_TIME_H
#define RCAP_NVTX_TIME_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-payload.h"

/* Ticks of the log. Context: any. */
int64_t rcap_nvtx_time_get(void);

/*
 * Signatures are NVTX's; clocks of the program are never called. What was said is in the log.
 *
 * Context: any thread; errno is kept.
 */
uint64_t rcap_nvtx_time_register_domain(const void *domain,
                                        const struct rcap_nvtx_time_domain_attributes *attributes);
void rcap_nvtx_time_set_source(const void *domain, uint64_t time_domain, uint64_t flags,
                               int64_t (*source)(void));
void rcap_nvtx_time_set_source_with_data(const void *domain, uint64_t time_domain, uint64_t flags,
                                         int64_t (*source)(void *data), void *data);
void rcap_nvtx_time_sync_point(const void *domain, uint64_t time_domain_1, uint64_t time_domain_2,
                               int64_t time_1, int64_t time_2);
void rcap_nvtx_time_sync_table(const void *domain, uint64_t from, uint64_t to,
                               const struct rcap_nvtx_sync_point *points, size_t count);
void rcap_nvtx_time_convert(const void *domain, uint64_t from, uint64_t to, double slope,
                            int64_t from_time, int64_t to_time);

#endif

/* SPDX-License-Identifier: MIT */
/* NVTX's counters. */
#ifndef RCAP_NVTX_COUNTERS_H
#define RCAP_NVTX_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-counters.h"

/* Signatures are NVTX's. Context: any thread, signal handlers; errno is kept. */
uint64_t rcap_nvtx_counters_register(const void *domain,
                                     const struct rcap_nvtx_counter_attributes *attributes);
void rcap_nvtx_counters_sample_i64(const void *domain, uint64_t counter, int64_t value);
void rcap_nvtx_counters_sample_f64(const void *domain, uint64_t counter, double value);
void rcap_nvtx_counters_sample(const void *domain, uint64_t counter, const void *values,
                               size_t bytes);
void rcap_nvtx_counters_sample_none(const void *domain, uint64_t counter, uint8_t reason);
void rcap_nvtx_counters_submit_batch(const void *domain,
                                     const struct rcap_nvtx_counter_batch *batch);

#endif

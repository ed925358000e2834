/* SPDX-License-Identifier: MIT */
/* NVTX's calls with payloads in place of attributes, and deferred events. */
#ifndef RCAP_NVTX_PAYLOAD_H
#define RCAP_NVTX_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-payload.h"

/*
 * Signatures and meaning are NVTX's; see payload.h for what is believed of payloads. Push, pop and
 * start return what their twins in nvtx-core.h do.
 *
 * Context: any thread, signal handlers, fork children; errno is kept.
 */
void rcap_nvtx_payload_mark(const void *domain, const struct rcap_nvtx_payload_data *data,
                            size_t count);
int rcap_nvtx_payload_push(const void *domain, const struct rcap_nvtx_payload_data *data,
                           size_t count);
int rcap_nvtx_payload_pop(const void *domain, const struct rcap_nvtx_payload_data *data,
                          size_t count);
uint64_t rcap_nvtx_payload_start(const void *domain, const struct rcap_nvtx_payload_data *data,
                                 size_t count);
void rcap_nvtx_payload_end(const void *domain, uint64_t id,
                           const struct rcap_nvtx_payload_data *data, size_t count);

/* Return: 1, 0 for a domain that is not recorded. */
uint8_t rcap_nvtx_payload_is_enabled(const void *domain);

/* Events that happened earlier: kept as they are, for the analyzer. */
void rcap_nvtx_payload_submit(const void *domain, const struct rcap_nvtx_payload_data *data,
                              size_t count);
void rcap_nvtx_payload_submit_batch(const void *domain, const struct rcap_nvtx_event_batch *batch);

#endif

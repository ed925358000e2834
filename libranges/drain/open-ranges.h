/* SPDX-License-Identifier: MIT */
/* Which ranges are open at the place in its streams where the drain is. */
#ifndef RCAP_OPEN_RANGES_H
#define RCAP_OPEN_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/drain/drain.h"
#include "libranges/spool/live.h"

/* From here on batches are followed. Without memory they are not, and ranges that were open have no
 * name. */
void rcap_open_ranges_init(struct rcap_drain *drain);

/* What was open is not known any more. */
void rcap_open_ranges_forget(struct rcap_drain *drain);

/* True for the index of a stream that can have open ranges. */
bool rcap_open_ranges_has(const struct rcap_drain *drain, uint32_t index);

/* Adds what is open in a stream to the batch, outermost first, as of `ticks`. @with_started: and
 * the start/end ranges of the process. */
void rcap_open_ranges_put(struct rcap_drain *drain, uint32_t index, uint64_t ticks,
                          bool with_started);

/* What is open in a stream, outermost first; of the process, with index UINT32_MAX. Return: NULL:
 * nothing. Lives until the next batch. */
const struct rcap_open_range *rcap_open_ranges_borrow(const struct rcap_drain *drain,
                                                      uint32_t index, uint32_t *count);

#endif

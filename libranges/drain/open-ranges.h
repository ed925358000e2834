/* SPDX-License-Identifier: MIT */
/* Knows which ranges are open at the drain's position in each stream. */
#ifndef RCAP_OPEN_RANGES_H
#define RCAP_OPEN_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/drain/drain.h"
#include "libranges/spool/live.h"

/* Begins to follow batches. If there is no memory, it does nothing. Ranges that are open at a
 * switch then have no name. */
void rcap_open_ranges_init(struct rcap_drain *drain);

/* Forgets the open ranges. */
void rcap_open_ranges_forget(struct rcap_drain *drain);

/* True for the index of a stream that can have open ranges. */
bool rcap_open_ranges_has(const struct rcap_drain *drain, uint32_t index);

/* Adds the open ranges of a stream to the batch, outermost first, with the time `ticks`.
 * @with_started: also adds the start/end ranges of the process. */
void rcap_open_ranges_put(struct rcap_drain *drain, uint32_t index, uint64_t ticks,
                          bool with_started);

/* Returns the open ranges of a stream, outermost first; NULL if there are none. The index
 * UINT32_MAX means the start/end ranges of the process. Valid until the next batch. */
const struct rcap_open_range *rcap_open_ranges_borrow(const struct rcap_drain *drain,
                                                      uint32_t index, uint32_t *count);

#endif

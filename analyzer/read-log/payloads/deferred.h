/* SPDX-License-Identifier: MIT */
/* Deferred events and batches of counters: calls whose payload has times of its own. */
#ifndef RA_DEFERRED_H
#define RA_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/build/builder.h"
#include "analyzer/clock/clock.h"
#include "analyzer/read-log/payloads/deferred-gpu.h"
#include "analyzer/read-log/ranges/spans.h"

/* True for functions whose payload ra_deferred_expand() uses. */
bool ra_deferred_is_wanted(uint64_t function);

/*
 * Adds deferred events to the model as start/end ranges (marks as ranges of 0 ns), and batches of
 * counters as samples. All calls must be in the model. Times of NVTX's own timestamp types (the
 * tool's ticks, TSC, CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME) are converted. Other times
 * are converted if the program told what their clock and one of those showed at the same moment
 * (time-ties.h); else the events and samples stay out of the model. @gpu: gets the events with a
 * GPU's time that can't be converted, to be placed once the GPU operations are known.
 */
void ra_deferred_expand(struct ra_builder *builder, struct ra_spans *spans,
                        const struct ra_clock *clock, struct ra_deferred_gpu *gpu);

#endif

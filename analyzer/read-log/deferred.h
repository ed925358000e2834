/* SPDX-License-Identifier: MIT */
/* Deferred events and batches of counters: calls that bring their own times. */
#ifndef RA_DEFERRED_H
#define RA_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/builder.h"
#include "analyzer/clock/clock.h"
#include "analyzer/read-log/deferred-gpu.h"
#include "analyzer/read-log/spans.h"

/* True for functions whose data ra_deferred_expand() can use. */
bool ra_deferred_is_wanted(uint64_t function);

/*
 * Makes start/end ranges of deferred events, of marks such of 0 ns, and samples of batches of
 * counters; all calls are in the model. Times that NVTX's own timestamp types tell (the tool's
 * ticks, TSC, CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME) are converted; events and samples
 * with others are, if the program told what their clock and one of those showed at the same moment
 * (time-ties.h), else they stay out of the model. @gpu: gets events in a GPU's time of which
 * nothing is told, for when the GPU's work is known.
 */
void ra_deferred_expand(struct ra_builder *builder, struct ra_spans *spans,
                        const struct ra_clock *clock, struct ra_deferred_gpu *gpu);

#endif

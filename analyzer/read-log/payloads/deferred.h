/* SPDX-License-Identifier: MIT */
/* Reads deferred events and batches of counters: calls whose payload contains times. */
#ifndef RA_DEFERRED_H
#define RA_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/build/builder.h"
#include "analyzer/clock/clock.h"
#include "analyzer/read-log/payloads/deferred-gpu.h"
#include "analyzer/read-log/ranges/spans.h"

/* True for functions whose payload ra_deferred_expand() handles. */
bool ra_deferred_is_wanted(uint64_t function);

/*
 * Adds deferred events to the model as start/end ranges (marks as ranges of 0 ns), and batches of
 * counters as samples. All calls must be in the model already. Times of NVTX's own timestamp types
 * (the tool's ticks, TSC, CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME) are converted. Times of
 * another clock are converted if the program reported what that clock and one of these showed at
 * the same moment (time-ties.h); otherwise the events and samples are left out of the model. @gpu:
 * gets those events with times of a GPU that can't be converted; they can be placed when the GPU
 * operations are known.
 */
void ra_deferred_expand(struct ra_builder *builder, struct ra_spans *spans,
                        const struct ra_clock *clock, struct ra_deferred_gpu *gpu);

#endif

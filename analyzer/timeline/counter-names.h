/* SPDX-License-Identifier: MIT */
/* What counters of GPUs are called in timelines. */
#ifndef RA_COUNTER_NAMES_H
#define RA_COUNTER_NAMES_H

#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/io/outbuf.h"

/* Writes the rest of an event behind "name":" up to its value. Perfetto shows name, a space and the
 * series' key, which is the unit or the stream. */
void ra_counter_names_put(struct ra_outbuf *out, const struct ra_model *model,
                          const struct ra_gpu_series *series);

#endif

/* SPDX-License-Identifier: MIT */
/* Names counters in timelines. */
#ifndef RA_COUNTER_NAMES_H
#define RA_COUNTER_NAMES_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/figures/memory.h"
#include "analyzer/timeline/pens/pen.h"

/* The name of a counter. Perfetto shows the name, a space, and the key of the series; that key is
 * the unit or the stream. Zero-initialise; free the text with ra_util_text_free(). */
struct ra_counter_names {
	struct ra_pen_text name;
	struct ra_pen_text key;
	struct ra_util_text text; /* owned */
};

/* Finds the name of a GPU's series. It is valid until the next call. */
void ra_counter_names_find(struct ra_counter_names *names, const struct ra_model *model,
                           const struct ra_gpu_series *series);

#define RA_COUNTER_NAMES_MEMORY_BYTES (RA_MEMORY_NAME_BYTES + 8)

/* The name of a pool's memory counter. @name: gets the text. */
struct rlog_string ra_counter_names_of_pool(const struct ra_memory_pool *pool,
                                            char name[RA_COUNTER_NAMES_MEMORY_BYTES]);

/* Draws the values of a memory record, and ends the event. */
void ra_counter_names_put_memory(struct ra_pen *pen, const struct ra_memory_record *record);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads the [memory] records of a trace, and assigns them to events as torch does. */
#ifndef RA_TORCH_MEMORY_H
#define RA_TORCH_MEMORY_H

#include "analyzer/base/util.h"
#include "analyzer/compat/torch/events.h"

struct ra_torch_record;

/* Zero-initialise. */
struct ra_torch_memory {
	struct ra_torch_record *records; /* owned; ordered by time */
	size_t count;
};

/* Rows of the trace. Zero-initialise; the caller frees rows. */
struct ra_torch_rows {
	uint32_t *rows; /* owned */
	size_t count;
	size_t capacity;
};

void ra_torch_memory_add_row(struct ra_torch_rows *rows, uint32_t row);

/* Reads the records. */
void ra_torch_memory_init(struct ra_torch_memory *memory, const struct ra_kineto *k);
void ra_torch_memory_fini(struct ra_torch_memory *memory);

/* Appends the records that are inside no event of the CPU. torch makes an event from each. */
void ra_torch_memory_add_lone(struct ra_torch_memory *memory, const struct ra_kineto *k,
                              struct ra_torch_rows *rows);

/* Makes events->bytes, if there are records. Each event of the CPU gets the sum of the records
 * within it. Call it last. */
void ra_torch_memory_assign(struct ra_torch_memory *memory, struct ra_torch_events *events);

static inline int64_t ra_torch_memory_subtract(int64_t a, int64_t b)
{
	return (int64_t) ((uint64_t) a - (uint64_t) b);
}

#endif

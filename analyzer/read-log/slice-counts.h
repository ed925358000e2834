/* SPDX-License-Identifier: MIT */
/* What threads counted in their ranges: doc/format.md, columns count1 … of push and pop. */
#ifndef RA_SLICE_COUNTS_H
#define RA_SLICE_COUNTS_H

#include <stdbool.h>

#include "analyzer/model/builder.h"
#include "analyzer/read-log/row.h"

/* What they are called, by enum ra_count_kind; that of none is NULL. */
extern const char *const ra_slice_counts_words[RA_COUNT_KINDS];

/* Learns from the log what is counted. */
void ra_slice_counts_begin(struct ra_model *model);

/* True if rows of the batch have counts. */
bool ra_slice_counts_are_in(const struct rlog_batch *batch);

/* The row opens the slice, the newest. */
void ra_slice_counts_open(struct ra_builder *builder, uint32_t slice, const struct ra_row *row);

/* The row closes the slice. */
void ra_slice_counts_close(struct ra_builder *builder, uint32_t slice, const struct ra_row *row);

#endif

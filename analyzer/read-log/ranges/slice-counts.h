/* SPDX-License-Identifier: MIT */
/* Reads the counter values of ranges: doc/format.md, columns count1 … of push and pop. */
#ifndef RA_SLICE_COUNTS_H
#define RA_SLICE_COUNTS_H

#include <stdbool.h>

#include "analyzer/model/build/builder.h"
#include "analyzer/read-log/chunks/row.h"

/* Names of the counters, by enum ra_count_kind; NULL: it has no name. */
extern const char *const ra_slice_counts_words[RA_COUNT_KINDS];

/* Reads from the log which counters it has. */
void ra_slice_counts_begin(struct ra_model *model);

/* True if rows of the batch have counts. */
bool ra_slice_counts_are_in(const struct rlog_batch *batch);

/* Stores, for the newest slice, the counter values of the row that opens it. */
void ra_slice_counts_open(struct ra_builder *builder, uint32_t slice, const struct ra_row *row);

/* Stores, for a slice, how much the counters rose up to the row that closes it. */
void ra_slice_counts_close(struct ra_builder *builder, uint32_t slice, const struct ra_row *row);

#endif

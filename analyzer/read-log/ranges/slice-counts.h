/* SPDX-License-Identifier: MIT */
/* Counter values of ranges: doc/format.md, columns count1 … of push and pop. */
#ifndef RA_SLICE_COUNTS_H
#define RA_SLICE_COUNTS_H

#include <stdbool.h>

#include "analyzer/model/build/builder.h"
#include "analyzer/read-log/chunks/row.h"

/* Names of the counters, by enum ra_count_kind; NULL for none. */
extern const char *const ra_slice_counts_words[RA_COUNT_KINDS];

/* Reads from the log which counters it has. */
void ra_slice_counts_begin(struct ra_model *model);

/* True if rows of the batch have counts. */
bool ra_slice_counts_are_in(const struct rlog_batch *batch);

/* Notes the counts of the row that opens a slice, the newest one. */
void ra_slice_counts_open(struct ra_builder *builder, uint32_t slice, const struct ra_row *row);

/* Notes the counts of the row that closes a slice. */
void ra_slice_counts_close(struct ra_builder *builder, uint32_t slice, const struct ra_row *row);

#endif

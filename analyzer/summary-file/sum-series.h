/* SPDX-License-Identifier: MIT */
/* The single calls of a part's rows in the order in which they began: what runs are paired by. */
#ifndef RA_SUM_SERIES_H
#define RA_SUM_SERIES_H

#include "analyzer/names/group.h"
#include "analyzer/summary-file/sum.h"

/* More calls of a row are thinned out: every second is kept, every third and so on. */
#define RA_SUM_SERIES_MOST 16384u

/* A call. Its place tells which call of another run it is: a hash of the names around it, of the
 * thread's, and of how many of its kind were there before. */
struct ra_sum_series_call {
	float dur_ns;
	uint32_t place;
};

/* The calls of a row, or of steps. */
struct ra_sum_series_row {
	uint64_t key; /* ra_sum_series_key() */
	size_t first; /* into the calls */
	size_t count;
	uint64_t all; /* calls that there were before they were thinned out */
};

/* What is noted while a part is built. */
struct ra_sum_series_note {
	uint32_t row;
	struct ra_sum_series_call call;
};

/* Zero-initialise. */
struct ra_sum_series {
	uint8_t id[RA_SUM_ID_BYTES];    /* of the part */
	struct ra_sum_series_row *rows; /* owned, as all here; by key */
	size_t row_count;
	struct ra_sum_series_call *calls;
	size_t call_count;
	struct ra_sum_series_note *notes; /* until it is sealed */
	size_t note_count;
	size_t note_capacity;
};

void ra_sum_series_fini(struct ra_sum_series *series);

/* A number for what a row is of. */
uint64_t ra_sum_series_key(uint32_t table, uint32_t kind, struct rlog_string domain,
                           struct rlog_string name);

/* Notes a call of a row. */
void ra_sum_series_note(struct ra_sum_series *series, uint32_t row, int64_t dur_ns, uint32_t place);

/*
 * Notes all ranges of a model. Threads come in the order of their names, then as the input has
 * them.
 *
 * @first: the row of group 0.
 * @values: by slice, in place of durations; less than 0: none, and it is not noted. NULL:
 * durations.
 */
void ra_sum_series_note_ranges(struct ra_sum_series *series, const struct ra_model *model,
                               struct ra_labels *labels, size_t first, const struct ra_group *group,
                               const int64_t *values);

/* All calls of the part's rows are noted: orders and thins them. */
void ra_sum_series_seal(struct ra_sum_series *series, const struct ra_sum_part *part);

/* The calls of a row. Return: NULL if there are none. */
const struct ra_sum_series_row *ra_sum_series_find(const struct ra_sum_series *series,
                                                   uint64_t key);

#endif

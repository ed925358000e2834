/* SPDX-License-Identifier: MIT */
/* The single calls of a part's rows in the order in which they began: what runs are paired by. */
#ifndef RA_SUM_SERIES_H
#define RA_SUM_SERIES_H

#include "analyzer/base/util-map.h"
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
	/* Calls of each row, where notes are thinned out as they come; NULL: the notes are all. */
	uint64_t *all;
	size_t all_count;
};

void ra_sum_series_fini(struct ra_sum_series *series);

/* A number for what a row is of. */
uint64_t ra_sum_series_key(uint32_t table, uint32_t kind, struct rlog_string domain,
                           struct rlog_string name);

/* Of so many calls of a row every how manieth is kept, from the first on. */
uint64_t ra_sum_series_step(uint64_t calls);

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

/* The places of ranges that pass by, one thread after the other. Zero-initialise. */
struct ra_sum_places {
	struct ra_util_map counts; /* place without its number → how many there were */
	uint64_t *kinds;           /* owned; those places, and of each … */
	uint64_t *arounds;         /* owned; … the place around it */
	size_t count;
	size_t kind_capacity;
	size_t around_capacity;
	size_t enough; /* of which it is worth to forget some */
	bool forgets;  /* ra_sum_places_forget() will be called */
	uint64_t root; /* what is around the outermost ranges of the thread */
};

void ra_sum_places_fini(struct ra_sum_places *places);

/* Begins a track. @order: its place among all (ra_sum_series_order()). */
void ra_sum_places_begin(struct ra_sum_places *places, uint8_t kind, size_t order);

/* The place of the next range. @around: that of the range around it, or places->root. @name: as
 * ra_sum_places_hash() has it. */
uint64_t ra_sum_places_find(struct ra_sum_places *places, uint64_t around, uint64_t name);
uint64_t ra_sum_places_hash(struct rlog_string name);

/* Nothing that comes is in any other ranges than those at these places. */
void ra_sum_places_forget(struct ra_sum_places *places, const uint64_t *open, size_t count);

/* The tracks of a model in the order in which their calls are noted; the caller's. */
uint32_t *ra_sum_series_order(const struct ra_model *model);

/* All calls of the part's rows are noted: orders and thins them. */
void ra_sum_series_seal(struct ra_sum_series *series, const struct ra_sum_part *part);

/* The calls of a row. Return: NULL if there are none. */
const struct ra_sum_series_row *ra_sum_series_find(const struct ra_sum_series *series,
                                                   uint64_t key);

#endif

/* SPDX-License-Identifier: MIT */
/* Stores the single calls of a part's rows, in order of start, so that the calls of two runs can be
 * paired. */
#ifndef RA_SUM_SERIES_H
#define RA_SUM_SERIES_H

#include <stdbool.h>

#include "analyzer/base/util-map.h"
#include "analyzer/figures/host-alone.h"
#include "analyzer/names/group.h"
#include "analyzer/summary-file/sum.h"

/* If a row has more calls than this, only every second call is kept, or every third, and so on. */
#define RA_SUM_SERIES_MOST 16384u

/* A call. Its place identifies the same call in another run: it is a hash of the names of the
 * call's thread and of the ranges around it, and of the number of such calls before it. */
struct ra_sum_series_call {
	float dur_ns;
	uint32_t place;
};

/* The calls of a row, or the steps. */
struct ra_sum_series_row {
	uint64_t key; /* key that ra_sum_series_key() makes */
	size_t first; /* index of the first one in the calls */
	size_t count;
	uint64_t all; /* number of calls before thinning out */
};

/* A call that was noted while the part is being built. */
struct ra_sum_series_note {
	uint32_t row;
	struct ra_sum_series_call call;
};

/* The calls of a part. Zero-initialise. */
struct ra_sum_series {
	uint8_t id[RA_SUM_ID_BYTES]; /* id of the part */
	/* For a first step that fills the GPU's queue (doc/metrics.md, section 22): the time after
	 * its range that other steps do not have, and whether this time makes it the longest step.
	 * 0: there is no such step. */
	int64_t fill_ns;
	bool is_fill_longest;
	struct ra_host_alone host;      /* of all steps of the part */
	struct ra_sum_series_row *rows; /* owned, like all arrays here; ordered by key */
	size_t row_count;
	struct ra_sum_series_call *calls;
	size_t call_count;
	struct ra_sum_series_note *notes; /* used until ra_sum_series_seal() */
	size_t note_count;
	size_t note_capacity;
	/* By row, the number of calls, if notes are thinned out when they come; NULL: all calls are
	 * noted. */
	uint64_t *all;
	size_t all_count;
};

void ra_sum_series_fini(struct ra_sum_series *series);

/* Makes a key from the table, kind, domain and name of a row. */
uint64_t ra_sum_series_key(uint32_t table, uint32_t kind, struct rlog_string domain,
                           struct rlog_string name);

/* Tells how to thin out a row with this many calls: every n-th call is kept, beginning with the
 * first. Return: n. */
uint64_t ra_sum_series_step(uint64_t calls);

/* Notes a call of a row. */
void ra_sum_series_note(struct ra_sum_series *series, uint32_t row, int64_t dur_ns, uint32_t place);

/*
 * Notes all ranges of a model. Threads are ordered by name; threads with the same name are in the
 * input's order.
 *
 * @first: the row of group 0.
 * @values: by slice, used instead of durations; below 0: the slice is not noted. NULL: durations.
 */
void ra_sum_series_note_ranges(struct ra_sum_series *series, const struct ra_model *model,
                               struct ra_labels *labels, size_t first, const struct ra_group *group,
                               const int64_t *values);

/* Computes the places of ranges that are not held in memory, thread by thread. Zero-initialise. */
struct ra_sum_places {
	struct ra_util_map counts; /* place without its number → how many calls had it so far */
	uint64_t *kinds;           /* owned; the keys of `counts`, and for each … */
	uint64_t *arounds;         /* owned; … the place around it */
	size_t count;
	size_t kind_capacity;
	size_t around_capacity;
	size_t enough; /* if there are this many places, it pays to forget some */
	bool forgets;  /* the caller uses ra_sum_places_forget() */
	uint64_t root; /* place around the outermost ranges of the current thread */
};

void ra_sum_places_fini(struct ra_sum_places *places);

/* Begins a track. @order: index of the track in ra_sum_series_order(). */
void ra_sum_places_begin(struct ra_sum_places *places, uint8_t kind, size_t order);

/* Finds the place of the next range. @around: place of the range around it, or places->root. @name:
 * hash that ra_sum_places_hash() made. */
uint64_t ra_sum_places_find(struct ra_sum_places *places, uint64_t around, uint64_t name);
uint64_t ra_sum_places_hash(struct rlog_string name);

/* Forgets all places except those in `open`: later ranges can only be inside these. */
void ra_sum_places_forget(struct ra_sum_places *places, const uint64_t *open, size_t count);

/* The order in which the calls of a model's tracks are noted. Return: owned by the caller. */
uint32_t *ra_sum_series_order(const struct ra_model *model);

/* Sorts the calls and thins them out. Call it when all calls of the part's rows have been noted. */
void ra_sum_series_seal(struct ra_sum_series *series, const struct ra_sum_part *part);

/* The calls of a row. Return: NULL if there are none. */
const struct ra_sum_series_row *ra_sum_series_find(const struct ra_sum_series *series,
                                                   uint64_t key);

#endif

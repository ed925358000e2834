/* SPDX-License-Identifier: MIT */
/* Finds items in a model for `analyzer search`: single events with a start and a duration. */
#ifndef RA_SEARCH_HITS_H
#define RA_SEARCH_HITS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/model/model.h"
#include "analyzer/names/labels.h"

/* A query: what to search for. */
struct ra_search_query {
	const char *name;   /* a part of the name, as for ra_printed_name_is_in(); NULL: any name */
	const char *thread; /* a part of the thread's or stream's name, in the same way; NULL:
	                       any */
	int64_t from_ns;    /* items that end at or before this time are left out … */
	int64_t to_ns;      /* … and items that begin at or after this time */
};

enum ra_search_kind {
	RA_SEARCH_RANGE,
	RA_SEARCH_START_END,
	RA_SEARCH_MARK,
	RA_SEARCH_CALL,
	RA_SEARCH_OS_CALL,
	RA_SEARCH_OP,
};

struct ra_search_hit {
	int64_t start_ns;
	int64_t dur_ns;
	int64_t in_ns;  /* the part of its duration between the query's two times */
	uint32_t place; /* index into places */
	uint32_t index; /* index in the model's array for its kind */
	uint8_t kind;   /* enum ra_search_kind */
};

struct ra_search_hits {
	const struct ra_model *model; /* borrowed */
	struct ra_search_hit *all;    /* owned; ordered by kind, then in the model's order */
	size_t count;
	size_t capacity;
	char **places; /* owned, with their texts: tracks, then queues, then "" */
	size_t place_count;
	struct ra_gpu_text gpu_text;
	struct ra_labels kernels; /* the kernels' names as rows show them */
};

/* Finds all items that match. The model must live longer. Time: linear. */
void ra_search_hits_init(struct ra_search_hits *hits, const struct ra_model *model,
                         const struct ra_search_query *query, enum ra_kernel_form form);
void ra_search_hits_fini(struct ra_search_hits *hits);

/* Returns the name of an item in rows. @scratch: RA_GPU_TEXT_BYTES; the name may be stored
 * there. */
struct rlog_string ra_search_hits_name(struct ra_search_hits *hits, const struct ra_search_hit *hit,
                                       char *scratch);

/* Counts matching ranges inside other matching ranges, because their time is counted for both.
 * @outer_ns: gets the time of the ranges that are inside no other one, within the query's times. */
size_t ra_search_hits_count_inside(const struct ra_search_hits *hits, int64_t *outer_ns);

/* Returns a word for an item: "range", "call", "kernel" … */
const char *ra_search_hits_kind(const struct ra_search_hits *hits, const struct ra_search_hit *hit);

#endif

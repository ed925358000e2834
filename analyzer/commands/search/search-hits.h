/* SPDX-License-Identifier: MIT */
/* What `analyzer search` finds in a model: single things with a begin and a duration. */
#ifndef RA_SEARCH_HITS_H
#define RA_SEARCH_HITS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/model/model.h"
#include "analyzer/names/labels.h"

/* What is wanted. */
struct ra_search_query {
	const char *name;   /* a part of the name, as ra_printed_name_is_in() has it; NULL: any */
	const char *thread; /* the same of the place; NULL: any */
	int64_t from_ns;    /* what ends then or before is left out … */
	int64_t to_ns;      /* … and what begins then or later */
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
	int64_t in_ns;  /* of that between the query's two times */
	uint32_t place; /* index into places */
	uint32_t index; /* of the model's array of its kind */
	uint8_t kind;   /* enum ra_search_kind */
};

struct ra_search_hits {
	const struct ra_model *model; /* borrowed */
	struct ra_search_hit *all;    /* owned; by kind, then as the model has them */
	size_t count;
	size_t capacity;
	char **places; /* owned, with their texts: of tracks, then of queues, then "" */
	size_t place_count;
	struct ra_gpu_text gpu_text;
	struct ra_labels kernels; /* what rows call them */
};

/* Finds all that match. The model must live longer. Time: linear. */
void ra_search_hits_init(struct ra_search_hits *hits, const struct ra_model *model,
                         const struct ra_search_query *query, enum ra_kernel_form form);
void ra_search_hits_fini(struct ra_search_hits *hits);

/* What a row calls it. @scratch: RA_GPU_TEXT_BYTES, may hold it. */
struct rlog_string ra_search_hits_name(struct ra_search_hits *hits, const struct ra_search_hit *hit,
                                       char *scratch);

/* How many of the ranges found lie inside of others that were found, so that both have their time.
 * @outer_ns: gets the time, between the query's two, of those that do not. */
size_t ra_search_hits_count_inside(const struct ra_search_hits *hits, int64_t *outer_ns);

/* "range", "call", "kernel" … */
const char *ra_search_hits_kind(const struct ra_search_hits *hits, const struct ra_search_hit *hit);

#endif

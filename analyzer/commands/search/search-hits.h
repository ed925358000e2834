/* SPDX-License-Identifier: MIT */
/* Finds what `analyzer search` looks for in a model: single items with a start and a duration. */
#ifndef RA_SEARCH_HITS_H
#define RA_SEARCH_HITS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/model/model.h"
#include "analyzer/names/labels.h"

/* A query: what to search for. */
struct ra_search_query {
	const char *name;   /* part of the name, as for ra_printed_name_is_in(); NULL: any */
	const char *thread; /* part of the thread's or stream's name, in the same way; NULL: any */
	int64_t from_ns;    /* items that end by then are left out … */
	int64_t to_ns;      /* … and items that begin then or later */
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
	int64_t in_ns;  /* the part of it between the query's two times */
	uint32_t place; /* index into places */
	uint32_t index; /* index in the model's array of its kind */
	uint8_t kind;   /* enum ra_search_kind */
};

struct ra_search_hits {
	const struct ra_model *model; /* borrowed */
	struct ra_search_hit *all;    /* owned; by kind, then in the model's order */
	size_t count;
	size_t capacity;
	char **places; /* owned, with their texts: tracks, then queues, then "" */
	size_t place_count;
	struct ra_gpu_text gpu_text;
	struct ra_labels kernels; /* names as rows have them */
};

/* Finds all that match. The model must live longer. Time: linear. */
void ra_search_hits_init(struct ra_search_hits *hits, const struct ra_model *model,
                         const struct ra_search_query *query, enum ra_kernel_form form);
void ra_search_hits_fini(struct ra_search_hits *hits);

/* The name of an item in rows. @scratch: RA_GPU_TEXT_BYTES, may hold it. */
struct rlog_string ra_search_hits_name(struct ra_search_hits *hits, const struct ra_search_hit *hit,
                                       char *scratch);

/* Counts matching ranges inside other matching ranges; their time counts in both. @outer_ns: gets
 * the time of the ranges that are in no other one, as far as it is within the query's. */
size_t ra_search_hits_count_inside(const struct ra_search_hits *hits, int64_t *outer_ns);

/* "range", "call", "kernel" … */
const char *ra_search_hits_kind(const struct ra_search_hits *hits, const struct ra_search_hit *hit);

#endif

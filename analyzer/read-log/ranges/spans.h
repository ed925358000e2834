/* SPDX-License-Identifier: MIT */
/* Start/end ranges: pairs them by id across all threads of a process. */
#ifndef RA_SPANS_H
#define RA_SPANS_H

#include "analyzer/model/build/builder.h"

struct ra_spans;

struct ra_spans_begin {
	uint64_t id;
	int64_t time_ns;
	uint32_t name;
	uint32_t track;
	uint16_t domain;
	const struct ra_builder_attr *attr; /* NULL: none */
	uint32_t data;                      /* index in slice_data; RA_NONE: none */
};

struct ra_spans_end {
	uint64_t id;
	int64_t time_ns;
	uint32_t track;
	uint32_t data; /* index in slice_data; RA_NONE: none */
};

struct ra_spans *ra_spans_create(void);
void ra_spans_destroy(struct ra_spans *spans);

/* Notes a start. */
void ra_spans_open(struct ra_spans *spans, const struct ra_spans_begin *begin);

/* Notes an end; its start may come later, from another thread. */
void ra_spans_close(struct ra_spans *spans, const struct ra_spans_end *end);

/* Adds a range whose end is known already. Its id is not matched with others. */
void ra_spans_add(struct ra_spans *spans, const struct ra_spans_begin *begin, int64_t end_ns);

/* The number of starts and ends held so far. */
size_t ra_spans_count(const struct ra_spans *spans);

/*
 * Pairs the ends that came before their starts, and appends all ranges to the model's slices,
 * ordered by start; at equal starts the longest comes first.
 *
 * @last_ns: end of the ranges that were never closed.
 */
void ra_spans_finish(struct ra_spans *spans, struct ra_builder *builder, int64_t last_ns);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Start/end ranges: pairs them by id across all threads of a process. Threads are read one after
 * the other, so an end may be read before its start. Such an end waits until all threads have been
 * read. If an id was ended more than once, the earliest end is used, whatever its thread.
 */
#include "analyzer/read-log/ranges/spans.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

struct span {
	uint64_t id;
	int64_t start_ns;
	int64_t end_ns;
	uint32_t name;
	uint32_t start_track;
	uint32_t end_track; /* RA_NONE while the range is open */
	uint32_t attr;      /* index into attrs; RA_NONE: none */
	uint32_t data;      /* index in slice_data; RA_NONE: none */
	/* index in slice_data of the data that came with the end; RA_NONE: none */
	uint32_t end_data;
	uint32_t order; /* order of arrival, to order ranges with equal times */
	uint16_t domain;
	bool is_whole; /* its end came together with its start, and not from a thread */
};

struct ra_spans {
	struct span *spans; /* owned */
	size_t count;
	size_t capacity;
	struct ra_builder_attr *attrs; /* owned */
	size_t attr_count;
	size_t attr_capacity;
	struct ra_spans_end *ends; /* owned: ends that came before their start */
	size_t end_count;
	size_t end_capacity;
	struct ra_util_map open; /* id → index of a span without an end */
};

static bool is_open(const struct span *span)
{
	return span->end_track == RA_NONE && !span->is_whole;
}

struct ra_spans *ra_spans_create(void)
{
	return ra_alloc_zeros(1, sizeof(struct ra_spans));
}

void ra_spans_destroy(struct ra_spans *spans)
{
	free(spans->spans);
	free(spans->attrs);
	free(spans->ends);
	ra_util_map_free(&spans->open);
	free(spans);
}

static void add_span(struct ra_spans *spans, const struct ra_spans_begin *begin)
{
	struct span *span;
	uint32_t attr = RA_NONE;

	if (spans->count >= RA_NONE - 1) {
		ra_alloc_end();
	}
	ra_util_grow(&spans->spans, &spans->capacity, spans->count + 1, sizeof(*spans->spans));
	if (begin->attr != NULL) {
		ra_util_grow(&spans->attrs, &spans->attr_capacity, spans->attr_count + 1,
		             sizeof(*spans->attrs));
		attr = (uint32_t) spans->attr_count;
		spans->attrs[spans->attr_count++] = *begin->attr;
	}
	span = &spans->spans[spans->count];
	*span = (struct span){
		.id = begin->id,
		.start_ns = begin->time_ns,
		.name = begin->name,
		.start_track = begin->track,
		.end_track = RA_NONE,
		.attr = attr,
		.data = begin->data,
		.end_data = RA_NONE,
		.order = (uint32_t) spans->count,
		.domain = begin->domain,
	};
	spans->count++;
}

void ra_spans_open(struct ra_spans *spans, const struct ra_spans_begin *begin)
{
	add_span(spans, begin);
	ra_util_map_put(&spans->open, begin->id, (uint32_t) (spans->count - 1));
}

void ra_spans_add(struct ra_spans *spans, const struct ra_spans_begin *begin, int64_t end_ns)
{
	add_span(spans, begin);
	spans->spans[spans->count - 1].end_ns = end_ns;
	spans->spans[spans->count - 1].is_whole = true;
}

/* Closes the open range with that id. Return: false if there is none. */
static bool close_span(struct ra_spans *spans, const struct ra_spans_end *end)
{
	const uint32_t place = ra_util_map_find(&spans->open, end->id);
	struct span *span;

	if (place == RA_UTIL_MAP_NONE) {
		return false;
	}
	ra_util_map_remove(&spans->open, end->id);
	span = &spans->spans[place];
	span->end_ns = end->time_ns;
	span->end_track = end->track;
	span->end_data = end->data;
	return true;
}

void ra_spans_close(struct ra_spans *spans, const struct ra_spans_end *end)
{
	if (close_span(spans, end)) {
		return;
	}
	RA_UTIL_APPEND(spans->ends, spans->end_count, spans->end_capacity, *end);
}

size_t ra_spans_count(const struct ra_spans *spans)
{
	return spans->count + spans->end_count;
}

/* Chooses among several ends of an id: the earliest one after the start is the one that closed the
 * range. */
static void prefer_end(struct span *span, const struct ra_spans_end *end)
{
	const bool was_behind = span->end_ns >= span->start_ns;
	const bool is_behind = end->time_ns >= span->start_ns;

	if (is_behind && (!was_behind || end->time_ns < span->end_ns)) {
		span->end_ns = end->time_ns;
		span->end_track = end->track;
		span->end_data = end->data;
	}
}

/* Closes ranges by the ends that came before their starts. The ends that are left over are
 * surplus. */
static void settle_ends(struct ra_spans *spans, uint64_t *unmatched)
{
	struct ra_util_map closed = { 0 }; /* id of a surplus end → the range with that id */
	size_t left = 0;

	for (size_t i = 0; i < spans->end_count; i++) {
		if (!close_span(spans, &spans->ends[i])) {
			spans->ends[left++] = spans->ends[i];
			ra_util_map_put(&closed, spans->ends[i].id, 0);
		}
	}
	for (size_t i = 0; i < spans->count && left > 0; i++) {
		if (ra_util_map_find(&closed, spans->spans[i].id) != RA_UTIL_MAP_NONE) {
			ra_util_map_put(&closed, spans->spans[i].id, (uint32_t) i + 1);
		}
	}
	for (size_t i = 0; i < left; i++) {
		const uint32_t place = ra_util_map_find(&closed, spans->ends[i].id);

		if (place > 0) {
			prefer_end(&spans->spans[place - 1], &spans->ends[i]);
		}
	}
	ra_util_map_free(&closed);
	*unmatched += left;
}

static int compare_spans(const void *left, const void *right)
{
	const struct span *a = left;
	const struct span *b = right;
	int order = RA_ORDER_UP(a, b, start_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, end_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, order));
}

static void sort_spans(struct ra_spans *spans)
{
	for (size_t i = 1; i < spans->count; i++) {
		if (compare_spans(&spans->spans[i - 1], &spans->spans[i]) > 0) {
			RA_SORT(spans->spans, spans->count, compare_spans);
			return;
		}
	}
}

/* Appends one span to the model. Room for the slice and the span was reserved. */
static void emit_span(const struct ra_spans *spans, struct ra_builder *builder,
                      const struct span *span)
{
	struct ra_model *m = builder->model;
	struct ra_slices *s = &m->slices;
	const size_t slice = s->count++;

	s->start_ns[slice] = span->start_ns;
	s->dur_ns[slice] = span->end_ns - span->start_ns;
	s->name[slice] = span->name;
	s->parent[slice] = RA_NONE;
	s->domain[slice] = span->domain;
	s->flags[slice] = is_open(span) ? RA_SLICE_OPEN : 0;
	m->quality.open_ranges += is_open(span);
	m->spans[m->span_count++] = (struct ra_span){
		.slice = (uint32_t) slice,
		.start_track = span->start_track,
		.end_track = span->end_track,
		.id = span->id,
	};
	if (span->data != RA_NONE) {
		m->slice_data.rows[span->data].owner = (uint32_t) slice;
	}
	if (span->end_data != RA_NONE) {
		m->slice_data.rows[span->end_data].owner = (uint32_t) slice;
	}
	if (span->attr != RA_NONE) {
		ra_builder_add_slice_attr(builder, &spans->attrs[span->attr]);
	}
}

void ra_spans_finish(struct ra_spans *spans, struct ra_builder *builder, int64_t last_ns)
{
	struct ra_model *m = builder->model;

	settle_ends(spans, &m->quality.unmatched_ends);
	if (spans->count == 0) {
		return;
	}
	for (size_t i = 0; i < spans->count; i++) {
		struct span *span = &spans->spans[i];

		if (is_open(span)) {
			span->end_ns = last_ns > span->start_ns ? last_ns : span->start_ns;
		} else if (span->end_ns < span->start_ns) {
			/* the clocks of two threads may differ by their error */
			span->end_ns = span->start_ns;
			m->quality.times_repaired++;
		}
	}
	sort_spans(spans);
	ra_builder_reserve_slices(builder, spans->count);
	ra_util_resize(&m->spans, spans->count, sizeof(*m->spans));
	for (size_t i = 0; i < spans->count; i++) {
		emit_span(spans, builder, &spans->spans[i]);
	}
}

/* SPDX-License-Identifier: MIT */
/* Computes how much of the requested time each thread or stream spent in the matches. */
#include "analyzer/commands/search/search-busy.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/intervals.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/steps/step-share.h"
#include "analyzer/steps/steps.h"

#define MOST_PLACES 4
#define MOST_INNER  4 /* at most this many names of a place are listed */

/* The requested part of the recording. */
static struct ra_interval find_window(const struct ra_search_hits *hits,
                                      const struct ra_search_query *query)
{
	const int64_t end_ns = hits->model->end_ns;

	return (struct ra_interval){ .start_ns = query->from_ns > 0 ? query->from_ns : 0,
		                     .end_ns = query->to_ns < end_ns ? query->to_ns : end_ns };
}

/* True for a step. Steps enclose everything, so a thread in a step does not count as busy. */
static bool is_step(const struct ra_search_hit *hit, const struct ra_steps *steps)
{
	return (hit->kind == RA_SEARCH_RANGE || hit->kind == RA_SEARCH_START_END) &&
	       !steps->is_whole && steps->is_step[hit->index] != 0;
}

/* The part of a match within the requested time. */
struct piece {
	uint32_t place;
	uint32_t hit; /* index of the match */
	int64_t start_ns;
	int64_t end_ns;
	bool is_around; /* it only encloses other matches */
};

struct pieces {
	struct piece *rows; /* owned; ordered by place, then by start, with an outer match before an
	                       inner one */
	size_t count;
	size_t capacity;
};

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = left;
	const struct piece *b = right;
	int order = RA_ORDER_UP(a, b, place);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, end_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, hit));
}

/* Collects the matches that have a duration, without steps. The last place stands for no place. */
static void collect(struct pieces *pieces, const struct ra_search_hits *hits,
                    const struct ra_steps *steps)
{
	for (uint32_t i = 0; i < hits->count; i++) {
		const struct ra_search_hit *hit = &hits->all[i];
		const int64_t end_ns = ra_util_add_time(hit->start_ns, hit->dur_ns);

		if (hit->in_ns > 0 && hit->place + 1 < hits->place_count && !is_step(hit, steps)) {
			RA_UTIL_APPEND(
				pieces->rows, pieces->count, pieces->capacity,
				(struct piece){ hit->place, i, hit->start_ns, end_ns, false });
		}
	}
	RA_SORT(pieces->rows, pieces->count, compare_pieces);
}

/* True for an operator of PyTorch. An operator does work itself, even if it calls others. A range
 * that a program put around others only encloses them. */
static bool is_operator(const struct ra_search_hits *hits, const struct piece *piece)
{
	const struct ra_search_hit *hit = &hits->all[piece->hit];

	return hit->kind == RA_SEARCH_RANGE && ra_model_has(hits->model, RA_HAS_OPERATORS) &&
	       ra_model_rows_is_operator(hits->model, hit->index);
}

/* Marks matches of one place that only enclose others. @open: room for `count` indices. Return:
 * true if any match is inside another. */
static bool mark_around(const struct ra_search_hits *hits, struct piece *rows, size_t count,
                        size_t *open)
{
	bool is_nested = false;
	size_t depth = 0;

	for (size_t i = 0; i < count; i++) {
		while (depth > 0 && rows[open[depth - 1]].end_ns < rows[i].end_ns) {
			depth--;
		}
		if (depth > 0) {
			is_nested = true;
			rows[open[depth - 1]].is_around =
				!is_operator(hits, &rows[open[depth - 1]]);
		}
		open[depth++] = i;
	}
	return is_nested;
}

/* The matches of one name, and the time in which they were the innermost ones. */
struct inner {
	struct rlog_string name; /* owned */
	int64_t time_ns;
	bool is_around;
};

/* A place, and its time in matches. */
struct place {
	uint32_t place;
	int64_t busy_ns;    /* time in matches that enclose no other */
	int64_t around_ns;  /* time only in matches that enclose others */
	struct inner *rows; /* owned; one for each name */
	size_t count;
	size_t capacity;
	bool is_nested; /* some matches are inside others */
	/* Used while the times are summed: */
	struct ra_search_hits *hits;
	const struct piece *pieces;
	struct ra_util_map by_name;
};

static struct inner *find_inner(struct place *place, const struct piece *piece)
{
	char scratch[RA_GPU_TEXT_BYTES];
	const struct rlog_string name =
		ra_search_hits_name(place->hits, &place->hits->all[piece->hit], scratch);
	uint64_t key = ra_util_string_hash(name.bytes, name.length);
	uint32_t at;
	char *copy;

	for (; (at = ra_util_map_find(&place->by_name, key)) != RA_UTIL_MAP_NONE; key++) {
		if (ra_util_string_is_same(place->rows[at].name, name)) {
			return &place->rows[at];
		}
	}
	copy = ra_alloc_bytes(name.length + 1);
	memcpy(copy, name.bytes, name.length);
	ra_util_map_put(&place->by_name, key, (uint32_t) place->count);
	RA_UTIL_APPEND(place->rows, place->count, place->capacity,
	               (struct inner){ .name = { copy, name.length, 0 } });
	return &place->rows[place->count - 1];
}

/* Adds a time to the innermost match (ra_step_share_see). */
static void see(void *context, uint32_t what, size_t step, int64_t from_ns, int64_t to_ns)
{
	struct place *place = context;
	const struct piece *piece = &place->pieces[what];
	struct inner *inner = find_inner(place, piece);

	(void) step;
	inner->time_ns = ra_util_add_time(inner->time_ns, to_ns - from_ns);
	inner->is_around = inner->is_around || piece->is_around;
	if (piece->is_around) {
		place->around_ns = ra_util_add_time(place->around_ns, to_ns - from_ns);
	} else {
		place->busy_ns = ra_util_add_time(place->busy_ns, to_ns - from_ns);
	}
}

/* Divides the requested time among the matches of a place. */
static void sum_place(struct place *place, const struct piece *rows, size_t count,
                      const struct ra_interval *window)
{
	const struct ra_step time = { .start = (double) window->start_ns,
		                      .end = (double) window->end_ns };
	struct ra_step_share share;

	place->pieces = rows;
	ra_step_share_begin(&share, &time, 1, see, place);
	for (size_t i = 0; i < count; i++) {
		ra_step_share_add(&share,
		                  &(struct ra_step_share_item){ .start_ns = rows[i].start_ns,
		                                                .end_ns = rows[i].end_ns,
		                                                .what = (uint32_t) i });
	}
	ra_step_share_end(&share);
	ra_util_map_free(&place->by_name);
}

static void fini_place(struct place *place)
{
	for (size_t i = 0; i < place->count; i++) {
		free((char *) place->rows[i].name.bytes);
	}
	free(place->rows);
}

/* Sums the time of each place. Return: the number of places with matches. *places gets them; the
 * caller calls fini_place() for each and frees the array. */
static size_t sum_places(struct ra_search_hits *hits, const struct ra_steps *steps,
                         const struct ra_interval *window, struct place **places)
{
	struct pieces pieces = { 0 };
	size_t *open;
	size_t count = 0;
	size_t end;

	collect(&pieces, hits, steps);
	open = ra_alloc_zeros(pieces.count + 1, sizeof(*open));
	*places = ra_alloc_zeros(hits->place_count + 1, sizeof(**places));
	for (size_t i = 0; i < pieces.count; i = end) {
		struct place *place = &(*places)[count++];

		for (end = i; end < pieces.count && pieces.rows[end].place == pieces.rows[i].place;
		     end++) {
		}
		place->place = pieces.rows[i].place;
		place->hits = hits;
		place->is_nested = mark_around(hits, &pieces.rows[i], end - i, open);
		sum_place(place, &pieces.rows[i], end - i, window);
	}
	free(open);
	free(pieces.rows);
	return count;
}

/* Orders by time, longest first; equal ones in the model's order. */
static int compare_places(const void *left, const void *right)
{
	const struct place *a = left;
	const struct place *b = right;
	const int order = RA_ORDER(b->busy_ns + b->around_ns, a->busy_ns + a->around_ns);

	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, place));
}

static int compare_inners(const void *left, const void *right)
{
	const struct inner *a = left;
	const struct inner *b = right;

	return RA_ORDER_THEN(RA_ORDER_DOWN(a, b, time_ns),
	                     ra_util_string_compare(a->name, b->name));
}

/* Writes " innermost: a 3us, b itself 2us, 4 more 1us". */
static void put_inners(struct ra_util_text *text, struct place *place)
{
	int64_t rest_ns = 0;

	RA_SORT(place->rows, place->count, compare_inners);
	for (size_t i = 0; i < place->count; i++) {
		const struct inner *inner = &place->rows[i];

		if (i >= MOST_INNER) {
			rest_ns = ra_util_add_time(rest_ns, inner->time_ns);
			continue;
		}
		ra_util_text_format(text, i == 0 ? "  innermost: " : ", ");
		ra_util_text_put_name(text, inner->name, RA_TEXT_TERMINAL);
		ra_util_text_format(text, inner->is_around ? " itself " : " ");
		ra_util_text_put_time(text, inner->time_ns);
	}
	if (place->count > MOST_INNER) {
		ra_util_text_format(text, ", %zu more ", place->count - MOST_INNER);
		ra_util_text_put_time(text, rest_ns);
	}
	ra_util_text_put_char(text, '\n');
}

static void put_place(struct ra_util_text *text, const struct ra_search_hits *hits,
                      struct place *place, int64_t whole_ns)
{
	ra_util_text_put_name(text, ra_util_string(hits->places[place->place]), RA_TEXT_TERMINAL);
	ra_util_text_format(text, ": in what was found for ");
	ra_util_text_put_time(text, place->busy_ns);
	ra_util_text_format(text, " of ");
	ra_util_text_put_time(text, whole_ns);
	if (place->around_ns > 0) {
		ra_util_text_format(text, ", only in ranges around it for ");
		ra_util_text_put_time(text, place->around_ns);
	}
	ra_util_text_format(text, ", in nothing of it for ");
	ra_util_text_put_time(text, whole_ns - place->busy_ns - place->around_ns);
	ra_util_text_put_char(text, '\n');
	if (place->is_nested) {
		put_inners(text, place);
	}
}

static void put_places(struct ra_util_text *text, struct ra_search_hits *hits,
                       const struct ra_steps *steps, const struct ra_interval *window)
{
	const int64_t whole_ns = window->end_ns - window->start_ns;
	struct place *places;
	const size_t count = sum_places(hits, steps, window, &places);

	RA_SORT(places, count, compare_places);
	for (size_t i = 0; i < count; i++) {
		if (i < MOST_PLACES) {
			put_place(text, hits, &places[i], whole_ns);
		}
		fini_place(&places[i]);
	}
	if (count > MOST_PLACES) {
		ra_util_text_format(text, "%zu more threads and streams\n", count - MOST_PLACES);
	}
	free(places);
}

void ra_search_busy_put(struct ra_util_text *text, struct ra_search_hits *hits,
                        const struct ra_search_query *query)
{
	static const struct ra_steps_options all = { 0 };
	const struct ra_interval window = find_window(hits, query);
	struct ra_steps steps;
	bool has_step = false;

	ra_steps_init(&steps, hits->model, &all);
	if (window.end_ns > window.start_ns &&
	    (query->from_ns > INT64_MIN || query->to_ns < INT64_MAX || query->thread != NULL)) {
		put_places(text, hits, &steps, &window);
	}
	for (size_t i = 0; i < hits->count && !has_step; i++) {
		has_step = is_step(&hits->all[i], &steps);
	}
	if (has_step && hits->model->gpu.op_count > 0) {
		ra_util_text_format(text, "a step's range is its CPU part; the report overview has "
		                          "steps to the end of their GPU work\n");
	}
	ra_steps_fini(&steps);
}

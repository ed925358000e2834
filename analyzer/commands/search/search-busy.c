/* SPDX-License-Identifier: MIT */
/* How much of the requested time each thread or stream spent in the matches. */
#include "analyzer/commands/search/search-busy.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/intervals.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/steps.h"

#define MOST_PLACES 4

struct busy {
	int64_t busy_ns;
	uint32_t place;
};

/* Longest first; equal ones in the model's order. */
static int compare_busies(const void *left, const void *right)
{
	const struct busy *a = left;
	const struct busy *b = right;

	return RA_ORDER_THEN(RA_ORDER_DOWN(a, b, busy_ns), RA_ORDER_UP(a, b, place));
}

/* The requested part of the recording. */
static struct ra_interval find_window(const struct ra_search_hits *hits,
                                      const struct ra_search_query *query)
{
	const int64_t end_ns = hits->model->end_ns;

	return (struct ra_interval){ .start_ns = query->from_ns > 0 ? query->from_ns : 0,
		                     .end_ns = query->to_ns < end_ns ? query->to_ns : end_ns };
}

/* Steps enclose everything: they make nobody busy. */
static bool is_step(const struct ra_search_hit *hit, const struct ra_steps *steps)
{
	return (hit->kind == RA_SEARCH_RANGE || hit->kind == RA_SEARCH_START_END) &&
	       !steps->is_whole && steps->is_step[hit->index] != 0;
}

/* Return: the number of places with matches; *busies: these; free them. */
static size_t sum_places(const struct ra_search_hits *hits, const struct ra_steps *steps,
                         const struct ra_interval *window, struct busy **busies)
{
	struct ra_intervals *sets = ra_alloc_zeros(hits->place_count + 1, sizeof(*sets));
	size_t count = 0;

	*busies = ra_alloc_zeros(hits->place_count + 1, sizeof(**busies));
	for (size_t i = 0; i < hits->count; i++) {
		const struct ra_search_hit *hit = &hits->all[i];
		const int64_t end_ns = ra_util_add_time(hit->start_ns, hit->dur_ns);
		const int64_t from_ns =
			hit->start_ns > window->start_ns ? hit->start_ns : window->start_ns;
		const int64_t to_ns = end_ns < window->end_ns ? end_ns : window->end_ns;

		if (to_ns > from_ns && !is_step(hit, steps)) {
			ra_intervals_add(&sets[hit->place], from_ns, to_ns);
		}
	}
	for (uint32_t place = 0; place + 1 < hits->place_count; place++) { /* the last is none */
		if (sets[place].count > 0) {
			ra_intervals_unite(&sets[place]);
			(*busies)[count++] =
				(struct busy){ ra_intervals_length(&sets[place]), place };
		}
		ra_intervals_fini(&sets[place]);
	}
	ra_intervals_fini(&sets[hits->place_count > 0 ? hits->place_count - 1 : 0]);
	free(sets);
	return count;
}

static void put_places(struct ra_util_text *text, const struct ra_search_hits *hits,
                       const struct ra_steps *steps, const struct ra_interval *window)
{
	const int64_t whole_ns = window->end_ns - window->start_ns;
	struct busy *busies;
	const size_t count = sum_places(hits, steps, window, &busies);

	if (count > 0) {
		RA_SORT(busies, count, compare_busies);
	}
	for (size_t i = 0; i < count && i < MOST_PLACES; i++) {
		ra_util_text_put_name(text, ra_util_string(hits->places[busies[i].place]),
		                      RA_TEXT_TERMINAL);
		ra_util_text_format(text, ": in what was found for ");
		ra_util_text_put_time(text, busies[i].busy_ns);
		ra_util_text_format(text, " of ");
		ra_util_text_put_time(text, whole_ns);
		ra_util_text_format(text, ", in nothing of it for ");
		ra_util_text_put_time(text, whole_ns - busies[i].busy_ns);
		ra_util_text_put_char(text, '\n');
	}
	if (count > MOST_PLACES) {
		ra_util_text_format(text, "%zu more threads and streams\n", count - MOST_PLACES);
	}
	free(busies);
}

void ra_search_busy_put(struct ra_util_text *text, const struct ra_search_hits *hits,
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

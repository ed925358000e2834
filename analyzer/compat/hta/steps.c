/* SPDX-License-Identifier: MIT */
/* Finds the profiler's steps in a rank, and the step of each row, as HTA does. */
#include "analyzer/compat/hta/steps.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"

/* A row that is a step. Several rows may have the same number. */
struct open_step {
	double start_us;
	double end_us;
	int64_t number;
};

static int compare_steps(const void *a, const void *b)
{
	const struct ra_hta_step *left = a;
	const struct ra_hta_step *right = b;

	return RA_ORDER_UP(left, right, number);
}

static int compare_changes(const void *a, const void *b)
{
	const struct ra_hta_steps_change *left = a;
	const struct ra_hta_steps_change *right = b;

	return RA_ORDER_UP(left, right, at_us);
}

/* Reads the rows that are steps. Return: how many there are. */
static size_t read_steps(struct open_step *open, const struct ra_hta_rank *rank)
{
	size_t count = 0;

	for (size_t i = 0; i < rank->step_count && count < RA_HTA_STEPS_MOST; i++) {
		const struct ra_hta_row row = ra_hta_read(rank, rank->steps[i]);
		struct open_step *step = &open[count++];

		*step = (struct open_step){ row.ts_us, row.ts_us + row.dur_us, 0 };
		(void) ra_hta_names_is_step(ra_hta_name(rank, row.event), &step->number);
	}
	return count;
}

static void number_steps(struct ra_hta_steps *steps, const struct open_step *open, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		steps->steps[i] = (struct ra_hta_step){ open[i].number, 0, 0 };
	}
	RA_SORT(steps->steps, count, compare_steps);
	for (size_t i = 0; i < count; i++) {
		if (steps->count == 0 ||
		    steps->steps[steps->count - 1].number != steps->steps[i].number) {
			steps->steps[steps->count++] = steps->steps[i];
		}
	}
}

/* Finds the last change up to a time. Return: its index; change_count if there is none. */
static size_t find_change(const struct ra_hta_steps *steps, double at_us)
{
	struct ra_search at = ra_search_in(0, steps->change_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, steps->changes[at.middle].at_us <= at_us);
	}
	return at.low == 0 ? steps->change_count : at.low - 1;
}

/* Divides time at each start and end, and assigns each piece to the last step open in it. */
static void find_changes(struct ra_hta_steps *steps, const struct open_step *open, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		steps->changes[2 * i] = (struct ra_hta_steps_change){ open[i].start_us, RA_NONE };
		steps->changes[2 * i + 1] = (struct ra_hta_steps_change){ open[i].end_us, RA_NONE };
	}
	RA_SORT(steps->changes, 2 * count, compare_changes);
	steps->change_count = 0;
	for (size_t i = 0; i < 2 * count; i++) {
		if (steps->change_count == 0 ||
		    steps->changes[steps->change_count - 1].at_us != steps->changes[i].at_us) {
			steps->changes[steps->change_count++] = steps->changes[i];
		}
	}
	for (size_t i = count; i-- > 0;) {
		const struct ra_hta_step key = { open[i].number, 0, 0 };
		const struct ra_hta_step *step =
			RA_FIND(&key, steps->steps, steps->count, compare_steps);

		for (size_t c = find_change(steps, open[i].start_us);
		     c < steps->change_count && steps->changes[c].at_us < open[i].end_us; c++) {
			if (steps->changes[c].place == RA_NONE) {
				steps->changes[c].place = (uint32_t) (step - steps->steps);
			}
		}
	}
}

/* Finds the step that is open at a time. @last: the change found by the previous call, which is
 * tried first. */
static uint32_t find_open(const struct ra_hta_steps *steps, double at_us, size_t *last)
{
	const struct ra_hta_steps_change *changes = steps->changes;
	const size_t count = steps->change_count;

	if (*last + 1 >= count || at_us < changes[*last].at_us ||
	    at_us >= changes[*last + 1].at_us) {
		*last = find_change(steps, at_us);
	}
	return *last < count ? changes[*last].place : RA_NONE;
}

/* Finds when the row's call, or the row itself, began. Return: false if HTA does not know. */
static bool find_time(const struct ra_hta_rank *rank, const struct ra_hta_row *row, double *at_us)
{
	*at_us = row->ts_us;
	if (row->stream > 0) {
		return row->partner > 0 && ra_hta_find_partner_ts(rank, row, at_us);
	}
	return row->stream != 0 || (ra_hta_category(rank, row->event) & RA_HTA_CATEGORY_OP) != 0;
}

uint32_t ra_hta_steps_find(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                           const struct ra_hta_row *row)
{
	size_t last = steps->change_count;
	double at_us;

	return find_time(rank, row, &at_us) ? find_open(steps, at_us, &last) : RA_NONE;
}

static void walk_plain(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                       void (*see)(void *context, const struct ra_hta_steps_row *row),
                       void *context)
{
	size_t last = 0;

	for (uint32_t i = 0; i < rank->kineto->count; i++) {
		struct ra_hta_steps_row seen = { .event = i, .stream = -1 };

		if (rank->link_of[i] != RA_HTA_PLAIN) {
			continue;
		}
		seen.ts_us = ra_hta_ts(rank, i);
		seen.place = find_open(steps, seen.ts_us, &last);
		if (seen.place != RA_NONE) {
			seen.dur_us = ra_hta_dur(rank, i);
			see(context, &seen);
		}
	}
}

void ra_hta_steps_walk(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                       void (*see)(void *context, const struct ra_hta_steps_row *row),
                       void *context)
{
	size_t last = 0;

	if (steps->count == 0) {
		return;
	}
	walk_plain(steps, rank, see, context);
	for (size_t i = 0; i < rank->ordered_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->ordered[i]];
		struct ra_hta_steps_row seen = { .event = row->event,
			                         .stream = row->stream,
			                         .ts_us = row->ts_us,
			                         .dur_us = row->dur_us };
		double at_us;

		if (!find_time(rank, row, &at_us)) {
			continue;
		}
		seen.place = find_open(steps, at_us, &last);
		if (seen.place != RA_NONE) {
			see(context, &seen);
		}
	}
}

static void count_row(void *context, const struct ra_hta_steps_row *row)
{
	struct ra_hta_steps *steps = context;
	const double end_us = row->ts_us + row->dur_us;

	steps->steps[row->place].events++;
	steps->steps[row->place].gpu_events += row->stream != -1;
	steps->start_us = row->ts_us < steps->start_us ? row->ts_us : steps->start_us;
	steps->end_us = end_us > steps->end_us ? end_us : steps->end_us;
}

void ra_hta_steps_init(struct ra_hta_steps *steps, const struct ra_hta_rank *rank)
{
	const size_t most =
		rank->step_count < RA_HTA_STEPS_MOST ? rank->step_count : RA_HTA_STEPS_MOST;
	struct open_step *open = ra_alloc_bytes(most * sizeof(*open) + 1);
	size_t count;

	*steps = (struct ra_hta_steps){ .start_us = INFINITY, .end_us = -INFINITY };
	steps->steps = ra_alloc_bytes(most * sizeof(*steps->steps) + 1);
	steps->changes = ra_alloc_bytes(2 * most * sizeof(*steps->changes) + 1);
	count = read_steps(open, rank);
	number_steps(steps, open, count);
	find_changes(steps, open, count);
	ra_hta_steps_walk(steps, rank, count_row, steps);
	free(open);
}

void ra_hta_steps_fini(struct ra_hta_steps *steps)
{
	free(steps->steps);
	free(steps->changes);
	*steps = (struct ra_hta_steps){ 0 };
}

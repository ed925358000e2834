/* SPDX-License-Identifier: MIT */
/* Which rows of a rank HTA keeps where there are steps, and the order in which it has them. */
#include "analyzer/hta-filter.h"

#include <stdlib.h>

#include "analyzer/util-sort.h"
#include "format/error.h"

/* No trace needs more; a hostile one would have us make the square of its rows. */
#define MOST_COPIES 4

/* What the filter keeps. */
struct window {
	double start_us; /* of the last step, aligned */
	double end_us;   /* of the last step, not aligned: HTA adds the duration before it aligns */
	bool has_end;    /* keep what began until end_us; else what began before start_us */
};

static bool is_gpu(const struct ra_hta_rank *rank, uint32_t event)
{
	const uint32_t link = rank->link_of[event];

	return link < RA_HTA_PLAIN && rank->linked[link].is_gpu;
}

static void widen(struct window *window, const struct ra_hta_rank *rank, uint32_t event,
                  bool is_first)
{
	const double ts_us = ra_hta_ts(rank, event);
	const double end_us = ts_us + rank->zero_us + ra_hta_dur(rank, event);

	window->start_us = is_first ? ts_us : fmax(window->start_us, ts_us);
	window->end_us = is_first ? end_us : fmax(window->end_us, end_us);
}

/* Without a step: from the first row to the last end. */
static struct window find_whole(const struct ra_hta_rank *rank, bool has_end)
{
	struct window window = { 0, 0, has_end };
	double first_us = INFINITY;
	bool is_first = true;

	for (uint32_t i = 0; i < rank->kineto->count; i++) {
		if (rank->link_of[i] != RA_NONE && !is_gpu(rank, i)) {
			first_us = fmin(first_us, ra_hta_ts(rank, i));
			widen(&window, rank, i, is_first);
			is_first = false;
		}
	}
	window.start_us = is_first ? 0 : first_us;
	return window;
}

static struct window find_window(const struct ra_hta_rank *rank, bool has_end)
{
	struct window window = { 0, 0, has_end };
	bool is_first = true;

	for (size_t i = 0; i < rank->step_count; i++) {
		if (!is_gpu(rank, rank->steps[i])) {
			widen(&window, rank, rank->steps[i], is_first);
			is_first = false;
		}
	}
	return is_first ? find_whole(rank, has_end) : window;
}

static bool is_kept(const struct window *window, double ts_us)
{
	return window->has_end ? ts_us <= window->end_us : ts_us < window->start_us;
}

/* Keeps GPU rows of calls that are kept, once for each such call, as a join does. */
static void filter_linked(const struct ra_hta_rank *rank, const struct window *window)
{
	for (size_t i = 0; i < rank->linked_count; i++) {
		struct ra_hta_row *row = &rank->linked[i];

		row->copies = !row->is_gpu && is_kept(window, row->ts_us);
	}
	for (size_t i = 0, end; i < rank->by_corr_count; i = end) {
		const int64_t corr = rank->linked[rank->by_corr[i]].corr;
		size_t calls = 0;

		for (end = i;
		     end < rank->by_corr_count && rank->linked[rank->by_corr[end]].corr == corr;
		     end++) {
			calls += rank->linked[rank->by_corr[end]].copies;
		}
		calls = calls < MOST_COPIES ? calls : MOST_COPIES;
		for (size_t j = i; j < end && corr >= 0; j++) {
			struct ra_hta_row *row = &rank->linked[rank->by_corr[j]];

			row->copies = row->is_gpu ? (uint8_t) calls : row->copies;
		}
	}
}

static void filter_plain(const struct ra_hta_rank *rank, const struct window *window)
{
	for (uint32_t i = 0; i < rank->kineto->count; i++) {
		if (rank->link_of[i] == RA_HTA_PLAIN && !is_kept(window, ra_hta_ts(rank, i))) {
			rank->link_of[i] = RA_NONE;
		}
	}
}

/* Brings the steps into HTA's order, copies included. Return: 0, -RLOG_E_NO_MEMORY. */
static int order_steps(struct ra_hta_rank *rank)
{
	uint32_t *steps = malloc(MOST_COPIES * rank->step_count * sizeof(*steps) + 1);
	size_t count = 0;

	if (steps == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < rank->step_count; i++) {
			const uint32_t event = rank->steps[i];

			for (unsigned c = ra_hta_copies(rank, event);
			     c > 0 && is_gpu(rank, event) == (pass == 0); c--) {
				steps[count++] = event;
			}
		}
	}
	free(rank->steps);
	rank->steps = steps;
	rank->step_count = count;
	return 0;
}

int ra_hta_filter_apply(struct ra_hta_rank *rank, bool keeps_last)
{
	size_t gpu_rows = 0;
	struct window window;
	int rc;

	for (size_t i = 0; i < rank->linked_count; i++) {
		gpu_rows += rank->linked[i].is_gpu;
	}
	if (rank->count == gpu_rows) {
		return 0;
	}
	window = find_window(rank, keeps_last);
	filter_linked(rank, &window);
	filter_plain(rank, &window);
	rc = order_steps(rank);
	return rc != 0 ? rc : ra_hta_filter_index(rank, true);
}

/* Room for the lists, which are made anew. Return: 0, -RLOG_E_NO_MEMORY. */
static int make_room(struct ra_hta_rank *rank)
{
	size_t count = 0;
	size_t gpu = 0;
	size_t corr = 0;

	free(rank->ordered);
	free(rank->gpu);
	free(rank->by_corr);
	free(rank->first_of);
	for (size_t i = 0; i < rank->linked_count; i++) {
		const struct ra_hta_row *row = &rank->linked[i];

		count += row->copies;
		gpu += row->stream != -1 ? row->copies : 0;
		corr += row->corr != -1 ? row->copies : 0;
	}
	rank->ordered = malloc(count * sizeof(*rank->ordered) + 1);
	rank->gpu = malloc(gpu * sizeof(*rank->gpu) + 1);
	rank->by_corr = malloc(corr * sizeof(*rank->by_corr) + 1);
	rank->first_of = malloc(rank->linked_count * sizeof(*rank->first_of) + 1);
	return rank->ordered == NULL || rank->gpu == NULL || rank->by_corr == NULL ||
	                       rank->first_of == NULL
	               ? -RLOG_E_NO_MEMORY
	               : 0;
}

static void order_linked(struct ra_hta_rank *rank, bool gpu_first)
{
	rank->is_gpu_first = gpu_first;
	rank->ordered_count = 0;
	rank->gpu_count = 0;
	rank->by_corr_count = 0;
	for (int pass = 0; pass < (gpu_first ? 2 : 1); pass++) {
		for (size_t i = 0; i < rank->linked_count; i++) {
			const struct ra_hta_row *row = &rank->linked[i];

			for (unsigned c = row->copies;
			     c > 0 && (!gpu_first || row->is_gpu == (pass == 0)); c--) {
				rank->ordered[rank->ordered_count++] = (uint32_t) i;
				if (row->stream != -1) {
					rank->gpu[rank->gpu_count++] = (uint32_t) i;
				}
				if (row->corr != -1) {
					rank->by_corr[rank->by_corr_count++] = (uint32_t) i;
				}
			}
		}
	}
}

/* By correlation, equal ones as they are. */
static int sort_by_corr(struct ra_hta_rank *rank)
{
	const size_t count = rank->by_corr_count;
	struct ra_util_sort_entry *entries = malloc(count * sizeof(*entries) + 1);
	int rc = entries == NULL ? -RLOG_E_NO_MEMORY : 0;

	for (size_t i = 0; i < count && rc == 0; i++) {
		const uint32_t index = rank->by_corr[i];
		const uint64_t key = (uint64_t) rank->linked[index].corr ^ UINT64_C(1) << 63;

		entries[i] = (struct ra_util_sort_entry){ key, index, 0 };
	}
	if (rc == 0) {
		rc = ra_util_sort(&entries, count);
	}
	for (size_t i = 0; i < count && rc == 0; i++) {
		rank->by_corr[i] = entries[i].index;
	}
	free(entries);
	return rc;
}

int ra_hta_filter_index(struct ra_hta_rank *rank, bool gpu_first)
{
	int rc = make_room(rank);

	if (rc == 0) {
		order_linked(rank, gpu_first);
		rc = sort_by_corr(rank);
	}
	for (size_t i = 0, first = 0; i < rank->by_corr_count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->by_corr[i]];

		first = row->corr == rank->linked[rank->by_corr[first]].corr ? first : i;
		rank->first_of[rank->by_corr[i]] = (uint32_t) first;
	}
	rank->count = rank->ordered_count;
	for (uint32_t i = 0; i < rank->kineto->count && rc == 0; i++) {
		rank->count += rank->link_of[i] == RA_HTA_PLAIN;
	}
	return rc;
}

/* SPDX-License-Identifier: MIT */
/* Finds which rows of a rank HTA keeps if there are steps, and the order of the rows. */
#include "analyzer/compat/hta/filter.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"

/* A row is repeated at most this often. No real trace needs more, but in a hostile one the number
 * of copies could be the square of the number of rows. */
#define MOST_COPIES 4

/* The window of time that the filter keeps. */
struct window {
	double start_us; /* start of the last step, aligned */
	double end_us;   /* end of the last step, not aligned: HTA adds the duration before it
	                    aligns */
	bool has_end;    /* keep rows that began up to end_us; else those that began before
	                    start_us */
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

/* Finds the window without steps: from the first row to the last end. */
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

/* Keeps the GPU rows of kept calls. A row is repeated for each of its kept calls, as in a join. */
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

static void filter_plain(struct ra_hta_rank *rank, const struct window *window)
{
	rank->plain_count = 0;
	for (uint32_t i = 0; i < rank->kineto->count; i++) {
		if (rank->link_of[i] != RA_HTA_PLAIN) {
			continue;
		}
		if (is_kept(window, ra_hta_ts(rank, i))) {
			rank->plain_count++;
		} else {
			rank->link_of[i] = RA_NONE;
		}
	}
}

/* Puts the steps into HTA's order, copies included. */
static void order_steps(struct ra_hta_rank *rank)
{
	uint32_t *steps = ra_alloc_bytes(MOST_COPIES * rank->step_count * sizeof(*steps) + 1);
	size_t count = 0;

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
}

/* Allocates the lists of linked rows. */
static void make_room(struct ra_hta_rank *rank, uint32_t **by_corr)
{
	size_t count = 0;
	size_t gpu = 0;
	size_t corr = 0;

	for (size_t i = 0; i < rank->linked_count; i++) {
		const struct ra_hta_row *row = &rank->linked[i];

		count += row->copies;
		gpu += row->stream != -1 ? row->copies : 0;
		corr += row->corr != -1 ? row->copies : 0;
	}
	ra_util_resize(&rank->ordered, count + 1, sizeof(*rank->ordered));
	ra_util_resize(&rank->gpu, gpu + 1, sizeof(*rank->gpu));
	ra_util_resize(by_corr, corr + 1, sizeof(**by_corr));
	ra_util_resize(&rank->first_of, rank->linked_count + 1, sizeof(*rank->first_of));
}

/* Counts how often a row occurs in this pass. If GPU work comes first, one pass handles it and a
 * second one the other rows. */
static unsigned count_copies(const struct ra_hta_rank *rank, const struct ra_hta_row *row, int pass)
{
	return rank->is_gpu_first && row->is_gpu != (pass == 0) ? 0 : row->copies;
}

static void add_ordered(struct ra_hta_rank *rank, uint32_t index)
{
	rank->ordered[rank->ordered_count++] = index;
	if (rank->linked[index].stream != -1) {
		rank->gpu[rank->gpu_count++] = index;
	}
}

static void order_linked(struct ra_hta_rank *rank)
{
	for (int pass = 0; pass < (rank->is_gpu_first ? 2 : 1); pass++) {
		for (size_t i = 0; i < rank->linked_count; i++) {
			const struct ra_hta_row *row = &rank->linked[i];

			for (unsigned c = count_copies(rank, row, pass); c > 0; c--) {
				add_ordered(rank, (uint32_t) i);
			}
		}
	}
}

/* Appends the rows of one correlation, from `first` up to but without `end`, to `to`. */
static void order_group(struct ra_hta_rank *rank, size_t first, size_t end, uint32_t *to,
                        size_t *count)
{
	const size_t begin = *count;

	for (int pass = 0; pass < (rank->is_gpu_first ? 2 : 1); pass++) {
		for (size_t i = first; i < end; i++) {
			const uint32_t index = rank->by_corr[i];
			const struct ra_hta_row *row = &rank->linked[index];

			for (unsigned c = count_copies(rank, row, pass); c > 0; c--) {
				to[(*count)++] = index;
			}
			rank->first_of[index] = (uint32_t) begin;
		}
	}
}

void ra_hta_filter_index(struct ra_hta_rank *rank)
{
	uint32_t *by_corr = NULL;
	size_t count = 0;

	make_room(rank, &by_corr);
	order_linked(rank);
	for (size_t i = 0, end; i < rank->by_corr_count; i = end) {
		end = ra_hta_filter_find_end(rank, i);
		order_group(rank, i, end, by_corr, &count);
	}
	free(rank->by_corr);
	rank->by_corr = by_corr;
	rank->by_corr_count = count;
	rank->count = rank->plain_count + rank->ordered_count;
}

void ra_hta_filter_apply(struct ra_hta_rank *rank, bool keeps_last)
{
	size_t cpu_rows = rank->plain_count;
	struct window window;

	for (size_t i = 0; i < rank->linked_count; i++) {
		cpu_rows += !rank->linked[i].is_gpu;
	}
	if (cpu_rows == 0) {
		return;
	}
	window = find_window(rank, keeps_last);
	filter_linked(rank, &window);
	filter_plain(rank, &window);
	rank->is_gpu_first = true;
	order_steps(rank);
}

void ra_hta_filter_sort(struct ra_hta_rank *rank)
{
	struct ra_util_sort_entry *entries = NULL;

	ra_util_resize(&entries, rank->linked_count + 1, sizeof(*entries));
	for (size_t i = 0; i < rank->linked_count; i++) {
		const uint64_t key = (uint64_t) rank->linked[i].corr ^ UINT64_C(1) << 63;

		if (rank->linked[i].corr != -1) {
			entries[rank->by_corr_count++] =
				(struct ra_util_sort_entry){ key, (uint32_t) i, 0 };
		}
	}
	ra_util_sort(&entries, rank->by_corr_count);
	ra_util_resize(&rank->by_corr, rank->by_corr_count + 1, sizeof(*rank->by_corr));
	for (size_t i = 0; i < rank->by_corr_count; i++) {
		rank->by_corr[i] = entries[i].index;
	}
	free(entries);
}

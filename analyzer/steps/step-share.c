/* SPDX-License-Identifier: MIT */
/* Divides the time of steps among the items that ran: each moment is given to one item. */
#include "analyzer/steps/step-share.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

/* With fewer open items, dropping those that ended costs more than it saves. */
#define LEAST_OPEN 1024

void ra_step_share_begin(struct ra_step_share *share, const struct ra_step *steps,
                         size_t step_count, ra_step_share_see *see, void *context)
{
	*share = (struct ra_step_share){ .steps = steps,
		                         .step_count = step_count,
		                         .see = see,
		                         .context = context,
		                         .enough = LEAST_OPEN,
		                         .at_ns = INT64_MIN };
}

/* True if item a gets a moment in which both are open. */
static bool is_before(const struct ra_step_share_open *a, const struct ra_step_share_open *b)
{
	if (a->item.role != b->item.role) {
		return a->item.role < b->item.role;
	}
	return a->item.start_ns != b->item.start_ns ? a->item.start_ns > b->item.start_ns
	                                            : a->number > b->number;
}

static void swap(struct ra_step_share *share, size_t i, size_t k)
{
	const struct ra_step_share_open open = share->open[i];

	share->open[i] = share->open[k];
	share->open[k] = open;
}

static void sift_up(struct ra_step_share *share, size_t i)
{
	while (i > 0 && is_before(&share->open[i], &share->open[(i - 1) / 2])) {
		swap(share, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct ra_step_share *share, size_t i)
{
	for (;;) {
		size_t first = i;

		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < share->open_count; k++) {
			first = is_before(&share->open[k], &share->open[first]) ? k : first;
		}
		if (first == i) {
			return;
		}
		swap(share, i, first);
		i = first;
	}
}

static void drop_first(struct ra_step_share *share)
{
	share->open[0] = share->open[--share->open_count];
	sift_down(share, 0);
}

/* Drops items that have ended. An item that owns the time for long hides them in the heap. */
static void drop_ended(struct ra_step_share *share)
{
	size_t kept = 0;

	for (size_t i = 0; i < share->open_count; i++) {
		if (share->open[i].item.end_ns > share->at_ns) {
			share->open[kept++] = share->open[i];
		}
	}
	share->open_count = kept;
	for (size_t i = kept; i-- > 0;) {
		sift_down(share, i);
	}
	share->enough = LEAST_OPEN + 2 * kept;
}

/* Gives a stretch to the item that owns it, as far as the stretch is in steps. */
static void give(struct ra_step_share *share, uint32_t what, int64_t from_ns, int64_t to_ns)
{
	while (share->step < share->step_count &&
	       share->steps[share->step].end <= (double) from_ns) {
		share->step++;
	}
	for (size_t i = share->step;
	     i < share->step_count && share->steps[i].start < (double) to_ns; i++) {
		const int64_t start_ns = (int64_t) share->steps[i].start;
		const int64_t end_ns = (int64_t) share->steps[i].end;
		const int64_t first_ns = start_ns > from_ns ? start_ns : from_ns;
		const int64_t last_ns = end_ns < to_ns ? end_ns : to_ns;

		if (last_ns > first_ns) {
			share->see(share->context, what, i, first_ns, last_ns);
		}
	}
}

static void advance(struct ra_step_share *share, int64_t until_ns)
{
	while (share->open_count > 0 && share->at_ns < until_ns) {
		const struct ra_step_share_item *item = &share->open[0].item;
		const int64_t end_ns = item->end_ns < until_ns ? item->end_ns : until_ns;

		if (end_ns > share->at_ns) {
			give(share, item->what, share->at_ns, end_ns);
			share->at_ns = end_ns;
		}
		if (item->end_ns <= share->at_ns) {
			drop_first(share);
		}
	}
	share->at_ns = until_ns;
}

void ra_step_share_add(struct ra_step_share *share, const struct ra_step_share_item *item)
{
	if (item->end_ns <= item->start_ns) {
		return;
	}
	if (item->start_ns > share->at_ns) {
		advance(share, item->start_ns);
	}
	if (share->open_count >= share->enough) {
		drop_ended(share);
	}
	RA_UTIL_APPEND(share->open, share->open_count, share->open_capacity,
	               (struct ra_step_share_open){ *item, share->number++ });
	sift_up(share, share->open_count - 1);
}

void ra_step_share_end(struct ra_step_share *share)
{
	advance(share, INT64_MAX);
	free(share->open);
	memset(share, 0, sizeof(*share));
}

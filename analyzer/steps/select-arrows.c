/* SPDX-License-Identifier: MIT */
/* Chooses the flow arrows of a trace that belong to chosen events: an arrow is kept with both of
 * its ends, or not at all. */
#include "analyzer/base/alloc.h"
#include "analyzer/steps/select.h"

#include <stdlib.h>

#include "analyzer/base/order/util-sort.h"
#include "analyzer/rows/kineto.h"

/* Rows to be sorted. */
struct list {
	struct ra_util_sort_entry *entries; /* owned */
	size_t count;
};

static bool is_arrow(const struct ra_kineto *view, uint32_t row)
{
	return view->kind[row] >= RA_KINETO_FLOW_START && view->kind[row] <= RA_KINETO_FLOW_END;
}

static bool is_range(const struct ra_kineto *view, uint32_t row)
{
	return view->kind[row] <= RA_KINETO_LAST_X || view->kind[row] == RA_KINETO_BEGIN;
}

static void add(struct list *list, uint32_t row)
{
	list->entries[list->count++].index = row;
}

/* Sorts rows by a key; rows with equal keys keep their order. */
static void sort(struct list *list, const struct ra_kineto *view,
                 uint64_t (*find_key)(const struct ra_kineto *view, uint32_t row))
{
	for (size_t i = 0; i < list->count; i++) {
		list->entries[i].key = find_key(view, list->entries[i].index);
	}
	ra_util_sort(&list->entries, list->count);
}

static uint64_t find_time(const struct ra_kineto *view, uint32_t row)
{
	return (uint64_t) ra_kineto_ts(view, row) ^ UINT64_C(1) << 63;
}

static uint64_t find_thread(const struct ra_kineto *view, uint32_t row)
{
	return ra_kineto_get_thread(view, row);
}

static uint64_t find_name(const struct ra_kineto *view, uint32_t row)
{
	return view->name[row];
}

static uint64_t find_id(const struct ra_kineto *view, uint32_t row)
{
	return (uint64_t) ra_kineto_get_category(view, row) << 32 | view->corr[row];
}

/* Keeps each end of an arrow at which an event is open on the same thread, if that event is
 * kept. */
static void keep_bound(const struct ra_kineto *view, struct list *rows, uint8_t *keep)
{
	int64_t end_ns = INT64_MIN;
	int64_t start_ns = INT64_MIN;

	sort(rows, view, find_time);
	sort(rows, view, find_thread);
	for (size_t i = 0; i < rows->count; i++) {
		const uint32_t row = rows->entries[i].index;
		const int64_t ts_ns = ra_kineto_ts(view, row);

		if (i == 0 || rows->entries[i].key != rows->entries[i - 1].key) {
			end_ns = start_ns = INT64_MIN;
		}
		if (is_arrow(view, row)) {
			keep[row] = end_ns > ts_ns || start_ns == ts_ns;
			continue;
		}
		start_ns = ts_ns;
		if (ts_ns + ra_kineto_dur(view, row) > end_ns) {
			end_ns = ts_ns + ra_kineto_dur(view, row);
		}
	}
}

/* Drops incomplete arrows: if an arrow's start is dropped, its heads are dropped; if all heads are
 * dropped, so is the start. */
static void keep_whole(const struct ra_kineto *view, struct list *arrows, uint8_t *keep)
{
	uint32_t start = RA_KINETO_NONE;
	bool has_head = true;

	sort(arrows, view, find_time);
	sort(arrows, view, find_name);
	sort(arrows, view, find_id);
	for (size_t i = 0; i <= arrows->count; i++) {
		const uint32_t row = i < arrows->count ? arrows->entries[i].index : RA_KINETO_NONE;
		const bool is_start =
			row != RA_KINETO_NONE && view->kind[row] == RA_KINETO_FLOW_START;
		const bool is_same = start != RA_KINETO_NONE && row != RA_KINETO_NONE &&
		                     find_id(view, row) == find_id(view, start) &&
		                     view->name[row] == view->name[start];

		if (is_same && !is_start) {
			keep[row] &= keep[start];
			has_head |= keep[row] != 0;
			continue;
		}
		if (start != RA_KINETO_NONE) {
			keep[start] &= has_head;
		}
		start = is_start ? row : RA_KINETO_NONE;
		has_head = false;
	}
}

void ra_select_keep_arrows(const struct ra_kineto *view, uint8_t *keep)
{
	const size_t room = view->count + 1;
	struct list rows = { ra_alloc_bytes(room * sizeof(*rows.entries)), 0 };
	struct list arrows = { ra_alloc_bytes(room * sizeof(*arrows.entries)), 0 };

	/* At equal times, ranges come before arrows, and starts before heads. */
	for (uint32_t i = 0; i < view->count; i++) {
		const bool has_time = (view->flags[i] & RA_KINETO_HAS_TS) != 0;

		if (is_range(view, i) && has_time && keep[i] != 0) {
			add(&rows, i);
		} else if (is_arrow(view, i)) {
			keep[i] = 0;
		}
		if (view->kind[i] == RA_KINETO_FLOW_START && has_time &&
		    view->corr[i] != RA_KINETO_NONE) {
			add(&arrows, i);
		}
	}
	for (uint32_t i = 0; i < view->count; i++) {
		if (is_arrow(view, i) && (view->flags[i] & RA_KINETO_HAS_TS) != 0) {
			add(&rows, i);
			if (view->kind[i] != RA_KINETO_FLOW_START &&
			    view->corr[i] != RA_KINETO_NONE) {
				add(&arrows, i);
			}
		}
	}
	keep_bound(view, &rows, keep);
	keep_whole(view, &arrows, keep);
	free(rows.entries);
	free(arrows.entries);
}

/* SPDX-License-Identifier: MIT */
/* Detects that a PyTorch DataLoader got or lost its worker processes, and finds the ranges that
 * moved to or from these. */
#include "analyzer/diff/causes/diff-loader.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/diff/causes/diff-causes.h"
#include "analyzer/names/op-kinds.h"

void ra_diff_loader_find(struct ra_diff_loader *loader, const struct ra_diff *diff)
{
	const struct ra_diff_row *found[2] = { NULL, NULL };

	memset(loader, 0, sizeof(*loader));
	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];
		const size_t side = row->stats[0] != NULL ? 0 : 1;

		if (row->table == RA_SUM_RANGES && found[side] == NULL &&
		    (row->stats[0] == NULL || row->stats[1] == NULL) &&
		    ra_op_kinds_loader_class(row->name).length > 0) {
			found[side] = row;
		}
	}
	if (found[0] == NULL || found[1] == NULL) {
		return;
	}
	loader->has = true;
	for (size_t side = 0; side < 2; side++) {
		loader->names[side] = found[side]->name;
		loader->time_ns[side] = found[side]->total_ns[side];
	}
	loader->is_to_workers = ra_op_kinds_has_workers(loader->names[1]) &&
	                        !ra_op_kinds_has_workers(loader->names[0]);
	loader->is_from_workers = ra_op_kinds_has_workers(loader->names[0]) &&
	                          !ra_op_kinds_has_workers(loader->names[1]);
}

/* The time that ranges of one name took in a loader, in all units of a side. */
struct inside {
	struct rlog_string name;
	int64_t time_ns[2];
};

static bool is_in_loader(struct rlog_string path)
{
	size_t start = 0;
	bool is_in = false;

	for (size_t i = 0; i < path.length; i++) {
		if (path.bytes[i] == RA_SUM_BETWEEN) {
			is_in = is_in || ra_op_kinds_loader_class(
						 (struct rlog_string){ path.bytes + start,
			                                               (uint32_t) (i - start), 0 })
			                                 .length > 0;
			start = i + 1;
		}
	}
	return is_in;
}

/* Sums the durations of ranges in loaders by name; their costs contain these durations. Return: how
 * many names. */
static size_t collect(struct inside *insides, const struct ra_diff_costs *costs)
{
	size_t count = 0;
	size_t kept = 0;

	for (size_t i = 0; i < costs->count; i++) {
		const struct ra_diff_cost *cost = &costs->rows[i];
		struct rlog_string around;

		if (cost->role == RA_ROLE_CPU_EXEC && cost->item.length == 0 &&
		    is_in_loader(cost->path)) {
			insides[count].name = ra_diff_causes_last(cost->path, &around);
			memcpy(insides[count].time_ns, cost->total_ns, sizeof(cost->total_ns));
			count++;
		}
	}
	if (count > 0) {
		RA_SORT(insides, count, ra_util_string_compare_first);
	}
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && ra_util_string_is_same(insides[kept - 1].name, insides[i].name)) {
			insides[kept - 1].time_ns[0] += insides[i].time_ns[0];
			insides[kept - 1].time_ns[1] += insides[i].time_ns[1];
		} else {
			insides[kept++] = insides[i];
		}
	}
	return kept;
}

/* True if at least half of the time that a row lost or got was in the loader. */
static bool has_moved(const struct ra_diff *diff, const struct ra_diff_row *row,
                      const struct inside *inside, bool is_to_workers)
{
	const int64_t change_ns = row->total_ns[1] - row->total_ns[0];
	const int64_t moved_ns = inside->time_ns[1] / (int64_t) diff->units[1] -
	                         inside->time_ns[0] / (int64_t) diff->units[0];

	return is_to_workers ? change_ns < 0 && 2 * moved_ns <= change_ns
	                     : change_ns > 0 && 2 * moved_ns >= change_ns;
}

void ra_diff_loader_mark(struct ra_diff *diff)
{
	struct ra_diff_loader loader;
	struct ra_diff_costs costs;
	struct inside *insides;
	size_t count;

	ra_diff_loader_find(&loader, diff);
	if (!loader.is_to_workers && !loader.is_from_workers) {
		return;
	}
	ra_diff_costs_init(&costs, diff);
	insides = ra_alloc_zeros(costs.count + 1, sizeof(*insides));
	count = collect(insides, &costs);
	for (size_t i = 0; i < diff->count && count > 0; i++) {
		struct ra_diff_row *row = &diff->rows[i];
		const struct inside *inside =
			row->table == RA_SUM_RANGES && row->like == RA_DIFF_LIKE_NONE &&
					row->verdict != RA_DIFF_SAME
				? RA_FIND(&row->name, insides, count, ra_util_string_compare_first)
				: NULL;

		if (inside != NULL && has_moved(diff, row, inside, loader.is_to_workers)) {
			row->like = RA_DIFF_LIKE_LOADED;
		}
	}
	free(insides);
	ra_diff_costs_fini(&costs);
}

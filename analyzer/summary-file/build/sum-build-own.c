/* SPDX-License-Identifier: MIT */
/* Adds to a summary's part the rank's own time from one collective to the next. */
#include "analyzer/summary-file/build/sum-build-rows.h"

#include "analyzer/base/util.h"
#include "analyzer/figures/ranks/rank-stretches.h"

void ra_sum_build_own(struct ra_sum_build_job *job)
{
	const struct ra_files files = { .model = job->model };
	struct ra_sum_part *part = job->part;
	struct ra_rank_stretches stretches;
	struct ra_collectives collectives;

	if (part->call_count == 0) {
		return;
	}
	ra_collectives_init(&collectives, &files);
	for (size_t i = 0; i < collectives.ranks[0].count; i++) {
		struct ra_collective *call = &collectives.ranks[0].calls[i];

		/* The other ranks are not known yet. So every collective is used of which the group
		 * may have other ranks. */
		call->match = call->group_size == 1 ? RA_NONE : (uint32_t) i;
	}
	ra_rank_stretches_init(&stretches, job->model, &collectives.ranks[0]);
	for (size_t i = 0; i < stretches.count; i++) {
		if (stretches.rows[i].before != RA_NONE) {
			part->own_stretches++;
			part->own_ns = ra_util_add_time(part->own_ns, stretches.rows[i].own_ns);
		}
	}
	ra_rank_stretches_fini(&stretches);
	ra_collectives_fini(&collectives);
}

/* SPDX-License-Identifier: MIT */
/* All of HTA's rows with all fields, in its order. */
#include "analyzer/compat/hta/full.h"

#include <stdlib.h>

#include "analyzer/base/util.h"

static void add(struct ra_hta_full *full, const struct ra_hta_row *row)
{
	full->row_of[row->event] = (uint32_t) full->count;
	full->rows[full->count++] = *row;
}

/* Adds all rows. GPU work comes first if the rank's order says so. Then come the other linked rows
 * in their order, each after the plain rows of earlier events. */
static void add_rows(struct ra_hta_full *full)
{
	const struct ra_hta_rank *rank = full->rank;
	size_t at = 0;
	uint32_t event = 0;

	for (; at < rank->ordered_count && rank->is_gpu_first &&
	       rank->linked[rank->ordered[at]].is_gpu;
	     at++) {
		full->row_at[at] = (uint32_t) full->count;
		add(full, &rank->linked[rank->ordered[at]]);
	}
	for (; at <= rank->ordered_count; at++) {
		const struct ra_hta_row *linked =
			at < rank->ordered_count ? &rank->linked[rank->ordered[at]] : NULL;
		const uint32_t end =
			linked == NULL ? (uint32_t) rank->kineto->count : linked->event;

		for (; event < end; event++) {
			if (rank->link_of[event] == RA_HTA_PLAIN) {
				const struct ra_hta_row row = ra_hta_read(rank, event);

				add(full, &row);
			}
		}
		if (linked != NULL) {
			full->row_at[at] = (uint32_t) full->count;
			add(full, linked);
		}
	}
}

void ra_hta_full_init(struct ra_hta_full *full, const struct ra_hta_rank *rank)
{
	*full = (struct ra_hta_full){ .rank = rank, .kineto = rank->kineto };
	ra_util_resize(&full->rows, rank->count + 1, sizeof(*full->rows));
	ra_util_resize(&full->row_of, rank->kineto->count + 1, sizeof(*full->row_of));
	ra_util_resize(&full->row_at, rank->ordered_count + 1, sizeof(*full->row_at));
	for (size_t i = 0; i < rank->kineto->count; i++) {
		full->row_of[i] = RA_NONE;
	}
	add_rows(full);
}

void ra_hta_full_fini(struct ra_hta_full *full)
{
	free(full->rows);
	free(full->row_of);
	free(full->row_at);
	*full = (struct ra_hta_full){ 0 };
}

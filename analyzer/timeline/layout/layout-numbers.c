/* SPDX-License-Identifier: MIT */
/* Chooses the numbers of processes and threads in a drawing. */
#include "analyzer/timeline/layout/layout-numbers.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/timeline/layout/layout.h"

/* To readers of PyTorch's traces, pids 0 … 15 mean GPUs. */
#define LAST_GPU_PID    15
#define FIRST_ALIEN_TID 4194304 /* PID_MAX_LIMIT of Linux on 64-bit machines */

void ra_layout_numbers_choose_pids(const struct ra_model *model, uint32_t *pids)
{
	for (size_t i = 0; i < model->process_count; i++) {
		const int64_t pid = model->processes[i].pid;
		bool is_taken = pid <= LAST_GPU_PID || pid >= FIRST_ALIEN_TID;

		for (size_t k = 0; k < i && !is_taken; k++) {
			is_taken = pids[k] == (uint32_t) pid;
		}
		pids[i] = is_taken ? RA_LAYOUT_FIRST_PID + (uint32_t) i : (uint32_t) pid;
	}
}

static int compare_tracks(const void *left, const void *right, void *context)
{
	const struct ra_track *tracks = context;
	const uint32_t a = *(const uint32_t *) left;
	const uint32_t b = *(const uint32_t *) right;
	int order = RA_ORDER(tracks[a].process, tracks[b].process);

	order = RA_ORDER_THEN(order, RA_ORDER(tracks[a].tid, tracks[b].tid));
	order = RA_ORDER_THEN(order, RA_ORDER(tracks[a].first_ns, tracks[b].first_ns));
	return RA_ORDER_THEN(order, RA_ORDER(a, b));
}

void ra_layout_numbers_choose_tids(const struct ra_model *model, uint32_t *tids, uint32_t *next_row)
{
	const struct ra_track *tracks = model->tracks;
	uint32_t *order = ra_order_create_indices(model->track_count);
	const struct ra_track *owner = NULL;
	int64_t busy_until_ns = 0;

	RA_SORT_WITH(order, model->track_count, compare_tracks, model->tracks);
	for (size_t i = 0; i < model->track_count; i++) {
		const struct ra_track *track = &tracks[order[i]];

		if (track->kind != RA_TRACK_THREAD) {
			continue;
		}
		const bool is_same = owner != NULL && owner->process == track->process &&
		                     owner->tid == track->tid;

		if (track->tid <= 0 || track->tid >= FIRST_ALIEN_TID ||
		    (is_same && (track->first_ns <= busy_until_ns || track->name != owner->name))) {
			tids[order[i]] = (*next_row)++;
			continue;
		}
		tids[order[i]] = (uint32_t) track->tid;
		owner = track;
		busy_until_ns = track->end_ns > track->last_ns ? track->end_ns : track->last_ns;
	}
	free(order);
}

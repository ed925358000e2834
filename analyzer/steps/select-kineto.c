/* SPDX-License-Identifier: MIT */
/* The rows of a trace in JSON that belong to chosen steps: all others have no kind and no time. */
#include "analyzer/steps/select.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/rows/kineto.h"
#include "format/error.h"

enum {
	SLICES,
	APIS,
	OPS
};

/* By time; what the model has is decided there. Names of threads and the like are of all steps. */
static void keep_by_time(struct ra_kineto *view, const struct ra_steps *steps, uint8_t *keep)
{
	for (uint32_t i = 0; i < view->count; i++) {
		const int64_t time_ns = view->ts_ns[i] - view->zero_ns;

		if (view->kind[i] == RA_KINETO_METADATA) {
			keep[i] = 1;
		} else if ((view->flags[i] & RA_KINETO_HAS_TS) != 0) {
			const bool is_gpu = view->kind[i] == RA_KINETO_GPU_USER_ANNOTATION;
			const bool is_head = view->kind[i] == RA_KINETO_FLOW_STEP ||
			                     view->kind[i] == RA_KINETO_FLOW_END; /* either */

			keep[i] = (!is_gpu && ra_steps_is_open(steps, time_ns)) ||
			          ((is_gpu || is_head) && ra_steps_holds(steps, time_ns));
		}
	}
}

/* Whence each thing of the view came. */
static uint32_t *move_events(const uint32_t *events, const uint32_t *news, size_t count,
                             uint8_t *keep)
{
	uint32_t *moved = malloc((count + 1) * sizeof(*moved));

	for (size_t i = 0; i < count && moved != NULL; i++) {
		keep[events[i]] = news[i] != RA_NONE;
		if (news[i] != RA_NONE) {
			moved[news[i]] = events[i];
		}
	}
	return moved;
}

/* Masks what does not belong and counts the rest. */
static void mask(struct ra_kineto *view, const uint8_t *keep)
{
	memset(view->kind_count, 0, sizeof(view->kind_count));
	memset(view->phase_count, 0, sizeof(view->phase_count));
	for (size_t c = 0; c < view->category_count; c++) {
		view->categories[c].events = 0;
		view->categories[c].complete = 0;
	}
	for (uint32_t i = 0; i < view->count; i++) {
		if (keep[i] == 0) {
			view->kind[i] = RA_KINETO_UNKNOWN;
			view->flags[i] = 0;
			continue;
		}
		view->kind_count[view->kind[i]]++;
		view->phase_count[view->phase[i]]++;
		view->categories[view->category[i]].events++;
		view->categories[view->category[i]].complete += view->phase[i] == 'X';
	}
}

static void *copy(const void *bytes, size_t count, size_t each)
{
	void *new = calloc(count + 1, each);

	if (new == NULL) {
		return NULL;
	}
	if (count > 0) {
		memcpy(new, bytes, count * each);
	}
	return new;
}

int ra_select_make_kineto(struct ra_select *select, const struct ra_model *model,
                          const struct ra_steps *steps, const uint32_t *const news[3])
{
	const struct ra_kineto *whole = model->kineto;
	struct ra_kineto *view;
	uint8_t *keep;

	if (whole == NULL) {
		return 0;
	}
	view = malloc(sizeof(*view));
	keep = calloc(whole->count + 1, 1);
	if (view == NULL || keep == NULL) {
		free(view);
		free(keep);
		return -RLOG_E_NO_MEMORY;
	}
	select->kineto = view;
	select->things.kineto = view;
	*view = *whole;
	view->kind = copy(whole->kind, whole->count, sizeof(*view->kind));
	view->flags = copy(whole->flags, whole->count, sizeof(*view->flags));
	view->categories =
		copy(whole->categories, whole->category_count, sizeof(*view->categories));
	view->slice_event = NULL;
	view->api_event = NULL;
	view->op_event = NULL;
	if (view->kind == NULL || view->flags == NULL || view->categories == NULL) {
		free(keep);
		return -RLOG_E_NO_MEMORY;
	}
	keep_by_time(view, steps, keep);
	view->slice_event =
		move_events(whole->slice_event, news[SLICES], model->slices.count, keep);
	view->api_event = move_events(whole->api_event, news[APIS], model->gpu.api_count, keep);
	view->op_event = move_events(whole->op_event, news[OPS], model->gpu.op_count, keep);
	mask(view, keep);
	free(keep);
	return view->slice_event == NULL || view->api_event == NULL || view->op_event == NULL
	               ? -RLOG_E_NO_MEMORY
	               : 0;
}

void ra_select_free_kineto(struct ra_select *select)
{
	if (select->kineto != NULL) {
		free(select->kineto->kind);
		free(select->kineto->flags);
		free(select->kineto->categories);
		free(select->kineto->slice_event);
		free(select->kineto->api_event);
		free(select->kineto->op_event);
		free(select->kineto);
	}
}

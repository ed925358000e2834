/* SPDX-License-Identifier: MIT */
/* Chooses the rows of a trace in JSON that belong to chosen steps; all other rows lose their kind
 * and time. */
#include "analyzer/base/alloc.h"
#include "analyzer/steps/select.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/rows/kineto.h"

enum {
	SLICES,
	APIS,
	OPS
};

/* Chooses rows by time; later the model decides about rows that it has. Names of threads and
 * similar rows belong to all steps. */
static void keep_by_time(struct ra_kineto *view, const struct ra_steps *steps, uint8_t *keep)
{
	for (uint32_t i = 0; i < view->count; i++) {
		const int64_t time_ns = ra_kineto_ts(view, i) - view->zero_ns;

		if (view->kind[i] == RA_KINETO_METADATA) {
			keep[i] = 1;
		} else if ((view->flags[i] & RA_KINETO_HAS_TS) != 0) {
			keep[i] = view->kind[i] == RA_KINETO_GPU_USER_ANNOTATION
			                  ? ra_steps_holds(steps, time_ns)
			                  : ra_steps_is_open(steps, time_ns);
		}
	}
}

/* Finds, for each item of the view, the event from which it was made. */
static uint32_t *move_events(const uint32_t *events, const uint32_t *news, size_t count,
                             uint8_t *keep)
{
	uint32_t *moved = ra_alloc_zeros(count + 1, sizeof(*moved));

	for (size_t i = 0; i < count; i++) {
		keep[events[i]] = news[i] != RA_NONE;
		if (news[i] != RA_NONE) {
			moved[news[i]] = events[i];
		}
	}
	return moved;
}

/* Cuts an event of a thread at the end of the last step, as in the model. */
static void cut(struct ra_kineto *view, uint32_t row, int64_t limit_ns)
{
	const int64_t left_ns = limit_ns - ra_kineto_ts(view, row);

	if (ra_kineto_dur(view, row) > left_ns) {
		ra_kineto_set_dur(view, row, left_ns > 0 ? left_ns : 0);
	}
}

static void cut_all(struct ra_kineto *view, const struct ra_model *things, int64_t limit_ns)
{
	for (size_t i = 0; i < things->slices.count; i++) {
		cut(view, view->slice_event[i], limit_ns);
	}
	for (size_t i = 0; i < things->gpu.api_count; i++) {
		cut(view, view->api_event[i], limit_ns);
	}
	/* Python functions are cut here, because they may not be in the model. */
	for (uint32_t i = 0; i < view->count; i++) {
		if (view->kind[i] == RA_KINETO_PYTHON_FUNCTION) {
			cut(view, i, limit_ns);
		}
	}
}

/* Removes kind and time of the rows that are not kept, and counts the others. */
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
		view->phase_count[ra_kineto_get_phase(view, i)]++;
		view->categories[ra_kineto_get_category(view, i)].events++;
		view->categories[ra_kineto_get_category(view, i)].complete +=
			ra_kineto_get_phase(view, i) == 'X';
	}
}

static void *copy(const void *bytes, size_t count, size_t each)
{
	void *new = ra_alloc_zeros(count + 1, each);

	if (count > 0) {
		memcpy(new, bytes, count * each);
	}
	return new;
}

void ra_select_make_kineto(struct ra_select *select, const struct ra_model *model,
                           const struct ra_steps *steps, const uint32_t *const news[3])
{
	const struct ra_kineto *whole = model->kineto;
	const struct ra_model *things = &select->things;
	struct ra_kineto *view;
	int64_t limit_ns;
	uint8_t *keep;

	if (!ra_model_has(model, RA_HAS_ROWS)) {
		return;
	}
	view = ra_alloc_bytes(sizeof(*view));
	keep = ra_alloc_zeros(whole->count + 1, 1);
	select->kineto = view;
	select->things.kineto = view;
	*view = *whole;
	view->kind = copy(whole->kind, whole->count, sizeof(*view->kind));
	view->flags = copy(whole->flags, whole->count, sizeof(*view->flags));
	view->short_dur_ns = copy(whole->short_dur_ns, whole->count, sizeof(*view->short_dur_ns));
	ra_kineto_wide_copy(&view->long_durs, &whole->long_durs);
	view->categories =
		copy(whole->categories, whole->category_count, sizeof(*view->categories));
	view->slice_event = NULL;
	view->api_event = NULL;
	view->op_event = NULL;
	keep_by_time(view, steps, keep);
	view->slice_event =
		move_events(whole->slice_event, news[SLICES], model->slices.count, keep);
	view->api_event = move_events(whole->api_event, news[APIS], model->gpu.api_count, keep);
	view->op_event = move_events(whole->op_event, news[OPS], model->gpu.op_count, keep);
	limit_ns = whole->zero_ns + steps->hosts[steps->times.step_count - 1].end_ns;
	cut_all(view, things, limit_ns);
	ra_select_keep_arrows(view, keep);
	mask(view, keep);
	free(keep);
}

void ra_select_free_kineto(struct ra_select *select)
{
	struct ra_kineto *view = select->kineto;

	if (view != NULL) {
		free(view->kind);
		free(view->flags);
		free(view->short_dur_ns);
		ra_kineto_wide_fini(&view->long_durs);
		free(view->categories);
		free(view->slice_event);
		free(view->api_event);
		free(view->op_event);
		free(view);
	}
}

/* SPDX-License-Identifier: MIT */
/* Makes views of a model that contain only what belongs to chosen steps (--steps). */
#ifndef RA_SELECT_H
#define RA_SELECT_H

#include "analyzer/model/model.h"
#include "analyzer/steps/steps.h"

/* How many items a view has, and how many the model has. */
struct ra_select_count {
	uint64_t kept;
	uint64_t all;
};

/*
 * Two views of one model (doc/metrics.md, section 22). Both are models. They borrow from the whole
 * model everything that is not made here, so never pass them to ra_model_destroy().
 */
struct ra_select {
	/*
	 * The view of the items in the steps: ranges, marks, calls and samples that begin while a
	 * step is open, and the GPU work that these calls launched.
	 */
	struct ra_model things;
	/*
	 * The time of the steps: everything is cut to the steps, and on its time axis the steps
	 * follow each other without a gap. Time 0 is the start of the first step. Use it for busy
	 * and idle times of devices. Its indices do not fit the rows of a trace (kineto).
	 */
	struct ra_model time;
	struct ra_kineto *kineto;  /* owned: the rows for `things`; NULL: the model has no rows */
	struct ra_window *windows; /* owned: windows of `time` */
	char *first;               /* owned: names of the first and the last chosen step */
	char *last;
	size_t step_count;
	size_t all_steps;
	struct ra_select_count ranges;
	struct ra_select_count calls;
	struct ra_select_count ops;
};

/*
 * Makes the views. The model must live longer than they do.
 *
 * @options: `only` has the numbers of the steps; at least one of them must exist
 * (ra_steps_has_any()). Time: O(n log n). Memory: at most about 100 bytes per range, call and
 * operation.
 */
void ra_select_init(struct ra_select *select, const struct ra_model *model,
                    const struct ra_steps_options *options);
void ra_select_fini(struct ra_select *select);

/* Makes select->time (select-time.c). */
void ra_select_make_time(struct ra_select *select, const struct ra_model *model,
                         const struct ra_steps *steps);
void ra_select_free_time(struct ra_select *select);

/* Makes select->kineto (select-kineto.c): the rows of events that are not in the view lose their
 * kind. */
void ra_select_make_kineto(struct ra_select *select, const struct ra_model *model,
                           const struct ra_steps *steps, const uint32_t *const news[3]);
void ra_select_free_kineto(struct ra_select *select);

/*
 * Chooses the arrows to keep (select-arrows.c): arrows with both ends at kept events. A head that
 * has no start in the whole trace is kept if it is at a kept event.
 *
 * @keep: by row: 1 for kept events; this sets the entries of arrows.
 */
void ra_select_keep_arrows(const struct ra_kineto *view, uint8_t *keep);

/* Converts a time of the view `time` to the axis of the whole model. For other models it returns
 * the time as it is. */
int64_t ra_select_real(const struct ra_model *model, int64_t time_ns);

#endif

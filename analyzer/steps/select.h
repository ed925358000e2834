/* SPDX-License-Identifier: MIT */
/* Chosen steps (--steps): what of a model belongs to them, as views that reports read. */
#ifndef RA_SELECT_H
#define RA_SELECT_H

#include "analyzer/model/model.h"
#include "analyzer/steps/steps.h"

/* What is left of what there was. */
struct ra_select_count {
	uint64_t kept;
	uint64_t all;
};

/*
 * Two views of one model (doc/metrics.md, section 22). Both are models; what is not made here they
 * borrow from the whole one, so they are never given to ra_model_destroy().
 */
struct ra_select {
	/*
	 * The things of the steps: ranges, marks, calls and samples that begin while one of them is
	 * open, and the GPU work that these calls launched.
	 */
	struct ra_model things;
	/*
	 * Their time: all that was there, cut to what lies in the steps, on an axis on which these
	 * follow each other without a gap: time 0 is the begin of the first. For devices' busy
	 * and idle times. Rows of a trace (kineto) have other indices: they are not for it.
	 */
	struct ra_model time;
	struct ra_kineto *kineto;  /* owned: of things, NULL: the model has none */
	struct ra_window *windows; /* owned: of time */
	char *first;               /* owned: names of the first and last step chosen */
	char *last;
	size_t step_count;
	size_t all_steps;
	struct ra_select_count ranges;
	struct ra_select_count calls;
	struct ra_select_count ops;
};

/*
 * Makes the views; the model must outlive them.
 *
 * @options: only: the steps' numbers; there must be such steps, as ra_steps_has_any() tells.
 * O(n log n); at most some 100 bytes per range, call and operation.
 */
void ra_select_init(struct ra_select *select, const struct ra_model *model,
                    const struct ra_steps_options *options);
void ra_select_fini(struct ra_select *select);

/* Makes select->time (select-time.c). */
void ra_select_make_time(struct ra_select *select, const struct ra_model *model,
                         const struct ra_steps *steps);
void ra_select_free_time(struct ra_select *select);

/* Makes select->kineto (select-kineto.c): rows of events that do not belong have no kind. */
void ra_select_make_kineto(struct ra_select *select, const struct ra_model *model,
                           const struct ra_steps *steps, const uint32_t *const news[3]);
void ra_select_free_kineto(struct ra_select *select);

/*
 * Chooses arrows (select-arrows.c): those that go from what is kept to what is kept, and of heads
 * that have no start in the whole trace, either, those at what is kept.
 *
 * @keep: by row; of arrows set here.
 */
void ra_select_keep_arrows(const struct ra_kineto *view, uint8_t *keep);

/* A time of the view `time` on the axis of the whole model; other models' times are as they are. */
int64_t ra_select_real(const struct ra_model *model, int64_t time_ns);

#endif

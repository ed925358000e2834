/* SPDX-License-Identifier: MIT */
/* Declarations for the files that make a part from a model. */
#ifndef RA_SUM_BUILD_ROWS_H
#define RA_SUM_BUILD_ROWS_H

#include "analyzer/figures/ranges/launch-ranges.h"
#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/steps/select.h"
#include "analyzer/steps/steps.h"
#include "analyzer/summary-file/sum-texts.h"
#include "analyzer/summary-file/sum.h"

struct ra_sum_build_job {
	struct ra_sum_part *part;
	/* only what belongs to the chosen steps; if none were chosen, everything; the same for
	 * `time` */
	const struct ra_model *model;
	const struct ra_model *time;  /* only what ran during the chosen steps */
	const struct ra_model *whole; /* the input */
	struct ra_select select;      /* owns these two, if steps were chosen */
	const struct ra_sum_build_options *options;
	struct ra_steps steps;            /* the input's steps, or those chosen */
	struct ra_launch_ranges launches; /* launches of `model` */
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_sum_texts texts; /* texts of the part */
	uint32_t *kernel_texts; /* owned; by name of a kernel: index of its text; 0: not made yet */
	uint32_t *call_texts;   /* owned; by name of a call: index of its text; 0: not made yet */
	struct ra_step_cost *costs; /* owned; by step; only for a walk; NULL: not computed yet */
	/* owned; only for a walk; NULL: not found yet, or not needed */
	struct ra_sum_causes *causes;
};

/* The index of a text. A new text is copied. */
uint32_t ra_sum_build_text(struct ra_sum_build_job *job, struct rlog_string text);

/* Adds rows of ranges or paths. */
void ra_sum_build_rows(struct ra_sum_build_job *job, enum ra_sum_table table,
                       const struct ra_metrics *metrics);

/* Sets the parents of rows of paths. These rows begin at `first`. */
void ra_sum_build_parents(struct ra_sum_part *part, size_t first, const struct ra_group *group);

/*
 * If steps were found by a pattern, gives them all the pattern as name. So they are calls of one
 * row, which can be compared with other runs.
 *
 * @slices: the slices that may be steps.
 */
void ra_sum_build_name_steps(struct ra_sum_build_job *job, const struct ra_slices *slices);

/* Adds kernels, copies, calls, devices, and what ran at the same time. */
void ra_sum_build_gpu(struct ra_sum_build_job *job);

/* Adds the rank's own time between collectives. Call it after ra_sum_build_gpu(). O(n log n). */
void ra_sum_build_own(struct ra_sum_build_job *job);

/* The index of the text that names GPU work in its row. */
uint32_t ra_sum_build_name_op(struct ra_sum_build_job *job, const struct ra_gpu_op *op);

/* The index of the text that names a call. */
uint32_t ra_sum_build_name_call(struct ra_sum_build_job *job, const struct ra_gpu_api *api);

/* Adds steps, facts and remarks. */
void ra_sum_build_facts(struct ra_sum_build_job *job);

#endif

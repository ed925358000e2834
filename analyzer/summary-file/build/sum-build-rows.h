/* SPDX-License-Identifier: MIT */
/* What the files that make a part from a model share. */
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
	const struct ra_model *model; /* what belongs to the steps asked for; as the next, all */
	const struct ra_model *time;  /* what ran while these steps lasted */
	const struct ra_model *whole; /* the input */
	struct ra_select select;      /* has the first two, where steps are asked for */
	const struct ra_sum_build_options *options;
	struct ra_steps steps;            /* the chosen ones of the input */
	struct ra_launch_ranges launches; /* of model */
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_sum_texts texts;  /* the part's */
	struct ra_step_cost *costs; /* owned; by step, of a walk; NULL: not found yet */
};

/* The index of a text, which is kept if need be. */
uint32_t ra_sum_build_text(struct ra_sum_build_job *job, struct rlog_string text);

/* Rows of ranges or paths. */
void ra_sum_build_rows(struct ra_sum_build_job *job, enum ra_sum_table table,
                       const struct ra_metrics *metrics);

/* Gives rows of paths, which begin at `first`, their parents. */
void ra_sum_build_parents(struct ra_sum_part *part, size_t first, const struct ra_group *group);

/*
 * Steps that are told by a pattern are calls of one thing, as in other runs: its text is their
 * name.
 *
 * @slices: that may be some.
 */
void ra_sum_build_name_steps(struct ra_sum_build_job *job, const struct ra_slices *slices);

/* Kernels, copies, calls, devices, and what ran at once. */
void ra_sum_build_gpu(struct ra_sum_build_job *job);

/* Steps, facts and remarks. */
void ra_sum_build_facts(struct ra_sum_build_job *job);

#endif

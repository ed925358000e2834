/* SPDX-License-Identifier: MIT */
/* What the files that make a part from a model share. */
#ifndef RA_SUM_BUILD_H
#define RA_SUM_BUILD_H

#include "analyzer/figures/launch-ranges.h"
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
	struct ra_sum_texts texts; /* the part's */
};

/* The index of a text, which is kept if need be. */
uint32_t ra_sum_build_text(struct ra_sum_build_job *job, struct rlog_string text);

/* Kernels, copies, calls, devices, and what ran at once. */
void ra_sum_build_gpu(struct ra_sum_build_job *job);

/* Steps, facts and remarks. */
void ra_sum_build_facts(struct ra_sum_build_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/* What reports on steps have in common: the chosen steps, what each cost, and how GPUs were used.
 */
#ifndef RA_REPORT_STEPS_H
#define RA_REPORT_STEPS_H

#include "analyzer/figures/gpu/gpu-usage.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/steps.h"

struct ra_report_steps {
	const struct ra_model *model; /* that they are of */
	struct ra_steps steps;
	struct ra_step_cost *costs; /* owned; one per step */
	struct ra_step_cost mean;
};

/*
 * The steps of the input's model, as its settings choose them. They are found once and kept until
 * the input is asked for those of another model, or freed: never ask with a copy of an input.
 */
const struct ra_report_steps *ra_report_steps_find(struct ra_report_input *input);

/* Adds a figure, once, where only the names of ranges say that they are steps: which. */
void ra_report_steps_note_guess(struct ra_report_input *input, const struct ra_steps *steps);

/* Likewise, and where the first step begins later than its range, or is the longest but
 * counts by its range where steps are compared. */
void ra_report_steps_note(struct ra_report_input *input, const struct ra_report_steps *steps);

/* Appends these figures, a line each. */
void ra_report_steps_put_note(struct ra_util_text *text, const struct ra_report_input *input);

/* True if no range is a step: one stands for all there is. */
bool ra_report_steps_is_whole(struct ra_report_input *input);

/* A step's number; none where PyTorch's name of it ends in something else. */
struct ra_table_cell ra_report_steps_number(const struct ra_step *step);

/* How kernels used each GPU from the first step to the last. */
void ra_report_steps_usage(const struct ra_model *model, const struct ra_steps *steps,
                           struct ra_gpu_usages *usages);

/* True if the first one's total is the largest only because nothing before hides its launches:
 * compared with others it counts by its range. */
bool ra_report_steps_is_first_longest(const struct ra_steps *steps);

#endif

/* SPDX-License-Identifier: MIT */
/* Shared by reports on steps: the chosen steps, the cost of each, and how well GPUs were used. */
#ifndef RA_REPORT_STEPS_H
#define RA_REPORT_STEPS_H

#include "analyzer/figures/gpu/gpu-usage.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/steps.h"

struct ra_report_steps {
	const struct ra_model *model; /* the model they belong to */
	struct ra_steps steps;
	struct ra_step_cost *costs; /* owned; one per step */
	struct ra_step_cost mean;
};

/* Finds the steps of the input's model, as its settings choose them. They are kept until the
 * input is asked for another model's, or is freed: never ask with a copy of an input. */
const struct ra_report_steps *ra_report_steps_find(struct ra_report_input *input);

/* Adds a figure, once, that names the ranges taken as steps, if only their names say that they
 * are. */
void ra_report_steps_note_guess(struct ra_report_input *input, const struct ra_steps *steps);

/* The same. Adds a figure as well if the first step begins later than its range, or if it is the
 * longest step but counts by its range in comparisons. */
void ra_report_steps_note(struct ra_report_input *input, const struct ra_report_steps *steps);

/* Appends these figures, one a line. */
void ra_report_steps_put_note(struct ra_util_text *text, const struct ra_report_input *input);

/* True if no range is a step: then a single step stands for the whole capture. */
bool ra_report_steps_is_whole(struct ra_report_input *input);

/* Sets a step's number; none if PyTorch's name of it does not end in one. */
struct ra_table_cell ra_report_steps_number(const struct ra_step *step);

/* Finds how well kernels used each GPU from the first step to the last. */
void ra_report_steps_usage(const struct ra_model *model, const struct ra_steps *steps,
                           struct ra_gpu_usages *usages);

/* True if the first step's total is the largest only because no earlier step hides its launches:
 * compared with others, it counts by its range. */
bool ra_report_steps_is_first_longest(const struct ra_steps *steps);

#endif

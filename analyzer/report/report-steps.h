/* SPDX-License-Identifier: MIT */
/* Shares what reports on steps need: the chosen steps, the cost of each, and how well GPUs were
 * used. */
#ifndef RA_REPORT_STEPS_H
#define RA_REPORT_STEPS_H

#include "analyzer/figures/gpu/gpu-usage.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/steps.h"

struct ra_report_steps {
	const struct ra_model *model; /* the model that has these steps */
	struct ra_steps steps;
	struct ra_step_cost *costs; /* owned; by step */
	struct ra_step_cost mean;
};

/* Finds the steps of the input's model, as its settings choose them. They are kept until this is
 * called for another model, or the input is freed. Never call it with a copy of an input. */
const struct ra_report_steps *ra_report_steps_find(struct ra_report_input *input);

/* If only the names of ranges tell that they are steps, adds once a figure that names these
 * ranges. */
void ra_report_steps_note_guess(struct ra_report_input *input, const struct ra_steps *steps);

/* Does that, too. Also adds a figure if the first step begins later than its range, or if it is the
 * longest step but its range is used for comparisons. */
void ra_report_steps_note(struct ra_report_input *input, const struct ra_report_steps *steps);

/* Appends these figures, one in each line. */
void ra_report_steps_put_note(struct ra_util_text *text, const struct ra_report_input *input);

/* True if no range is a step. Then a single step contains the whole capture. */
bool ra_report_steps_is_whole(struct ra_report_input *input);

/* The cell with a step's number. It is empty if PyTorch's name of the step does not end in a
 * number. */
struct ra_table_cell ra_report_steps_number(const struct ra_step *step);

/* Finds how well kernels used each GPU from the first step to the last. */
void ra_report_steps_usage(const struct ra_model *model, const struct ra_steps *steps,
                           struct ra_gpu_usages *usages);

/* True if the first step's total is the largest only because no earlier step hides its launches.
 * Then its range is used to compare it with other steps. */
bool ra_report_steps_is_first_longest(const struct ra_steps *steps);

#endif

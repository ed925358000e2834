/* SPDX-License-Identifier: MIT */
/* Reports on steps: overview, step-average, step-overlap, gpu, operators, advice, comm. */
#ifndef RA_REPORT_STEPS_H
#define RA_REPORT_STEPS_H

#include "analyzer/figures/gpu/gpu-usage.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/steps.h"

extern const struct ra_report ra_report_overview;
extern const struct ra_report ra_report_step_average;
extern const struct ra_report ra_report_step_overlap;
extern const struct ra_report ra_report_gpu;
extern const struct ra_report ra_report_operators;
extern const struct ra_report ra_report_modules;
extern const struct ra_report ra_report_advice;
extern const struct ra_report ra_report_comm;

struct ra_report_steps {
	struct ra_steps steps;
	struct ra_step_cost *costs; /* owned; one per step */
	struct ra_step_cost mean;
};

/* Return: 0, -RLOG_E_NO_MEMORY; fini in any case. */
int ra_report_steps_init(struct ra_report_steps *steps, const struct ra_report_input *input);
void ra_report_steps_fini(struct ra_report_steps *steps);

/* How kernels used each GPU from the first step to the last. Return: 0, -RLOG_E_NO_MEMORY; fini in
 * any case. */
int ra_report_steps_usage(const struct ra_model *model, const struct ra_steps *steps,
                          struct ra_gpu_usages *usages);

#endif

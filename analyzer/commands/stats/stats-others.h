/* SPDX-License-Identifier: MIT */
/* How one chosen step differs from the others. */
#ifndef RA_CMD_STATS_OTHERS_H
#define RA_CMD_STATS_OTHERS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/model/model.h"
#include "analyzer/report/settings.h"
#include "analyzer/steps/step-costs.h"
#include "analyzer/steps/steps.h"

/* Where a step's time went, and the median of the other steps for each part. */
struct ra_cmd_others {
	char name[24];  /* of the step … */
	int64_t number; /* … and as a number */
	size_t count;
	int64_t range_ns; /* if the step is the first and its range is shorter: that; else 0 */
	bool lacks_first; /* it would show the host's lead, not the step's work */
	double own_ns[RA_ROLES];
	double median_ns[RA_ROLES];
};

/* Return: false unless settings->steps chooses one step among others. */
bool ra_cmd_others_find(struct ra_cmd_others *others, const struct ra_model *model,
                        const struct ra_settings *settings);

/* The median of the steps' totals, with which single steps are compared: all but a first one
 * that fills the GPU's queue (ra_steps_is_filling()). There must be one. */
int64_t ra_cmd_others_median(const struct ra_steps *steps);

/* Appends "step 9 takes 182.172ms, the median of the other 4 (without the first) 173.858ms:
 * DataLoader +6.799ms", without a newline. */
void ra_cmd_others_put(struct ra_util_text *text, const struct ra_cmd_others *others);

#endif

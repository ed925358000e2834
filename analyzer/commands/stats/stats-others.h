/* SPDX-License-Identifier: MIT */
/* How one chosen step differs from the others. */
#ifndef RA_CMD_STATS_OTHERS_H
#define RA_CMD_STATS_OTHERS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/model/model.h"
#include "analyzer/report/settings.h"
#include "analyzer/steps/step-costs.h"
#include "analyzer/steps/steps.h"

/* Where a step's time went, and of the others the median, part by part. */
struct ra_cmd_others {
	char name[24];  /* of the step … */
	int64_t number; /* … and as a number */
	size_t count;
	int64_t range_ns; /* of the first step, where it is the one and its range is shorter; else 0
	                   */
	bool lacks_first; /* it would tell of the host's lead, not of its work */
	double own_ns[RA_ROLES];
	double median_ns[RA_ROLES];
};

/* Return: false unless settings->steps chooses one step among others. */
bool ra_cmd_others_find(struct ra_cmd_others *others, const struct ra_model *model,
                        const struct ra_settings *settings);

/* The middle one of the steps' totals, with which single ones are compared: of all but a first one
 * that fills the GPU's queue (ra_steps_is_filling()). There must be one. */
int64_t ra_cmd_others_median(const struct ra_steps *steps);

/* Appends "step 9 takes 182.172ms, the median of the other 4 (without the first) 173.858ms:
 * DataLoader +6.799ms", without a newline. */
void ra_cmd_others_put(struct ra_util_text *text, const struct ra_cmd_others *others);

#endif

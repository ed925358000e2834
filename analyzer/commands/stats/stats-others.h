/* SPDX-License-Identifier: MIT */
/* How one chosen step differs from the others. */
#ifndef RA_CMD_STATS_OTHERS_H
#define RA_CMD_STATS_OTHERS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/model/model.h"
#include "analyzer/report/settings.h"
#include "analyzer/steps/step-costs.h"
#include "analyzer/steps/step-ranges.h"
#include "analyzer/steps/steps.h"

/* A line names at most this many parts. */
#define RA_CMD_OTHERS_PARTS 3

/* The parts of a step's time, and the median of the other steps for each part. */
struct ra_cmd_others {
	char name[24];  /* of the step … */
	int64_t number; /* … and as a number */
	size_t count;
	int64_t range_ns; /* the range's duration, if the step is the first and its range is
	                     shorter; else 0 */
	bool lacks_parts; /* the parts of the others are not known: they were not read */
	bool lacks_first; /* it would show the host's lead, not the step's work */
	double own_ns[RA_ROLES];
	double median_ns[RA_ROLES];
	size_t index;                        /* of the step among all */
	struct ra_step_ranges own_ranges;    /* the step's parts by the ranges' durations … */
	struct ra_step_ranges median_ranges; /* … and the median of each */
	char slow_name[24]; /* if the step is the slowest, but by its range another one: that … */
	int64_t slow_ns;    /* … and the duration of its range; else 0 */
};

/* Return: false unless settings->steps chooses one step among others. */
bool ra_cmd_others_find(struct ra_cmd_others *others, const struct ra_model *model,
                        const struct ra_settings *settings);

/* Returns the median of the steps' totals, with which single steps are compared. It leaves out a
 * first step that fills the GPU's queue (ra_steps_is_filling()). There must be another step. */
int64_t ra_cmd_others_median(const struct ra_steps *steps);

/* Appends "step 9 takes 182.172ms, the median of the other 4 (without the first) 173.858ms:
 * DataLoader +6.799ms", without a newline. */
void ra_cmd_others_put(struct ra_util_text *text, const struct ra_cmd_others *others);

/*
 * Appends a sentence, and a blank after it, for each part named above that grew only because less
 * of it is hidden behind GPU work: its ranges took no longer, by their durations. Then, if by its
 * range another step is the slowest, which.
 */
void ra_cmd_others_put_hidden(struct ra_util_text *text, const struct ra_cmd_others *others);

/* Appends "a step is measured from … to …; by its range the slowest is 8, of 181.259ms". */
void ra_cmd_others_put_slow(struct ra_util_text *text, struct rlog_string name, int64_t range_ns);

/*
 * The step whose range is the longest, if it is not `slowest`; else `slowest`. Its range must be
 * over 1 % longer than the range of `slowest` and than that of the median step.
 */
size_t ra_cmd_others_find_slow(const struct ra_steps *steps, size_t slowest);

/* The part that the line of ra_cmd_others_put() names next; RA_ROLES: none. @is_told: by role. */
size_t ra_cmd_others_next(const struct ra_cmd_others *others, bool *is_told);

#endif

/* SPDX-License-Identifier: MIT */
/* Says how one chosen step differs from the others. */
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
	char name[24];  /* name of the step … */
	int64_t number; /* … and its name as a number */
	size_t count;
	int64_t range_ns; /* if the step is the first and its range is shorter than the step: the
	                     range's duration; else 0 */
	bool lacks_parts; /* the others' parts are not known, because their ranges were not read */
	bool lacks_first; /* the first step is left out, because it would show the host's lead
	                     instead of its work */
	double own_ns[RA_ROLES];
	double median_ns[RA_ROLES];
	size_t index;                        /* index of the step among all steps */
	struct ra_step_ranges own_ranges;    /* the durations of the step's ranges by part … */
	struct ra_step_ranges median_ranges; /* … and the medians of the other steps */
	char slow_name[24]; /* if the step is the slowest, but another step's range is longer: that
	                       step … */
	int64_t slow_ns;    /* … and the duration of its range; else 0 */
};

/* Compares a step with the others. Return: false unless settings->steps chooses one step of
 * several. */
bool ra_cmd_others_find(struct ra_cmd_others *others, const struct ra_model *model,
                        const struct ra_settings *settings);

/* Returns the median of the steps' totals, with which single steps are compared. A first step that
 * fills the GPU's queue (ra_steps_is_filling()) is left out if there is another step. */
int64_t ra_cmd_others_median(const struct ra_steps *steps);

/* Appends "step 9 takes 182.172ms, the median of the other 4 (without the first) 173.858ms:
 * DataLoader +6.799ms", without a newline. */
void ra_cmd_others_put(struct ra_util_text *text, const struct ra_cmd_others *others);

/*
 * Appends a sentence and a blank for each part named by ra_cmd_others_put() that grew although its
 * ranges took no longer, because GPU work hides less of them. Then, if another step has the longest
 * range, says which.
 */
void ra_cmd_others_put_hidden(struct ra_util_text *text, const struct ra_cmd_others *others);

/* Appends "a step is measured from … to …; by its range the slowest is 8, of 181.259ms". */
void ra_cmd_others_put_slow(struct ra_util_text *text, struct rlog_string name, int64_t range_ns);

/*
 * Finds a step whose range is longer than that of `slowest`. Return: the step with the longest
 * range, if that is over 1 % longer than the range of `slowest` and than the median step; else
 * `slowest`.
 */
size_t ra_cmd_others_find_slow(const struct ra_steps *steps, size_t slowest);

/* Finds the part that ra_cmd_others_put() names next; RA_ROLES: none. @is_told: for each role,
 * whether it was named; updated. */
size_t ra_cmd_others_next(const struct ra_cmd_others *others, bool *is_told);

#endif

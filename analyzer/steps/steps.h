/* SPDX-License-Identifier: MIT */
/* Finds the steps of a program: where they begin and end, in ns. */
#ifndef RA_STEPS_H
#define RA_STEPS_H

#include "analyzer/model/model.h"
#include "analyzer/steps/step-costs.h"

struct ra_steps_options {
	/* NAME[@DOMAIN]: ranges with this name are the steps; NULL: ranges that are marked as
	 * steps, or if there are none, ranges with a common name for steps */
	const char *range;
	/* "5" or "5-9": only the steps with these names, which are chosen after all are found;
	 * NULL: all */
	const char *only;
};

/* When a step was open on the CPU: the time of its range. */
struct ra_steps_host {
	int64_t start_ns;
	int64_t end_ns; /* the first ns after it */
};

struct ra_steps {
	struct ra_step_times times; /* has the steps, but no roles, which step-roles.h fills; has no
	                               steps only if the input has neither ranges nor GPU work */
	/* owned; by slice: it is a step, even if `only` left it out; all 0 if the model is a
	 * part (model-part.h) */
	uint8_t *is_step;
	char *names;                 /* owned: texts of the numbers of steps */
	struct ra_steps_host *hosts; /* owned; by step */
	/* owned; the pattern, if steps were found only by a common name; otherwise NULL */
	char *guess;
	size_t all_count; /* number of steps before `only` was applied */
	bool is_whole;    /* there are no steps: one step "0" covers everything */
	bool has_first;   /* the first of all steps is one of these: `only` did not leave it out */
	/* About GPU work that was launched before all steps and was still running when the first
	 * step's range began: the number of operations, and how much they delay the begin of the
	 * step. 0 if `only` leaves that step out. */
	uint64_t left_over_ops;
	int64_t left_over_ns;
};

/* Finds the steps, and stretches each to the end of the GPU work launched in it
 * (doc/metrics.md). */
void ra_steps_init(struct ra_steps *steps, const struct ra_model *model,
                   const struct ra_steps_options *options);
void ra_steps_fini(struct ra_steps *steps);

/* The index of the step whose range on the CPU contains a time; step_count: none. O(log n). */
size_t ra_steps_find(const struct ra_steps *steps, int64_t time_ns);

/*
 * True for every thread range that ra_steps_init() may take as a step. A model with only these
 * ranges, in their order, gives the same steps as the whole model. If there are no such ranges, the
 * model must have one range in no track that lasts from the first range to the last:
 * ra_steps_init() makes one step of it.
 */
bool ra_steps_may_be(const struct ra_steps_options *options, struct rlog_string name,
                     struct rlog_string domain);

/* Returns how many numbers a value of --steps names; 0: it has no upper end. */
uint64_t ra_steps_count_only(const char *only);

/* Checks options->only. Return: NULL; or a text that tells what was expected. */
const char *ra_steps_check_only(const char *only);

/* True if options->only names a step that exists. */
bool ra_steps_has_any(const struct ra_steps *steps, const char *only);

/* True if options->only names a step with this name. */
bool ra_steps_is_chosen(struct rlog_string name, const char *only);

/*
 * True for the first of all steps, if the host's lead over the GPU grows in it by more than it was
 * when the range began. The growth is the step's total minus its range; the lead at the begin is
 * the work launched before. No other step's total includes such a growth.
 */
bool ra_steps_is_filling(const struct ra_steps *steps, size_t index);

/*
 * The duration of a step for comparisons, from the end of the previous step's GPU work to the end
 * of its own. For a step with ra_steps_is_filling(), it is the duration of the range.
 */
int64_t ra_steps_length(const struct ra_steps *steps, size_t index);

/* The index of the longest step; of equally long steps the first. There must be a step. */
size_t ra_steps_longest(const struct ra_steps *steps);

/* The index of the step with the longest range, whatever its GPU work; of equal ones the first.
 * There must be a step. */
size_t ra_steps_longest_range(const struct ra_steps *steps);

/* True if a time is in one of the steps. O(log n). */
bool ra_steps_holds(const struct ra_steps *steps, int64_t time_ns);

/* True if a step was open on the CPU at that time. O(log n). */
bool ra_steps_is_open(const struct ra_steps *steps, int64_t time_ns);

#endif

/* SPDX-License-Identifier: MIT */
/* The steps of a program: where they begin and end, in ns. */
#ifndef RA_STEPS_H
#define RA_STEPS_H

#include "analyzer/model/model.h"
#include "analyzer/steps/step-costs.h"

struct ra_steps_options {
	const char *range; /* NAME[@DOMAIN]: its ranges are the steps; NULL: ranges that are marked
	                      as steps, else those with a common name for steps */
	const char *only;  /* "5" or "5-9": only the steps of these names, chosen at the end; NULL:
	                      all */
};

/* The time in which a step was open on the CPU: its range. */
struct ra_steps_host {
	int64_t start_ns;
	int64_t end_ns; /* exclusive */
};

struct ra_steps {
	struct ra_step_times times;  /* empty only if the input has neither ranges nor GPU work;
	                                without roles: step-roles.h */
	uint8_t *is_step;            /* owned; by slice: it is a step, even if `only` left it out; 0
	                                for all if the model is a part (model-part.h) */
	char *names;                 /* owned: texts of the numbers of steps */
	struct ra_steps_host *hosts; /* owned: of each step */
	char *guess; /* owned; the pattern, if steps were found only by a common name; else NULL */
	size_t all_count; /* steps before `only` was applied */
	bool is_whole;    /* there are no steps: one step "0" covers everything */
	bool has_first;   /* the first of all steps is among them: `only` did not leave it out */
	/* For GPU work that was launched before all steps and still ran when the first step's range
	 * began: its amount, and by how much it delays the step's begin. 0 if `only` leaves that
	 * step out. */
	uint64_t left_over_ops;
	int64_t left_over_ns;
};

/* Finds the steps, and stretches each to the end of the GPU work launched in it
 * (doc/metrics.md). */
void ra_steps_init(struct ra_steps *steps, const struct ra_model *model,
                   const struct ra_steps_options *options);
void ra_steps_fini(struct ra_steps *steps);

/* The step whose range on the CPU contains a time; step_count: none. O(log n). */
size_t ra_steps_find(const struct ra_steps *steps, int64_t time_ns);

/*
 * True for every thread range that ra_steps_init() may take as a step. A model with only these
 * ranges, in their order, gives the same steps as the whole model. If there are no such ranges, add
 * one range in no track that lasts from the first range to the last: ra_steps_init() takes it as
 * the whole.
 */
bool ra_steps_may_be(const struct ra_steps_options *options, struct rlog_string name,
                     struct rlog_string domain);

/* Returns how many numbers a value of --steps names; 0 if it is open-ended. */
uint64_t ra_steps_count_only(const char *only);

/* Checks options->only. Return: NULL, or what was expected. */
const char *ra_steps_check_only(const char *only);

/* True if options->only names a step that exists. */
bool ra_steps_has_any(const struct ra_steps *steps, const char *only);

/* True if options->only names a step with this name. */
bool ra_steps_is_chosen(struct rlog_string name, const char *only);

/*
 * True for the first of all steps if the host gains more lead over the GPU in it (the step's total
 * less its range) than it had when the range began (work launched before). Only this step's total
 * includes such a gain.
 */
bool ra_steps_is_filling(const struct ra_steps *steps, size_t index);

/*
 * Returns the length of a step for comparisons. It lasts from the end of the last step's GPU work
 * to the end of its own. Of a step that is filling only the range counts.
 */
int64_t ra_steps_length(const struct ra_steps *steps, size_t index);

/* The longest step; of equal ones the first. There must be a step. */
size_t ra_steps_longest(const struct ra_steps *steps);

/* The step whose range is longest, without regard to its GPU work; of equal ones the first. There
 * must be a step. */
size_t ra_steps_longest_range(const struct ra_steps *steps);

/* True if a time is in one of the steps. O(log n). */
bool ra_steps_holds(const struct ra_steps *steps, int64_t time_ns);

/* True if a step was open on the CPU at that time. O(log n). */
bool ra_steps_is_open(const struct ra_steps *steps, int64_t time_ns);

#endif

/* SPDX-License-Identifier: MIT */
/* The steps of a program: where they begin and end, in ns. */
#ifndef RA_STEPS_H
#define RA_STEPS_H

#include "analyzer/model/model.h"
#include "analyzer/steps/step-costs.h"

struct ra_steps_options {
	const char *range; /* NAME[@DOMAIN]: its ranges are the steps; NULL: what says that it is
	                      one, else what has a name that people give to steps */
	const char *only; /* "5" or "5-9": steps of these names, chosen after all else; NULL: all */
};

/* When a step was open on the CPU: its range. */
struct ra_steps_host {
	int64_t start_ns;
	int64_t end_ns; /* exclusive */
};

struct ra_steps {
	struct ra_step_times times; /* empty only if the input has neither ranges nor GPU work;
	                               without roles: step-roles.h */
	uint8_t *is_step; /* owned; by slice: it is a step, also one that `only` left out */
	char *names;      /* owned: texts of the steps' numbers */
	struct ra_steps_host *hosts; /* owned: of each step */
	char *guess;      /* owned; the pattern of steps of which only the name says so; NULL */
	size_t all_count; /* steps before `only` */
	bool is_whole;    /* nothing is a step: one step "0" covers all */
	bool has_first;   /* the first of all is among them: `only` did not leave it out */
	/* GPU work launched before all steps that was going on when the first one's range began,
	 * and how much later than that the step begins: 0 also where `only` leaves that step out.
	 */
	uint64_t left_over_ops;
	int64_t left_over_ns;
};

/* Finds the steps and stretches them to the end of the GPU work launched in them (doc/metrics.md).
 */
void ra_steps_init(struct ra_steps *steps, const struct ra_model *model,
                   const struct ra_steps_options *options);
void ra_steps_fini(struct ra_steps *steps);

/*
 * True of all ranges of threads that ra_steps_init() may take for steps: with these alone, in their
 * order, it finds what it finds with all. Without any, a range in no track that begins with the
 * first and ends with the last is the whole to it.
 */
bool ra_steps_may_be(const struct ra_steps_options *options, struct rlog_string name,
                     struct rlog_string domain);

/* How many numbers a text of --steps names; 0 if it has no end. */
uint64_t ra_steps_count_only(const char *only);

/* Return: NULL, or what was expected of the text of options->only. */
const char *ra_steps_check_only(const char *only);

/* True if one of the steps has a number that the text of options->only names. */
bool ra_steps_has_any(const struct ra_steps *steps, const char *only);

/* True if a step's name is a number that the text of options->only names. */
bool ra_steps_is_chosen(struct rlog_string name, const char *only);

/*
 * True of the first of all steps if the host gains more lead over the GPU in it (what its total has
 * beyond its range) than it had as the range began (work from before it). No other step's total has
 * that.
 */
bool ra_steps_is_filling(const struct ra_steps *steps, size_t index);

/*
 * How long a step is when steps are compared: from its begin to its end, so from the end of the GPU
 * work of the step before to the end of its own; of one that is filling only its range.
 */
int64_t ra_steps_length(const struct ra_steps *steps, size_t index);

/* The step with the largest length, of equal ones the first. There must be one. */
size_t ra_steps_longest(const struct ra_steps *steps);

/* True if a time lies in one of the steps. O(log n). */
bool ra_steps_holds(const struct ra_steps *steps, int64_t time_ns);

/* True if a step was open on the CPU at that time. O(log n). */
bool ra_steps_is_open(const struct ra_steps *steps, int64_t time_ns);

/* A kernel of NCCL or RCCL, by its name. */
bool ra_steps_is_collective(const struct ra_model *model, const struct ra_gpu_op *op);

#endif

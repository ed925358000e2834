/* SPDX-License-Identifier: MIT */
/* Rules for figures of summaries: a file of lines such as "step.p99 < 20ms", "step.p99 < main.sum *
 * 1.05" or "range[a].mean < range[b].mean". */
#ifndef RA_CHECK_RULES_H
#define RA_CHECK_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "format/error.h"

enum ra_check_subject {
	RA_CHECK_STEP,
	RA_CHECK_GPU,
	RA_CHECK_INPUT, /* figures without a subject: lost, events, inputs, incomplete */
	RA_CHECK_RANGE,
	RA_CHECK_KERNEL,
	RA_CHECK_COLLECTIVE,
	RA_CHECK_MEMCPY,
	RA_CHECK_API,
	RA_CHECK_GPU_POWER, /* values of NVML */
	RA_CHECK_GPU_UTIL,
	RA_CHECK_GPU_TEMPERATURE,
	RA_CHECK_GPU_MEMORY,
};

/* check-rules.c lists which figures each subject has. */
enum ra_check_figure {
	RA_CHECK_CALLS, /* for steps: their number */
	RA_CHECK_TOTAL,
	RA_CHECK_MEAN,
	RA_CHECK_MIN,
	RA_CHECK_MAX,
	RA_CHECK_P50,
	RA_CHECK_P90,
	RA_CHECK_P99,
	RA_CHECK_IMBALANCE,
	RA_CHECK_SELF,
	RA_CHECK_CUDA,
	RA_CHECK_ENERGY, /* for steps: a part of the mean step */
	RA_CHECK_BYTES,
	RA_CHECK_ERRORS,
	RA_CHECK_BUSY,
	RA_CHECK_IDLE,
	RA_CHECK_EXPOSED,
	RA_CHECK_LOST,
	RA_CHECK_EVENTS,
	RA_CHECK_INPUTS,
	RA_CHECK_INCOMPLETE,
	RA_CHECK_KERNEL_TIME, /* the parts of a step, in the order of enum ra_role */
	RA_CHECK_OTHER_TIME = RA_CHECK_KERNEL_TIME + 7,
};

enum ra_check_unit {
	RA_CHECK_TIME,  /* ns */
	RA_CHECK_SHARE, /* 1 is the whole */
	RA_CHECK_NUMBER,
	RA_CHECK_POWER, /* W */
	RA_CHECK_JOULES,
};

/* A figure of a subject: "range[sort].p50". */
struct ra_check_term {
	enum ra_check_subject subject;
	char *name; /* owned; NULL: the subject as a whole. * stands for any text */
	enum ra_check_figure figure;
	enum ra_check_unit unit; /* unit of the figure */
};

/* The value that a figure is compared with. */
enum ra_check_against {
	RA_CHECK_LIMIT,    /* with a number */
	RA_CHECK_BASELINE, /* with a multiple of the same figure of other inputs */
	RA_CHECK_OTHER,    /* with a multiple of another figure of the same inputs */
};

struct ra_check_rule {
	char *text; /* owned; the rule as in the file, without spaces around it */
	struct ra_check_term left;
	char order; /* one of < > = !; or_equal: equal values hold, too */
	bool or_equal;
	enum ra_check_against against;
	bool or_none;               /* the rule also holds if a figure is missing */
	double limit;               /* in the figure's unit; or the factor of the other figure */
	size_t baseline;            /* index into baselines of struct ra_check_rules */
	struct ra_check_term other; /* the other figure, of the same unit */
};

/* Zero-initialise. */
struct ra_check_rules {
	struct ra_check_rule *rows; /* owned */
	size_t count;
	size_t capacity;
	char **baselines; /* owned, with the names: the files of baselines, each only once */
	size_t baseline_count;
	size_t baseline_capacity;
};

/*
 * Appends the rules of a file: one a line, # begins a comment.
 *
 * Return: 0; -RLOG_E_SYSTEM; -RLOG_E_ARGUMENT with a message that names the line. Call fini in any
 * case.
 */
int ra_check_rules_read(struct ra_check_rules *rules, const char *path, struct rlog_error *err);

/* Appends one rule. Return: 0; -RLOG_E_ARGUMENT with a message that names the rule. Call fini in
 * any case. */
int ra_check_rules_add(struct ra_check_rules *rules, const char *text, struct rlog_error *err);
void ra_check_rules_fini(struct ra_check_rules *rules);

#endif

/* SPDX-License-Identifier: MIT */
/* The report "advice": its rules, what they found, and how that becomes rows. */
#ifndef RA_ADVICE_H
#define RA_ADVICE_H

#include "analyzer/report/report-steps.h"
#include "analyzer/base/util-map.h"

enum ra_advice_column {
	RA_ADVICE_RULE,
	RA_ADVICE_VALUE,
	RA_ADVICE_THRESHOLD,
	RA_ADVICE_UNIT,
	RA_ADVICE_DEVICE,
	RA_ADVICE_TID,
	RA_ADVICE_COUNT,
	RA_ADVICE_TOTAL,
	RA_ADVICE_START,
	RA_ADVICE_LONGEST,
	RA_ADVICE_EVIDENCE,
	RA_ADVICE_TEXT,
	RA_ADVICE_COLUMNS,
};

/* What the rules look at. */
struct ra_advice {
	struct ra_report_input *input;
	const struct ra_model *model;
	const struct ra_report_steps *steps;
	const struct ra_gpu_usages *usages;
	struct ra_table *table;
	int64_t start_ns; /* of the first step */
	int64_t end_ns;   /* of the last */
};

/* A time in doubles as a number of ns, whatever a file made of it. */
static inline int64_t ra_advice_ns(double ns)
{
	return ns > 9e18 ? INT64_C(9000000000000000000) : ns < 0 ? 0 : (int64_t) ns;
}

/* Something that a rule is about. */
struct ra_advice_event {
	int64_t start_ns;
	int64_t dur_ns;
	struct rlog_string
		name;   /* lives until the evidence is told; names with one address are one */
	uint32_t track; /* of its thread; RA_NONE: none */
	int64_t device; /* -1: none */
};

struct ra_advice_name;

/* Zero-initialise; fini in any case. */
struct ra_advice_evidence {
	uint64_t count;
	int64_t total_ns;
	struct ra_advice_event longest; /* the first of those */
	struct ra_advice_name *names;   /* owned */
	size_t name_count;
	size_t name_capacity;
	struct ra_util_map index; /* address of a name → names */
};

/* Adds what began between the first step and the last. Return: 0, -RLOG_E_NO_MEMORY. */
int ra_advice_note(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                   const struct ra_advice_event *event);
void ra_advice_evidence_fini(struct ra_advice_evidence *evidence);

/* The part of the steps' window that a duration is. */
double ra_advice_share(const struct ra_advice *advice, int64_t dur_ns);

/* A rule: its name, what it measured, from where on it holds, and what to do. */
struct ra_advice_rule {
	const char *name;
	double value;     /* NaN: nothing is measured */
	double threshold; /* NaN: it holds for anything */
	const char *unit; /* of both, a fraction "of window"; NULL: none */
	const char *text;
};

/*
 * Adds the row of a rule that holds.
 *
 * @evidence: may be NULL.
 * @words: what is told of it; NULL: the names of the evidence and how often each was there.
 * Return: 0, -RLOG_E_NO_MEMORY.
 */
int ra_advice_add(const struct ra_advice *advice, const struct ra_advice_rule *rule,
                  const struct ra_advice_evidence *evidence, const struct ra_util_text *words);

/* A GPU operation as an event, and the name that reports have for it. Return: 0,
 * -RLOG_E_NO_MEMORY. */
int ra_advice_read_op(const struct ra_advice *advice, const struct ra_gpu_op *op,
                      struct ra_advice_event *event);

/* Adds all ranges whose name is one that `is_it` knows. Return: 0, -RLOG_E_NO_MEMORY. */
int ra_advice_note_ranges(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                          bool (*is_it)(struct rlog_string name));

/* The rules of PyTorch's TensorBoard plugin. Return: 0, -RLOG_E_NO_MEMORY, as all here. */
int ra_advice_plugin_apply(const struct ra_advice *advice);
/* One of them: a device's memory was nearly full. */
int ra_advice_memory_apply(const struct ra_advice *advice);
/* The rules of Nsight Systems: copies, sets, waits, … */
int ra_advice_calls_apply(const struct ra_advice *advice);
/* … and times in which devices did little. */
int ra_advice_idle_apply(const struct ra_advice *advice);

#endif

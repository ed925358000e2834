/* SPDX-License-Identifier: MIT */
/* The words of comparisons. */
#ifndef RA_DIFF_WORDS_H
#define RA_DIFF_WORDS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/* The name of a part of a step, as in the TensorBoard plugin. */
const char *ra_diff_words_role(size_t role);

/* The kind of a row: "range", "kernel", "collective", "memcpy", "api". */
const char *ra_diff_words_kind(const struct ra_diff_row *row);

/* Appends the units that a side's means are over: "6 steps", "1 input". */
void ra_diff_words_put_units(struct ra_util_text *text, const struct ra_diff *diff, size_t side);

/* "slower" and so on, for counts "more" and "fewer"; "" if there is nothing to say. */
const char *ra_diff_words_of_verdict(const struct ra_diff *diff, enum ra_diff_verdict verdict);

/* Returns the verdict's word as a cell, without a value if there is nothing to say. */
struct ra_table_cell ra_diff_words_verdict(const struct ra_diff *diff,
                                           enum ra_diff_verdict verdict);

/* What is compared in place of times: "instructions"; NULL: times. */
const char *ra_diff_words_by(const struct ra_diff *diff);

/* Appends a time, or the count compared in its place. */
void ra_diff_words_put_amount(struct ra_util_text *text, const struct ra_diff *diff,
                              int64_t amount);

/* Appends "2 slower beyond noise, 5 % and 10.000us", "2 rows and 1 part slower ..." if parts of a
 * step are slower, too. */
void ra_diff_words_put_limits(struct ra_util_text *text, const struct ra_diff *diff,
                              const struct ra_diff_limits *limits);

/*
 * Columns for users: the change that the verdict rests on, the verdict, the method; then the change
 * of the time of all calls, which includes outliers and the part that all rows share. Only programs
 * get the last change as a part of the time before: users get one percentage, that of the verdict.
 *
 * @usual: the thing whose change that percentage is, if the cell does not say "total".
 * @whole: the quantity whose change the last columns have: "Total" of calls, "Mean" of steps.
 */
#define RA_DIFF_WORDS_COLUMNS(kind, unit, usual, whole)         \
	{ "interval", usual ", 95 %", RA_TABLE_TEXT, NULL },    \
		{ "verdict", "Verdict", RA_TABLE_TEXT, NULL },  \
		{ "by", "By", RA_TABLE_TEXT, NULL },            \
		{ "change" unit, whole " change", kind, NULL }, \
	{                                                       \
		"change_part", "Total %", RA_TABLE_PART, NULL   \
	}

/* The place of each, from the first. */
enum ra_diff_words_column {
	RA_DIFF_WORDS_INTERVAL,
	RA_DIFF_WORDS_VERDICT,
	RA_DIFF_WORDS_BY,
	RA_DIFF_WORDS_TOTAL,
	RA_DIFF_WORDS_TOTAL_PART,
	RA_DIFF_WORDS_COLUMN_COUNT,
};

/* Columns for machines with the basis of a verdict. */
#define RA_DIFF_WORDS_FACT_COLUMNS                                      \
	{ "estimate_part", "Estimate", RA_TABLE_PART, NULL },           \
		{ "low_part", "Low", RA_TABLE_PART, NULL },             \
		{ "high_part", "High", RA_TABLE_PART, NULL },           \
		{ "chance", "Chance", RA_TABLE_REAL, NULL },            \
		{ "method", "Method", RA_TABLE_TEXT, NULL },            \
		{ "runs_before", "Runs before", RA_TABLE_COUNT, NULL }, \
		{ "runs_after", "Runs after", RA_TABLE_COUNT, NULL },   \
		{ "more_runs", "More runs", RA_TABLE_COUNT, NULL },     \
	{                                                               \
		"doubt", "Doubt", RA_TABLE_TEXT, NULL                   \
	}
#define RA_DIFF_WORDS_FACTS 9u

/* The time of all calls of a row, or a part of a step, and its verdict. */
struct ra_diff_words_of {
	const struct ra_diff *diff;
	const int64_t *total_ns; /* before and after */
	enum ra_diff_verdict verdict;
	const struct ra_diff_evidence *evidence;
};

/* Fills the columns for machines; `cells` is the first of them. */
void ra_diff_words_fill_facts(const struct ra_diff_evidence *evidence, struct ra_table_cell *cells);

/* Appends "+3.1 to +5.2 %". */
void ra_diff_words_put_interval(struct ra_util_text *text, const struct ra_diff_evidence *evidence);

/* The change for people. For a usual call or step: the estimate with its interval, "+5.1 % (+3.1
 * to +7.0)". For totals, or without an interval: that of all calls together, "total -34.6 %". */
struct ra_table_cell ra_diff_words_change(struct ra_table *table,
                                          const struct ra_diff_words_of *of);

/* The verdict for people: "equal ±1.3 %", "unsure: chance 7.1 %, 6 runs more", "faster (total
 * longer)"; if a side lacks events, "slower (incomplete)". */
struct ra_table_cell ra_diff_words_explain(struct ra_table *table,
                                           const struct ra_diff_words_of *of);

/* True if the time of all calls moved the other way than a verdict says. */
bool ra_diff_words_is_opposed(const struct ra_diff_words_of *of);

/* Appends a line on changes and totals that differ by more than their intervals, without a
 * newline. Return: true if there is something to say. */
bool ra_diff_words_put_totals(struct ra_util_text *text, const struct ra_diff *diff);

/* Appends a line for each thing that the sides lack. @names: the prefix of each side's lines. */
void ra_diff_words_put_lacks(struct ra_util_text *text, const struct ra_diff *diff,
                             const char *const names[2]);

/* The word for a method: "pairs", "calls", "totals", "buckets". */
const char *ra_diff_words_method(enum ra_diff_method method);

/* Returns what ran on a machine: "ranges", "GPU work"; for RA_DIFF_COMMON_CPU and _GPU. */
const char *ra_diff_words_machine(size_t common);

/* "none", "out", "open", "change", "unlike". */
const char *ra_diff_words_share(enum ra_diff_share share);

/* True if people are told what rows share. */
bool ra_diff_words_has_drift(const struct ra_diff_common *common);

/* Appends what rows of a machine share, without a newline. @side: "the second side". */
void ra_diff_words_put_common(struct ra_util_text *text, const struct ra_diff *diff, size_t machine,
                              const char *side);

/* Appends a line for each machine from `first` on, on which all rows changed together, without a
 * newline. Return: true if there is something to say. */
bool ra_diff_words_put_drift(struct ra_util_text *text, const struct ra_diff *diff, size_t first,
                             const char *side);

#endif

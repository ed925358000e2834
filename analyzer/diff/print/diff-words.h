/* SPDX-License-Identifier: MIT */
/* Writes the words of comparisons. */
#ifndef RA_DIFF_WORDS_H
#define RA_DIFF_WORDS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/* Returns the name of a part of a step, as in the TensorBoard plugin. */
const char *ra_diff_words_role(size_t role);

/* Returns the kind of a row: "range", "kernel", "collective", "memcpy", "api". */
const char *ra_diff_words_kind(const struct ra_diff_row *row);

/* Appends the units over which a side's means are: "6 steps", "1 input". */
void ra_diff_words_put_units(struct ra_util_text *text, const struct ra_diff *diff, size_t side);

/* Returns the word for a verdict: "slower" and so on; for counts "more" and "fewer"; "" if there is
 * nothing to say. */
const char *ra_diff_words_of_verdict(const struct ra_diff *diff, enum ra_diff_verdict verdict);

/* Returns this word as a cell, without a value if there is nothing to say. */
struct ra_table_cell ra_diff_words_verdict(const struct ra_diff *diff,
                                           enum ra_diff_verdict verdict);

/* Returns the count that is compared instead of times, such as "instructions"; NULL: times. */
const char *ra_diff_words_by(const struct ra_diff *diff);

/* Appends a time, or a count if counts are compared. */
void ra_diff_words_put_amount(struct ra_util_text *text, const struct ra_diff *diff,
                              int64_t amount);

/* Appends "2 slower beyond noise, 5 % and 10.000us", "2 rows and 1 part slower ..." if parts of a
 * step are slower, too. */
void ra_diff_words_put_limits(struct ra_util_text *text, const struct ra_diff *diff,
                              const struct ra_diff_limits *limits);

/*
 * Columns for users: the change on which the verdict is based, the verdict, the method; then the
 * change of the time of all calls, which includes outliers and the part that all rows share. Only
 * programs get the latter also as a part of the time before. Users get only one percentage, that of
 * the verdict.
 *
 * @usual: what changed by that percentage, if the cell does not say "total".
 * @whole: what changed by the amount in the last columns: "Total" of calls, "Mean" of steps.
 */
#define RA_DIFF_WORDS_COLUMNS(kind, unit, usual, whole)         \
	{ "interval", usual ", 95 %", RA_TABLE_TEXT, NULL },    \
		{ "verdict", "Verdict", RA_TABLE_TEXT, NULL },  \
		{ "by", "By", RA_TABLE_TEXT, NULL },            \
		{ "change" unit, whole " change", kind, NULL }, \
	{                                                       \
		"change_part", "Total %", RA_TABLE_PART, NULL   \
	}

/* The offset of each of these columns from the first one. */
enum ra_diff_words_column {
	RA_DIFF_WORDS_INTERVAL,
	RA_DIFF_WORDS_VERDICT,
	RA_DIFF_WORDS_BY,
	RA_DIFF_WORDS_TOTAL,
	RA_DIFF_WORDS_TOTAL_PART,
	RA_DIFF_WORDS_COLUMN_COUNT,
};

/* Columns for programs, with the basis of a verdict. */
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

/* The time of all calls of a row, or of a part of a step, and the verdict on it. */
struct ra_diff_words_of {
	const struct ra_diff *diff;
	const int64_t *total_ns; /* the times before and after */
	enum ra_diff_verdict verdict;
	const struct ra_diff_evidence *evidence;
};

/* Fills the columns for programs. @cells: the first of them. */
void ra_diff_words_fill_facts(const struct ra_diff_evidence *evidence, struct ra_table_cell *cells);

/* Appends an interval, such as "+3.1 to +5.2 %". */
void ra_diff_words_put_interval(struct ra_util_text *text, const struct ra_diff_evidence *evidence);

/* Returns the change for users. If the verdict is based on usual calls or steps, it is the estimate
 * with its interval: "+5.1 % (+3.1 to +7.0)". If it is based on totals, or without an interval, it
 * is the change of all calls together: "total -34.6 %". */
struct ra_table_cell ra_diff_words_change(struct ra_table *table,
                                          const struct ra_diff_words_of *of);

/* Returns the verdict for users: "equal ±1.3 %", "unsure: chance 7.1 %, 6 runs more", "faster
 * (total longer)"; if a side lacks events, "slower (incomplete)". */
struct ra_table_cell ra_diff_words_explain(struct ra_table *table,
                                           const struct ra_diff_words_of *of);

/* True if the time of all calls changed in the other direction than the verdict says. */
bool ra_diff_words_is_opposed(const struct ra_diff_words_of *of);

/* Appends a line if changes of usual calls and of totals differ by more than their intervals,
 * without a newline. Return: true if it appended one. */
bool ra_diff_words_put_totals(struct ra_util_text *text, const struct ra_diff *diff);

/* Appends the lines on what the sides lack. @names: for each side, the prefix of its lines. */
void ra_diff_words_put_lacks(struct ra_util_text *text, const struct ra_diff *diff,
                             const char *const names[2]);

/* Returns the word for a method: "pairs", "calls", "totals", "buckets". */
const char *ra_diff_words_method(enum ra_diff_method method);

/* Returns the word for the work that ran on a machine: "ranges" for RA_DIFF_COMMON_CPU, "GPU work"
 * for RA_DIFF_COMMON_GPU. */
const char *ra_diff_words_machine(size_t common);

/* Returns the word for a share: "none", "out", "open", "change", "unlike". */
const char *ra_diff_words_share(enum ra_diff_share share);

/* True if users are told which difference the rows share. */
bool ra_diff_words_has_drift(const struct ra_diff_common *common);

/* Appends which difference the rows of a machine share, without a newline. @side: words for the
 * second side: "the second side". */
void ra_diff_words_put_common(struct ra_util_text *text, const struct ra_diff *diff, size_t machine,
                              const char *side);

/* Appends a line for each machine, from `first` on, on which all rows changed together. The last
 * line has no newline. Return: true if it appended one. */
bool ra_diff_words_put_drift(struct ra_util_text *text, const struct ra_diff *diff, size_t first,
                             const char *side);

#endif

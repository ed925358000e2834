/* SPDX-License-Identifier: MIT */
/* Writes the words of comparisons. */
#include "analyzer/diff/print/diff-words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/print/diff-unlike.h"
#include "analyzer/read-log/ranges/slice-counts.h"

/* If the quartiles of the names' factors differ by more than this logarithm (a factor of 2), the
 * machine alone hardly explains the change. */
#define FAR_FACTORS 0.69

static const char *const role_names[RA_ROLES] = {
	[RA_ROLE_KERNEL] = "Kernel",     [RA_ROLE_MEMCPY] = "Memcpy",
	[RA_ROLE_MEMSET] = "Memset",     [RA_ROLE_COMMUNICATION] = "Communication",
	[RA_ROLE_RUNTIME] = "Runtime",   [RA_ROLE_DATALOADER] = "DataLoader",
	[RA_ROLE_CPU_EXEC] = "CPU Exec", [RA_ROLE_OTHER] = "Other",
	[RA_ROLE_TOTAL] = "Total",
};

static const char *const verdicts[] = {
	[RA_DIFF_SAME] = "",         [RA_DIFF_EQUAL] = "equal",   [RA_DIFF_FASTER] = "faster",
	[RA_DIFF_SLOWER] = "slower", [RA_DIFF_UNSURE] = "unsure", [RA_DIFF_NEW] = "new",
	[RA_DIFF_GONE] = "gone",
};

static const char *const kinds[RA_SUM_TABLES] = {
	[RA_SUM_RANGES] = "range",  [RA_SUM_PATHS] = "path", [RA_SUM_KERNELS] = "kernel",
	[RA_SUM_COPIES] = "memcpy", [RA_SUM_APIS] = "api",
};

const char *ra_diff_words_role(size_t role)
{
	return role_names[role];
}

const char *ra_diff_words_kind(const struct ra_diff_row *row)
{
	return row->table == RA_SUM_KERNELS && row->kind == RA_SUM_COLLECTIVE ? "collective"
	                                                                      : kinds[row->table];
}

void ra_diff_words_put_units(struct ra_util_text *text, const struct ra_diff *diff, size_t side)
{
	ra_util_text_format(text, "%llu %s%s", (unsigned long long) diff->units[side],
	                    diff->has_steps ? "step" : "input",
	                    ra_util_text_plural(diff->units[side]));
	if (diff->has_steps) {
		const struct rlog_string guess =
			ra_sum_set_find_remark(diff->sets[side], RA_SUM_REMARK_GUESS);

		ra_util_text_format(text, guess.length > 0 ? ": " : "");
		ra_util_text_put_name(text, guess, RA_TEXT_TERMINAL);
	}
}

const char *ra_diff_words_of_verdict(const struct ra_diff *diff, enum ra_diff_verdict verdict)
{
	if (diff->by != RA_COUNT_NONE && verdict == RA_DIFF_SLOWER) {
		return "more";
	}
	if (diff->by != RA_COUNT_NONE && verdict == RA_DIFF_FASTER) {
		return "fewer";
	}
	return verdicts[verdict];
}

struct ra_table_cell ra_diff_words_verdict(const struct ra_diff *diff, enum ra_diff_verdict verdict)
{
	struct ra_table_cell cell = ra_table_make_word(ra_diff_words_of_verdict(diff, verdict));

	cell.has_value = verdict != RA_DIFF_SAME;
	return cell;
}

const char *ra_diff_words_method(enum ra_diff_method method)
{
	static const char *const words[] = {
		[RA_DIFF_BY_BUCKETS] = "buckets",     [RA_DIFF_BY_PAIRS] = "pairs",
		[RA_DIFF_BY_CALLS] = "calls",         [RA_DIFF_BY_TOTALS] = "totals",
		[RA_DIFF_BY_COUNTS] = "instructions", [RA_DIFF_BY_STEPS] = "steps",
	};

	return words[method];
}

static const char *word_doubt(enum ra_diff_doubt doubt)
{
	static const char *const words[RA_DIFF_DOUBTS] = {
		[RA_DIFF_DOUBT_WIDE] = "wide",     [RA_DIFF_DOUBT_SMALL] = "small",
		[RA_DIFF_DOUBT_CHANCE] = "chance", [RA_DIFF_DOUBT_SHARED] = "shared",
		[RA_DIFF_DOUBT_UNEVEN] = "uneven", [RA_DIFF_DOUBT_OPPOSED] = "opposed",
		[RA_DIFF_DOUBT_LONGER] = "longer",
	};

	return words[doubt];
}

enum {
	ESTIMATE,
	LOW,
	HIGH,
	CHANCE,
	METHOD,
	RUNS_BEFORE,
	RUNS_AFTER,
	MORE_RUNS,
	DOUBT,
};

void ra_diff_words_fill_facts(const struct ra_diff_evidence *evidence, struct ra_table_cell *cells)
{
	cells[METHOD] = ra_table_make_word(ra_diff_words_method(evidence->method));
	if (!evidence->has) {
		return;
	}
	cells[ESTIMATE] = ra_table_make_real(expm1(evidence->change));
	cells[LOW] = ra_table_make_real(expm1(evidence->low));
	cells[HIGH] = ra_table_make_real(expm1(evidence->high));
	cells[CHANCE] = ra_table_make_real(evidence->chance);
	cells[RUNS_BEFORE] = ra_table_make_count(evidence->runs[0]);
	cells[RUNS_AFTER] = ra_table_make_count(evidence->runs[1]);
	if (evidence->more > 0) {
		cells[MORE_RUNS] = ra_table_make_count(evidence->more);
	}
	if (evidence->doubt != RA_DIFF_DOUBT_NONE) {
		cells[DOUBT] = ra_table_make_word(word_doubt(evidence->doubt));
	}
}

void ra_diff_words_put_interval(struct ra_util_text *text, const struct ra_diff_evidence *evidence)
{
	ra_util_text_format(text, "%+.1f to %+.1f %%", expm1(evidence->low) * 100,
	                    expm1(evidence->high) * 100);
}

/* Appends the change in per cent. Return: false if there is none, because the row did not exist
 * before. */
static bool find_total_part(const struct ra_diff_words_of *of, double *part)
{
	const int64_t *total_ns = of->total_ns;

	if (total_ns[0] <= 0) {
		return false;
	}
	*part = (double) (total_ns[1] - total_ns[0]) / (double) total_ns[0];
	return true;
}

struct ra_table_cell ra_diff_words_change(struct ra_table *table, const struct ra_diff_words_of *of)
{
	const struct ra_diff_evidence *evidence = of->evidence;
	struct ra_util_text text = { 0 };
	double part;

	if (evidence->has) {
		ra_util_text_format(&text, "%s%+.1f %% (%+.1f to %+.1f)",
		                    evidence->method == RA_DIFF_BY_TOTALS ? "total " : "",
		                    expm1(evidence->change) * 100, expm1(evidence->low) * 100,
		                    expm1(evidence->high) * 100);
	} else if (of->verdict != RA_DIFF_NEW && of->verdict != RA_DIFF_GONE &&
	           find_total_part(of, &part)) {
		ra_util_text_format(&text, "total %+.1f %%", part * 100);
	} else {
		return (struct ra_table_cell){ 0 };
	}
	return ra_table_make_text(ra_table_take_text(table, &text));
}

bool ra_diff_words_is_opposed(const struct ra_diff_words_of *of)
{
	double part;

	return ra_diff_verdict_is_call(of->verdict) && find_total_part(of, &part) &&
	       fabs(part) >= 0.0005 && (part > 0) != (of->verdict == RA_DIFF_SLOWER);
}

/* True if the change of the total is outside of the interval by more than a rounding error. */
static bool is_outside(const struct ra_diff_words_of *of)
{
	double part;

	return of->evidence->has && find_total_part(of, &part) &&
	       (part < expm1(of->evidence->low) - 0.0005 ||
	        part > expm1(of->evidence->high) + 0.0005);
}

/* True if some calls took much longer or shorter than usual, so that the total differs from the
 * usual change. */
static bool has_other_total(const struct ra_diff_words_of *of)
{
	double part;

	return (of->verdict == RA_DIFF_EQUAL || of->verdict == RA_DIFF_UNSURE) &&
	       of->evidence->doubt != RA_DIFF_DOUBT_OPPOSED && is_outside(of) &&
	       find_total_part(of, &part) && fabs(part) * 100 > of->diff->limits.percent &&
	       llabs(of->total_ns[1] - of->total_ns[0]) > of->diff->limits.time_ns;
}

/* Returns the word for the direction in which the time of all calls changed. The amount has its own
 * column. */
static const char *word_total(const struct ra_diff_words_of *of, double part)
{
	if (of->diff->by != RA_COUNT_NONE) {
		return part > 0 ? "more" : "less";
	}
	return part > 0 ? "longer" : "shorter";
}

static void put_doubt(struct ra_util_text *text, const struct ra_diff_words_of *of)
{
	const struct ra_diff_evidence *evidence = of->evidence;
	double part;

	if (evidence->doubt == RA_DIFF_DOUBT_SMALL) {
		ra_util_text_format(text, ": may be small");
	} else if (evidence->doubt == RA_DIFF_DOUBT_CHANCE) {
		ra_util_text_format(
			text, evidence->chance < 0.0995 ? ": chance %.1f %%" : ": chance %.0f %%",
			evidence->chance * 100);
	} else if (evidence->doubt == RA_DIFF_DOUBT_SHARED) {
		ra_util_text_format(text, ": may be the machine");
	} else if (evidence->doubt == RA_DIFF_DOUBT_UNEVEN) {
		ra_util_text_format(text, ": not in all fast calls");
	} else if (evidence->doubt == RA_DIFF_DOUBT_LONGER) {
		ra_util_text_format(text, ": longer calls moved");
	} else if (evidence->doubt == RA_DIFF_DOUBT_OPPOSED && find_total_part(of, &part)) {
		ra_util_text_format(text, ": total %s", word_total(of, part));
	}
	if (evidence->more > 0) {
		ra_util_text_format(text, "%s %zu run%s more",
		                    evidence->doubt <= RA_DIFF_DOUBT_WIDE ? ":" : ",",
		                    evidence->more, ra_util_text_plural(evidence->more));
	}
}

struct ra_table_cell ra_diff_words_explain(struct ra_table *table,
                                           const struct ra_diff_words_of *of)
{
	const char *word = ra_diff_words_of_verdict(of->diff, of->verdict);
	const struct ra_diff_evidence *evidence = of->evidence;
	struct ra_util_text text = { 0 };
	double part;

	ra_util_text_format(&text, "%s", word);
	if (evidence->has && of->verdict == RA_DIFF_EQUAL && !evidence->is_small) {
		ra_util_text_format(&text, " \xC2\xB1%.1f %%",
		                    ra_diff_verdict_find_reach(evidence) * 100);
	} else if (evidence->has && of->verdict == RA_DIFF_UNSURE) {
		put_doubt(&text, of);
	}
	if ((ra_diff_words_is_opposed(of) || has_other_total(of)) && find_total_part(of, &part)) {
		ra_util_text_format(&text, " (total %s)", word_total(of, part));
	}
	if (ra_diff_is_partial(of->diff) && of->verdict != RA_DIFF_SAME) {
		ra_util_text_format(&text, " (incomplete)");
	}
	if (text.length == strlen(word)) {
		ra_util_text_free(&text);
		return ra_diff_words_verdict(of->diff, of->verdict);
	}
	return ra_table_make_text(ra_table_take_text(table, &text));
}

bool ra_diff_words_put_totals(struct ra_util_text *text, const struct ra_diff *diff)
{
	size_t count = 0;

	for (size_t role = 0; role < RA_ROLES; role++) {
		const struct ra_diff_role *row = &diff->roles[role];

		count += is_outside(&(struct ra_diff_words_of){ diff, row->mean_ns, row->verdict,
		                                                &row->evidence });
	}
	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		count += is_outside(&(struct ra_diff_words_of){ diff, row->total_ns, row->verdict,
		                                                &row->evidence });
	}
	if (count > 0) {
		ra_util_text_format(
			text,
			"of %zu row%s the total, with outliers and what all rows share, moved "
			"otherwise: help verdict",
			count, ra_util_text_plural(count));
	}
	return count > 0;
}

const char *ra_diff_words_by(const struct ra_diff *diff)
{
	return ra_slice_counts_words[diff->by];
}

void ra_diff_words_put_amount(struct ra_util_text *text, const struct ra_diff *diff, int64_t amount)
{
	if (diff->by == RA_COUNT_NONE) {
		ra_util_text_put_time(text, amount);
	} else {
		ra_util_text_format(text, "%lld", (long long) amount);
	}
}

void ra_diff_words_put_limits(struct ra_util_text *text, const struct ra_diff *diff,
                              const struct ra_diff_limits *limits)
{
	const size_t all = ra_diff_count_slower(diff);
	size_t parts = 0; /* steps are in another table than the rows */

	for (size_t role = 0; role < RA_ROLES; role++) {
		parts += diff->roles[role].verdict == RA_DIFF_SLOWER;
	}
	ra_util_text_format(text, "%zu ", all - parts);
	if (parts > 0) {
		ra_util_text_format(text, "row%s and %zu part%s ", ra_util_text_plural(all - parts),
		                    parts, ra_util_text_plural(parts));
	}
	ra_util_text_format(text, "%s beyond noise, %g %%",
	                    ra_diff_words_of_verdict(diff, RA_DIFF_SLOWER), limits->percent);
	if (diff->by == RA_COUNT_NONE) {
		ra_util_text_format(text, " and ");
		ra_util_text_put_time(text, limits->time_ns);
	}
}

void ra_diff_words_put_lacks(struct ra_util_text *text, const struct ra_diff *diff,
                             const char *const names[2])
{
	for (size_t side = 0; side < 2; side++) {
		if (diff->incomplete[side] > 0) {
			ra_sum_set_put_incomplete(text, diff->sets[side], names[side]);
		}
	}
}

const char *ra_diff_words_machine(size_t common)
{
	static const char *const words[] = {
		[RA_DIFF_COMMON_CPU] = "ranges", [RA_DIFF_COMMON_GPU] = "GPU work"
	};

	return words[common];
}

const char *ra_diff_words_share(enum ra_diff_share share)
{
	static const char *const words[] = {
		[RA_DIFF_SHARE_NONE] = "none",     [RA_DIFF_SHARE_OUT] = "out",
		[RA_DIFF_SHARE_OPEN] = "open",     [RA_DIFF_SHARE_CHANGE] = "change",
		[RA_DIFF_SHARE_UNLIKE] = "unlike",
	};

	return words[share];
}

/* True if the shared difference is worth mentioning: it is not small, or a verdict depends on
 * it. */
bool ra_diff_words_has_drift(const struct ra_diff_common *common)
{
	return common->share >= RA_DIFF_SHARE_OPEN ||
	       (common->share == RA_DIFF_SHARE_OUT &&
	        fabs(expm1(common->evidence.change)) >= 0.005);
}

/* True if the names of a machine changed by different factors, so that no single factor explains
 * them. */
static bool is_unlike(const struct ra_diff_common *common)
{
	return common->share >= RA_DIFF_SHARE_OPEN &&
	       common->factors.count >= RA_DIFF_FACTORS_FEW && !common->factors.are_alike;
}

/* True if these factors differ so much that the machine alone hardly explains them. */
static bool is_far(const struct ra_diff_common *common)
{
	return is_unlike(common) && common->factors.high - common->factors.low > FAR_FACTORS;
}

/* Appends "ranges of B have no factor in common: a quarter of 9 names took 0.2 times as long or
 * less, …" */
static void put_unlike(struct ra_util_text *text, const struct ra_diff *diff, size_t machine,
                       const char *side)
{
	const struct ra_diff_common *common = &diff->drifts[machine];
	const struct ra_diff_factors *factors = &common->factors;

	ra_util_text_format(text,
	                    "%s of %s %s no factor in common: a quarter of %zu names took <= %.3g "
	                    "times as long, a quarter >= %.3g",
	                    ra_diff_words_machine(machine), side,
	                    machine == RA_DIFF_COMMON_GPU ? "has" : "have", factors->count,
	                    exp(factors->low), exp(factors->high));
	if (is_far(common)) {
		ra_util_text_format(text, ": likelier another program, build, settings or "
		                          "recording than a machine alone");
	}
	if (common->share == RA_DIFF_SHARE_CHANGE) {
		ra_util_text_format(text, "; a change of most");
	} else if (common->share == RA_DIFF_SHARE_OPEN) {
		ra_util_text_format(text, "; intervals reach over the middle, ");
		ra_diff_words_put_interval(text, &common->evidence);
	}
}

/* Appends the cause of the change that all rows share, if it is known: the machine or the
 * program. */
static void put_open(struct ra_util_text *text, const struct ra_diff *diff, size_t machine)
{
	const struct ra_diff_common *common = &diff->drifts[machine];
	const struct ra_diff_evidence *evidence = &common->evidence;
	const char *cause = ra_diff_unlike_find_cause(diff, machine);

	if (cause != NULL && common->factors.count >= RA_DIFF_FACTORS_FEW &&
	    !is_far(&diff->drifts[RA_DIFF_COMMON_CPU])) {
		ra_util_text_format(text, "likely %s, rather than the program", cause);
	} else if (cause != NULL) {
		ra_util_text_format(text, "%s or the program", cause);
	} else {
		ra_util_text_format(text,
		                    "the machine or the program, which %zu and %zu runs can't tell",
		                    evidence->runs[0], evidence->runs[1]);
	}
	ra_util_text_format(text, "; intervals reach over it%s",
	                    evidence->runs[0] + evidence->runs[1] == 2
	                            ? ""
	                            : ", and what is called differs from the others");
}

void ra_diff_words_put_common(struct ra_util_text *text, const struct ra_diff *diff, size_t machine,
                              const char *side)
{
	const struct ra_diff_common *common = &diff->drifts[machine];
	const struct ra_diff_evidence *evidence = &common->evidence;
	const char *cause = ra_diff_unlike_find_cause(diff, machine);
	const double part = expm1(evidence->change);

	if (is_unlike(common)) {
		put_unlike(text, diff, machine, side);
		return;
	}
	ra_util_text_format(text, "%s of %s %s %.1f %% %s throughout",
	                    ra_diff_words_machine(machine), side,
	                    machine == RA_DIFF_COMMON_GPU ? "was" : "were", fabs(part) * 100,
	                    part > 0 ? "slower" : "faster");
	if (common->share == RA_DIFF_SHARE_OUT) {
		ra_util_text_format(text, ": taken out of the intervals");
		return;
	}
	ra_util_text_format(text, " (");
	ra_diff_words_put_interval(text, evidence);
	ra_util_text_format(text, "): ");
	if (common->share == RA_DIFF_SHARE_CHANGE) {
		ra_util_text_format(text, "a change of all%s%s",
		                    cause != NULL ? ", likely by " : "",
		                    cause != NULL ? cause : "");
		return;
	}
	put_open(text, diff, machine);
}

bool ra_diff_words_put_drift(struct ra_util_text *text, const struct ra_diff *diff, size_t first,
                             const char *side)
{
	bool has = false;

	for (size_t i = first; i <= RA_DIFF_COMMON_GPU; i++) {
		if (ra_diff_words_has_drift(&diff->drifts[i])) {
			ra_util_text_format(text, "%s", has ? "\n" : "");
			ra_diff_words_put_common(text, diff, i, side);
			has = true;
		}
	}
	return has;
}

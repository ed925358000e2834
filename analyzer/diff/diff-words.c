/* SPDX-License-Identifier: MIT */
/* The words of comparisons. */
#include "analyzer/diff/diff-words.h"

#include <math.h>
#include <string.h>

#include "analyzer/diff/diff-evidence.h"
#include "analyzer/read-log/slice-counts.h"

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
		[RA_DIFF_BY_COUNTS] = "instructions",
	};

	return words[method];
}

enum {
	INTERVAL,
	BY,
	ESTIMATE,
	LOW,
	HIGH,
	CHANCE,
	METHOD,
	RUNS_BEFORE,
	RUNS_AFTER,
	MORE_RUNS,
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
}

void ra_diff_words_put_interval(struct ra_util_text *text, const struct ra_diff_evidence *evidence)
{
	ra_util_text_format(text, "%+.1f to %+.1f %%", expm1(evidence->low) * 100,
	                    expm1(evidence->high) * 100);
}

void ra_diff_words_fill_interval(struct ra_table *table, const struct ra_diff_evidence *evidence,
                                 struct ra_table_cell *interval, struct ra_table_cell *by)
{
	struct ra_util_text text = { 0 };

	if (!evidence->has) {
		return;
	}
	ra_util_text_format(&text, "%+.1f %% (%+.1f to %+.1f)", expm1(evidence->change) * 100,
	                    expm1(evidence->low) * 100, expm1(evidence->high) * 100);
	*interval = ra_table_make_text(ra_table_take_text(table, &text));
	if (by != NULL) {
		*by = ra_table_make_word(ra_diff_words_method(evidence->method));
	}
}

struct ra_table_cell ra_diff_words_explain(struct ra_table *table, const struct ra_diff *diff,
                                           enum ra_diff_verdict verdict,
                                           const struct ra_diff_evidence *evidence)
{
	const char *word = ra_diff_words_of_verdict(diff, verdict);
	struct ra_util_text text = { 0 };

	ra_util_text_format(&text, "%s", word);
	if (evidence->has && verdict == RA_DIFF_EQUAL && !evidence->is_small) {
		ra_util_text_format(&text, " \xC2\xB1%.1f %%",
		                    ra_diff_verdict_find_reach(evidence) * 100);
	} else if (evidence->has && verdict == RA_DIFF_UNSURE && evidence->more > 0) {
		ra_util_text_format(&text, ": %zu run%s more", evidence->more,
		                    ra_util_text_plural(evidence->more));
	}
	if (ra_diff_is_partial(diff) && verdict != RA_DIFF_SAME) {
		ra_util_text_format(&text, " (incomplete)");
	}
	if (text.length == strlen(word)) {
		ra_util_text_free(&text);
		return ra_diff_words_verdict(diff, verdict);
	}
	return ra_table_make_text(ra_table_take_text(table, &text));
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
	ra_util_text_format(text, "%zu %s beyond noise, %g %%", ra_diff_count_slower(diff),
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
		[RA_DIFF_SHARE_NONE] = "none",
		[RA_DIFF_SHARE_OUT] = "out",
		[RA_DIFF_SHARE_OPEN] = "open",
		[RA_DIFF_SHARE_CHANGE] = "change",
	};

	return words[share];
}

/* More than a trifle, or what a verdict hangs on. */
bool ra_diff_words_has_drift(const struct ra_diff_common *common)
{
	return common->share >= RA_DIFF_SHARE_OPEN ||
	       (common->share == RA_DIFF_SHARE_OUT &&
	        fabs(expm1(common->evidence.change)) >= 0.005);
}

void ra_diff_words_put_common(struct ra_util_text *text, const struct ra_diff *diff, size_t machine,
                              const char *side)
{
	const struct ra_diff_common *common = &diff->drifts[machine];
	const struct ra_diff_evidence *evidence = &common->evidence;
	const double part = expm1(evidence->change);

	ra_util_text_format(text, "%s of %s were %.1f %% %s throughout",
	                    ra_diff_words_machine(machine), side, fabs(part) * 100,
	                    part > 0 ? "slower" : "faster");
	if (common->share == RA_DIFF_SHARE_OUT) {
		ra_util_text_format(text, ": taken out of the intervals");
		return;
	}
	ra_util_text_format(text, " (");
	ra_diff_words_put_interval(text, evidence);
	if (common->share == RA_DIFF_SHARE_CHANGE) {
		ra_util_text_format(text, "): a change of all");
		return;
	}
	ra_util_text_format(text,
	                    "): the machine or the program, which %zu and %zu runs can't tell",
	                    evidence->runs[0], evidence->runs[1]);
	if (evidence->runs[0] + evidence->runs[1] == 2) {
		ra_util_text_format(text, "; intervals reach over it");
	} else {
		ra_util_text_format(text, "; intervals reach over it, and what is called differs "
		                          "from the others");
	}
}

bool ra_diff_words_put_drift(struct ra_util_text *text, const struct ra_diff *diff,
                             const char *side)
{
	bool has = false;

	for (size_t i = RA_DIFF_COMMON_CPU; i <= RA_DIFF_COMMON_GPU; i++) {
		if (ra_diff_words_has_drift(&diff->drifts[i])) {
			ra_util_text_format(text, "%s", has ? "\n" : "");
			ra_diff_words_put_common(text, diff, i, side);
			has = true;
		}
	}
	return has;
}

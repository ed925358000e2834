/* SPDX-License-Identifier: MIT */
/* Checks whether summaries of inputs keep to rules. */
#include "analyzer/check/check.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/check/check-figure.h"

static bool holds(const struct ra_check_rule *rule, double value, double limit)
{
	const bool is_below = value < limit;
	const bool is_above = value > limit;

	switch (rule->order) {
	case '<':
		return is_below || (rule->or_equal && !is_above);
	case '>':
		return is_above || (rule->or_equal && !is_below);
	case '!':
		return is_below || is_above;
	default:
		return !is_below && !is_above;
	}
}

/* Finds the value that a rule compares the figure with. A sum over a baseline's inputs is scaled to
 * as many inputs as the figure has. */
static struct ra_check_value find_other(const struct ra_check_rule *rule,
                                        const struct ra_sum_set *set,
                                        const struct ra_diff_side *baselines)
{
	const struct ra_sum_set *from = set;
	struct ra_check_value value;

	if (rule->against == RA_CHECK_OTHER) {
		return ra_check_figure_find(&rule->other, set);
	}
	from = &baselines[rule->baseline].set;
	value = ra_check_figure_find(&rule->left, from);
	if (ra_check_figure_is_sum(&rule->left) && from->source_count > 0) {
		value.value *= (double) set->source_count / (double) from->source_count;
	}
	return value;
}

/* Returns holds if the whole interval keeps to the limit, broken if none of it does, else
 * unsure. */
static enum ra_check_verdict judge_interval(const struct ra_check_rule *rule,
                                            const struct ra_check_interval *interval)
{
	const bool is_below = interval->high < rule->limit;
	const bool is_above = interval->low > rule->limit;

	if (!is_below && !is_above) {
		return RA_CHECK_UNSURE;
	}
	return is_below == (rule->order == '<') ? RA_CHECK_HOLDS : RA_CHECK_BROKEN;
}

/* True if a rule requires that nothing with its name exists: "== 0", "< 1". */
static bool asks_for_none(const struct ra_check_rule *rule)
{
	return rule->against == RA_CHECK_LIMIT && holds(rule, 0, rule->limit) &&
	       !holds(rule, 1, rule->limit);
}

static struct ra_check_result find_result(const struct ra_check_rule *rule,
                                          const struct ra_diff_side *side,
                                          const struct ra_diff_side *baselines)
{
	const struct ra_check_value figure = ra_check_figure_find(&rule->left, &side->set);
	struct ra_check_result result = { .rule = rule, .value = figure.value };
	double limit = rule->limit;

	result.is_absent = figure.is_absent;
	result.none = figure.is_absent && asks_for_none(rule) ? NULL : figure.none;
	if (rule->against != RA_CHECK_LIMIT) {
		const struct ra_check_value other = find_other(rule, &side->set, baselines);

		result.other = other.value;
		limit *= other.value;
		if (result.none == NULL && other.none != NULL) {
			result.none = other.none;
			result.is_none_of_other = true;
			result.is_absent = other.is_absent;
		}
	}
	result.verdict = (result.none != NULL ? rule->or_none : holds(rule, figure.value, limit))
	                         ? RA_CHECK_HOLDS
	                         : RA_CHECK_BROKEN;
	if (result.none == NULL && rule->against != RA_CHECK_LIMIT) {
		ra_check_runs_find(rule, side,
		                   rule->against == RA_CHECK_BASELINE ? &baselines[rule->baseline]
		                                                      : NULL,
		                   &result.interval);
	}
	if (result.interval.has) {
		result.verdict = judge_interval(rule, &result.interval);
	}
	return result;
}

/* Keeps the remark that steps were guessed from the names of ranges, because rules on steps depend
 * on that guess. */
static void note_steps(struct ra_check *check, const struct ra_check_rules *rules,
                       const struct ra_sum_set *set)
{
	const struct rlog_string text = ra_sum_set_find_remark(set, RA_SUM_REMARK_GUESS);
	bool is_used = false;

	for (size_t i = 0; i < rules->count; i++) {
		is_used = is_used || rules->rows[i].left.subject == RA_CHECK_STEP;
	}
	if (is_used && text.length > 0 && check->steps == NULL) {
		check->steps = ra_alloc_bytes((size_t) text.length + 1);
		memcpy(check->steps, text.bytes, text.length);
		check->steps[text.length] = '\0';
	}
}

/* True if events may be missing in the figures. False for rules that ask what is missing. */
static bool is_incomplete(const struct ra_check_rule *rule, const struct ra_diff_side *side,
                          const struct ra_diff_side *baselines)
{
	return rule->left.figure != RA_CHECK_LOST && rule->left.figure != RA_CHECK_INPUTS &&
	       rule->left.figure != RA_CHECK_INCOMPLETE &&
	       (ra_sum_set_count_incomplete(&side->set) > 0 ||
	        (rule->against == RA_CHECK_BASELINE &&
	         ra_sum_set_count_incomplete(&baselines[rule->baseline].set) > 0));
}

void ra_check_add(struct ra_check *check, const struct ra_check_rules *rules,
                  const struct ra_diff_side *side, const struct ra_diff_side *baselines,
                  const char *where)
{
	note_steps(check, rules, &side->set);
	ra_util_grow(&check->results, &check->capacity, check->count + rules->count,
	             sizeof(*check->results));
	for (size_t i = 0; i < rules->count; i++) {
		struct ra_check_result *result = &check->results[check->count++];

		*result = find_result(&rules->rows[i], side, baselines);
		result->where = where == NULL ? NULL : ra_alloc_copy(where);
		result->is_incomplete = is_incomplete(&rules->rows[i], side, baselines);
		if (check->is_strict &&
		    (result->verdict == RA_CHECK_UNSURE || result->is_incomplete)) {
			result->verdict = RA_CHECK_BROKEN;
		}
	}
}

void ra_check_fini(struct ra_check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		free(check->results[i].where);
	}
	free(check->results);
	free(check->steps);
	memset(check, 0, sizeof(*check));
}

size_t ra_check_count(const struct ra_check *check, enum ra_check_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < check->count; i++) {
		count += check->results[i].verdict == verdict;
	}
	return count;
}

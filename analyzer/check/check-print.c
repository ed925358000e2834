/* SPDX-License-Identifier: MIT */
/* Writes the results of rules. */
#include "analyzer/check/check-print.h"

#include "analyzer/base/util.h"
#include "analyzer/table/forms/junit.h"

static void put_figure(struct ra_util_text *text, const struct ra_check_term *term, double value)
{
	if (term->unit == RA_CHECK_TIME) {
		ra_util_text_put_time(text, (int64_t) (value + 0.5));
	} else if (term->unit == RA_CHECK_SHARE) {
		ra_util_text_format(text, "%.2f%%%s", value * 100,
		                    term->subject == RA_CHECK_GPU ? " of the GPU span" : "");
	} else if (term->unit == RA_CHECK_POWER || term->unit == RA_CHECK_JOULES) {
		ra_util_text_format(text, "%.6g%s", value,
		                    term->unit == RA_CHECK_POWER ? "W" : "J");
	} else {
		ra_util_text_format(text, "%.10g", value);
	}
}

static void put_none(struct ra_util_text *text, const struct ra_check_result *result)
{
	const bool is_of_baseline = result->rule->against == RA_CHECK_BASELINE;

	ra_util_text_format(text, "%s%s",
	                    !result->is_none_of_other ? ""
	                    : is_of_baseline          ? "baseline: "
	                                              : "the other figure: ",
	                    result->none);
}

/* Appends the interval that the runs show. For an unsure rule, appends how many runs would settle
 * it. */
static void put_interval(struct ra_util_text *text, const struct ra_check_result *result)
{
	const struct ra_check_interval *interval = &result->interval;

	ra_util_text_format(text, "; by %zu run%s", interval->runs[1],
	                    ra_util_text_plural(interval->runs[1]));
	if (result->rule->against == RA_CHECK_BASELINE) {
		ra_util_text_format(text, " and %zu of the baseline", interval->runs[0]);
	}
	ra_util_text_format(text, " %.3f times, 95 %% %.3f to %.3f", interval->ratio, interval->low,
	                    interval->high);
	if (result->verdict == RA_CHECK_UNSURE && interval->more > 0) {
		ra_util_text_format(text, ": %zu more run%s%s would settle it", interval->more,
		                    ra_util_text_plural(interval->more),
		                    result->rule->against == RA_CHECK_BASELINE ? " of each" : "");
	}
}

static void put_value(struct ra_util_text *text, const struct ra_check_result *result)
{
	const struct ra_check_rule *rule = result->rule;

	if (result->none != NULL) {
		put_none(text, result);
		return;
	}
	put_figure(text, &rule->left, result->value);
	if (result->is_absent) {
		ra_util_text_format(text, "; nothing has this name");
	}
	if (rule->against == RA_CHECK_LIMIT) {
		return;
	}
	ra_util_text_format(text, rule->against == RA_CHECK_BASELINE ? ", baseline "
	                                                             : ", the other figure ");
	put_figure(text, rule->against == RA_CHECK_BASELINE ? &rule->left : &rule->other,
	           result->other);
	if (result->other > 0) {
		ra_util_text_format(text, ": %.3f times", result->value / result->other);
	}
	if (result->interval.has) {
		put_interval(text, result);
	}
}

static void put_incomplete(struct ra_util_text *text, const struct ra_check_result *result)
{
	if (result->is_incomplete) {
		ra_util_text_format(text, "; an input is incomplete");
	}
}

static struct rlog_string borrow(const struct ra_util_text *text)
{
	const struct rlog_string string = { text->bytes, (uint32_t) text->length, 0 };

	return string;
}

static void put_junit(struct ra_util_text *text, const struct ra_check_result *result)
{
	struct ra_util_text name = { 0 };
	struct ra_util_text value = { 0 };

	if (result->where != NULL) {
		ra_util_text_format(&name, "%s: ", result->where);
	}
	ra_util_text_format(&name, "%s", result->rule->text);
	if (result->verdict != RA_CHECK_HOLDS || result->interval.has) {
		put_value(&value, result);
		put_incomplete(&value, result);
	}
	if (result->verdict == RA_CHECK_UNSURE) {
		ra_junit_put_skipped(text, "rule", borrow(&name), borrow(&value));
	} else if (result->verdict == RA_CHECK_HOLDS && result->interval.has) {
		ra_junit_put_passed(text, "rule", borrow(&name), borrow(&value));
	} else {
		ra_junit_put(text, "rule", borrow(&name), borrow(&value));
	}
	ra_util_text_free(&name);
	ra_util_text_free(&value);
}

/* Appends the rest of the line for a rule that has a figure. */
static void put_json_values(struct ra_util_text *text, const struct ra_check_result *result)
{
	const struct ra_check_interval *interval = &result->interval;
	const bool is_of_baseline = result->rule->against == RA_CHECK_BASELINE;

	ra_util_text_format(text, "%.17g", result->value);
	if (result->is_absent) {
		ra_util_text_format(text, ",\"why\":\"nothing has this name\"");
	}
	if (result->rule->against != RA_CHECK_LIMIT) {
		ra_util_text_format(text, ",\"%s_value\":%.17g",
		                    is_of_baseline ? "baseline" : "other", result->other);
	}
	if (interval->has) {
		ra_util_text_format(
			text, ",\"ratio\":%.17g,\"low\":%.17g,\"high\":%.17g,\"runs\":%zu",
			interval->ratio, interval->low, interval->high, interval->runs[1]);
	}
	if (interval->has && is_of_baseline) {
		ra_util_text_format(text, ",\"baseline_runs\":%zu", interval->runs[0]);
	}
	if (result->verdict == RA_CHECK_UNSURE && interval->more > 0) {
		ra_util_text_format(text, ",\"more_runs\":%zu", interval->more);
	}
}

static void put_json(struct ra_util_text *text, const struct ra_check_result *result, bool is_first)
{
	static const char *const units[] = {
		[RA_CHECK_TIME] = "ns", [RA_CHECK_SHARE] = "share", [RA_CHECK_NUMBER] = "number",
		[RA_CHECK_POWER] = "W", [RA_CHECK_JOULES] = "J",
	};
	static const char *const holds[] = {
		[RA_CHECK_HOLDS] = "true", [RA_CHECK_BROKEN] = "false", [RA_CHECK_UNSURE] = "null"
	};

	ra_util_text_format(text, "%s{\"rule\":\"", is_first ? "" : ",\n");
	ra_util_text_put_name(text, ra_util_string(result->rule->text), RA_TEXT_JSON);
	ra_util_text_put_char(text, '"');
	if (result->where != NULL) {
		ra_util_text_format(text, ",\"input\":\"");
		ra_util_text_put_name(text, ra_util_string(result->where), RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	ra_util_text_format(text,
	                    ",\"holds\":%s,\"unit\":\"%s\",\"value\":", holds[result->verdict],
	                    units[result->rule->left.unit]);
	if (result->none != NULL) {
		ra_util_text_format(text, "null,\"why\":\"");
		put_none(text, result);
		ra_util_text_put_char(text, '"');
	} else {
		put_json_values(text, result);
	}
	ra_util_text_format(text, "%s}", result->is_incomplete ? ",\"incomplete\":true" : "");
}

static void put_line(struct ra_util_text *text, const struct ra_check_result *result)
{
	static const char *const marks[] = { [RA_CHECK_HOLDS] = "ok    ",
		                             [RA_CHECK_BROKEN] = "FAIL  ",
		                             [RA_CHECK_UNSURE] = "unsure " };

	ra_util_text_format(text, "%s", marks[result->verdict]);
	if (result->where != NULL) {
		ra_util_text_put_name(text, ra_util_string(result->where), RA_TEXT_TERMINAL);
		ra_util_text_format(text, ": ");
	}
	ra_util_text_put_name(text, ra_util_string(result->rule->text), RA_TEXT_TERMINAL);
	ra_util_text_format(text, ": ");
	put_value(text, result);
	put_incomplete(text, result);
	ra_util_text_put_char(text, '\n');
}

/* True if a rule is broken because nothing has its name. */
static bool is_name_missing(const struct ra_check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		const struct ra_check_result *result = &check->results[i];

		if (result->is_absent && result->none != NULL &&
		    result->verdict == RA_CHECK_BROKEN) {
			return true;
		}
	}
	return false;
}

static void put_count(struct ra_util_text *text, const struct ra_check *check)
{
	const size_t unsure = ra_check_count(check, RA_CHECK_UNSURE);

	ra_util_text_format(text, "%zu of %zu rule%s broken",
	                    ra_check_count(check, RA_CHECK_BROKEN), check->count,
	                    ra_util_text_plural(check->count));
	if (unsure > 0) {
		ra_util_text_format(text, ", %zu unsure", unsure);
	}
	ra_util_text_put_char(text, '\n');
	if (is_name_missing(check)) {
		ra_util_text_format(text, "a rule may end in \"or none\": then it also holds if "
		                          "nothing has the name\n");
	}
	if (check->steps != NULL) {
		ra_util_text_put_name(text, ra_util_string(check->steps), RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, '\n');
	}
}

void ra_check_print_put(struct ra_util_text *text, const struct ra_check *check,
                        enum ra_check_form form)
{
	const size_t broken = ra_check_count(check, RA_CHECK_BROKEN);

	if (form == RA_CHECK_JUNIT) {
		ra_junit_begin(text, "analyzer check", check->count, broken);
	} else if (form == RA_CHECK_JSON) {
		ra_util_text_format(text, "{\"broken\":%zu,\"unsure\":%zu,\"rules\":[\n", broken,
		                    ra_check_count(check, RA_CHECK_UNSURE));
	}
	for (size_t i = 0; i < check->count; i++) {
		if (form == RA_CHECK_JUNIT) {
			put_junit(text, &check->results[i]);
		} else if (form == RA_CHECK_JSON) {
			put_json(text, &check->results[i], i == 0);
		} else {
			put_line(text, &check->results[i]);
		}
	}
	if (form == RA_CHECK_JUNIT) {
		ra_junit_end(text);
	} else if (form == RA_CHECK_JSON) {
		ra_util_text_format(text, "]}\n");
	} else {
		put_count(text, check);
	}
}

void ra_check_print_brief(struct ra_util_text *text, const struct ra_check *check, size_t rows)
{
	static const struct {
		enum ra_check_verdict verdict;
		const char *words;
	} orders[] = { { RA_CHECK_BROKEN, "are broken" },
		       { RA_CHECK_UNSURE, "are unsure" },
		       { RA_CHECK_HOLDS, "hold" } };
	size_t told = 0;

	for (size_t at = 0; at < sizeof(orders) / sizeof(orders[0]); at++) {
		size_t more = 0;

		for (size_t i = 0; i < check->count; i++) {
			if (check->results[i].verdict != orders[at].verdict) {
				continue;
			}
			if (told < rows) {
				put_line(text, &check->results[i]);
				told++;
			} else {
				more++;
			}
		}
		if (more > 0) {
			ra_util_text_format(text, "... and %zu more that %s\n", more,
			                    orders[at].words);
		}
	}
	put_count(text, check);
}

/* SPDX-License-Identifier: MIT */
/* Does what inputs add up to keep to rules? */
#include "analyzer/check/check.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/table/junit.h"

/* A figure, or why there is none. */
struct figure {
	const char *none;
	double value;
};

/* What rows of a name, or steps, add up to. */
struct sums {
	struct ra_sum_stat stat;
	int64_t total_ns;
	int64_t self_ns;
	int64_t cuda_ns;
	uint64_t bytes;
	uint64_t errors;
	int64_t part_max_ns; /* the largest of an input: a total, or the mean of its steps */
	double part_mean_ns; /* over all inputs */
	size_t rows;
};

/* True if a pattern, in which * stands for any text, is the name. */
static bool matches(const char *pattern, struct rlog_string name)
{
	const char *star = NULL;
	size_t at = 0;
	size_t from = 0;

	while (at < name.length) {
		if (*pattern == '*') {
			star = pattern++;
			from = at;
		} else if (*pattern != '\0' && *pattern == name.bytes[at]) {
			pattern++;
			at++;
		} else if (star != NULL) {
			pattern = star + 1;
			at = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*') {
		pattern++;
	}
	return *pattern == '\0';
}

static bool is_of_subject(enum ra_check_subject subject, const struct ra_sum_row *row)
{
	switch (subject) {
	case RA_CHECK_RANGE:
		return row->table == RA_SUM_RANGES;
	case RA_CHECK_KERNEL:
		return row->table == RA_SUM_KERNELS;
	case RA_CHECK_COLLECTIVE:
		return row->table == RA_SUM_KERNELS && row->kind == RA_SUM_COLLECTIVE;
	case RA_CHECK_MEMCPY:
		return row->table == RA_SUM_COPIES;
	case RA_CHECK_API:
		return row->table == RA_SUM_APIS;
	case RA_CHECK_STEP:
	case RA_CHECK_GPU:
	case RA_CHECK_INPUT:
		break;
	}
	return false;
}

static void sum_rows(const struct ra_check_rule *rule, const struct ra_sum_set *set,
                     struct sums *sums)
{
	for (size_t i = 0; i < set->total_count; i++) {
		const struct ra_sum_total *total = &set->totals[i];
		const struct ra_sum_row *row = &total->row;

		if (!is_of_subject(rule->subject, row) ||
		    !matches(rule->name, set->texts.rows[row->name])) {
			continue;
		}
		sums->rows++;
		sums->total_ns = ra_util_add_time(sums->total_ns, row->total_ns);
		sums->self_ns = ra_util_add_time(sums->self_ns, row->self_ns);
		sums->cuda_ns = ra_util_add_time(sums->cuda_ns, row->gpu_total_ns);
		sums->bytes = ra_util_add(sums->bytes, row->bytes);
		sums->errors = ra_util_add(sums->errors, row->errors);
		sums->part_max_ns = total->part_max_ns;
		ra_sum_stat_merge(&sums->stat, &row->stat);
	}
	sums->part_mean_ns = (double) sums->total_ns / (double) set->source_count;
}

static void sum_steps(const struct ra_sum_set *set, struct sums *sums)
{
	for (size_t i = 0; i < set->source_count; i++) {
		const struct ra_sum_steps *steps = &set->sources[i].steps;

		if (set->sources[i].is_whole || steps->count == 0) {
			return;
		}
		const int64_t mean_ns = steps->role_ns[RA_ROLE_TOTAL] / (int64_t) steps->count;

		sums->part_max_ns = mean_ns > sums->part_max_ns ? mean_ns : sums->part_max_ns;
		sums->part_mean_ns += (double) mean_ns / (double) set->source_count;
	}
	sums->rows = 1;
	sums->total_ns = (int64_t) set->roles[RA_ROLE_TOTAL].sum_ns;
	ra_sum_stat_merge(&sums->stat, &set->roles[RA_ROLE_TOTAL]);
}

static struct figure make(double value)
{
	const struct figure figure = { NULL, value };

	return figure;
}

static struct figure refuse(const char *why)
{
	const struct figure figure = { why, 0 };

	return figure;
}

/* Of things of which there are none the number, sums and errors are 0. */
static struct figure find_sum(const struct ra_check_rule *rule, const struct sums *sums)
{
	const struct ra_sum_stat *stat = &sums->stat;

	switch (rule->figure) {
	case RA_CHECK_CALLS:
		return make((double) stat->count);
	case RA_CHECK_TOTAL:
		return make((double) sums->total_ns);
	case RA_CHECK_SELF:
		return make((double) sums->self_ns);
	case RA_CHECK_CUDA:
		return make((double) sums->cuda_ns);
	case RA_CHECK_BYTES:
		return make((double) sums->bytes);
	case RA_CHECK_ERRORS:
		return make((double) sums->errors);
	default:
		break;
	}
	if (stat->count == 0) {
		return refuse(rule->subject == RA_CHECK_STEP ? "there are no steps"
		                                             : "nothing has this name");
	}
	switch (rule->figure) {
	case RA_CHECK_MEAN:
		return make((double) stat->sum_ns / (double) stat->count);
	case RA_CHECK_MIN:
		return make((double) stat->min_ns);
	case RA_CHECK_MAX:
		return make((double) stat->max_ns);
	case RA_CHECK_P50:
		return make((double) ra_sum_stat_quantile(stat, 500));
	case RA_CHECK_P90:
		return make((double) ra_sum_stat_quantile(stat, 900));
	case RA_CHECK_P99:
		return make((double) ra_sum_stat_quantile(stat, 990));
	default: /* the imbalance */
		break;
	}
	return sums->rows > 1 ? refuse("the imbalance is that of one name, and several match")
	       : sums->part_mean_ns > 0 ? make((double) sums->part_max_ns / sums->part_mean_ns)
	                                : make(1);
}

/* A part of the mean step: its mean, or its share. */
static struct figure find_part(const struct ra_check_rule *rule, const struct ra_sum_set *set,
                               const struct sums *sums)
{
	const size_t role = (size_t) (rule->figure - RA_CHECK_KERNEL_TIME);
	const double part_ns = (double) set->roles[role].sum_ns;

	if (sums->stat.count == 0) {
		return refuse("there are no steps");
	}
	if (rule->unit == RA_CHECK_TIME) {
		return make(part_ns / (double) sums->stat.count);
	}
	return make(sums->total_ns > 0 ? part_ns / (double) sums->total_ns : 0);
}

/* Shares of the time from the first start to the last end of GPU work, of each device, summed. */
static struct figure find_gpu(const struct ra_check_rule *rule, const struct ra_sum_set *set)
{
	double device_ns = 0;
	double busy_ns = 0;
	double exposed_ns = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		const struct ra_sum_source *source = &set->sources[i];

		device_ns += (double) source->device_ns;
		busy_ns += (double) source->busy_ns;
		exposed_ns += (double) ra_rank_gpu_exposed(source->gpu_exactly_ns);
	}
	if (device_ns <= 0) {
		return refuse("there is no GPU work");
	}
	return make(rule->figure == RA_CHECK_BUSY   ? busy_ns / device_ns
	            : rule->figure == RA_CHECK_IDLE ? 1 - busy_ns / device_ns
	                                            : exposed_ns / device_ns);
}

static struct figure find_input(const struct ra_check_rule *rule, const struct ra_sum_set *set)
{
	uint64_t lost = 0;
	uint64_t events = 0;
	uint64_t incomplete = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		lost = ra_util_add(lost, set->sources[i].lost);
		events = ra_util_add(events, set->sources[i].events);
		incomplete += set->sources[i].state != RA_SUM_COMPLETE;
	}
	return make(rule->figure == RA_CHECK_LOST     ? (double) lost
	            : rule->figure == RA_CHECK_EVENTS ? (double) events
	            : rule->figure == RA_CHECK_INPUTS ? (double) set->source_count
	                                              : (double) incomplete);
}

static struct figure find_figure(const struct ra_check_rule *rule, const struct ra_sum_set *set)
{
	struct sums sums = { 0 };
	struct figure figure;

	if (rule->subject == RA_CHECK_GPU) {
		return find_gpu(rule, set);
	}
	if (rule->subject == RA_CHECK_INPUT) {
		return find_input(rule, set);
	}
	if (rule->subject == RA_CHECK_STEP) {
		sum_steps(set, &sums);
	} else {
		sum_rows(rule, set, &sums);
	}
	figure = rule->figure >= RA_CHECK_KERNEL_TIME ? find_part(rule, set, &sums)
	                                              : find_sum(rule, &sums);
	ra_sum_stat_fini(&sums.stat);
	return figure;
}

/* Whether twice as many inputs have twice as much. */
static bool is_sum(const struct ra_check_rule *rule)
{
	switch (rule->figure) {
	case RA_CHECK_CALLS:
	case RA_CHECK_TOTAL:
	case RA_CHECK_SELF:
	case RA_CHECK_CUDA:
	case RA_CHECK_BYTES:
	case RA_CHECK_ERRORS:
		return true;
	default:
		return rule->subject == RA_CHECK_INPUT;
	}
}

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

static struct ra_check_result find_result(const struct ra_check_rule *rule,
                                          const struct ra_sum_set *set,
                                          const struct ra_sum_set *baselines)
{
	const struct figure figure = find_figure(rule, set);
	struct ra_check_result result = { .rule = rule, .value = figure.value };
	double limit = rule->limit;

	result.none = figure.none;
	if (rule->baseline > 0) {
		const struct ra_sum_set *other = &baselines[rule->baseline - 1];
		const struct figure before = find_figure(rule, other);

		result.baseline = before.value;
		if (is_sum(rule) && other->source_count > 0) {
			result.baseline *=
				(double) set->source_count / (double) other->source_count;
		}
		limit *= result.baseline;
		if (result.none == NULL && before.none != NULL) {
			result.none = before.none;
			result.is_none_of_baseline = true;
		}
	}
	result.holds = result.none == NULL && holds(rule, figure.value, limit);
	return result;
}

void ra_check_add(struct ra_check *check, const struct ra_check_rules *rules,
                  const struct ra_sum_set *set, const struct ra_sum_set *baselines,
                  const char *where)
{
	ra_util_grow(&check->results, &check->capacity, check->count + rules->count,
	             sizeof(*check->results));
	for (size_t i = 0; i < rules->count; i++) {
		struct ra_check_result *result = &check->results[check->count++];

		*result = find_result(&rules->rows[i], set, baselines);
		result->where = where == NULL ? NULL : ra_alloc_copy(where);
	}
}

void ra_check_fini(struct ra_check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		free(check->results[i].where);
	}
	free(check->results);
	memset(check, 0, sizeof(*check));
}

size_t ra_check_count_broken(const struct ra_check *check)
{
	size_t count = 0;

	for (size_t i = 0; i < check->count; i++) {
		count += !check->results[i].holds;
	}
	return count;
}

static void put_figure(struct ra_util_text *text, const struct ra_check_rule *rule, double value)
{
	if (rule->unit == RA_CHECK_TIME) {
		ra_util_text_put_time(text, (int64_t) (value + 0.5));
	} else if (rule->unit == RA_CHECK_SHARE) {
		ra_util_text_format(text, "%.2f%%%s", value * 100,
		                    rule->subject == RA_CHECK_GPU ? " of the GPU span" : "");
	} else {
		ra_util_text_format(text, "%.10g", value);
	}
}

static void put_value(struct ra_util_text *text, const struct ra_check_result *result)
{
	const struct ra_check_rule *rule = result->rule;

	if (result->none != NULL) {
		ra_util_text_format(text, "%s%s", result->is_none_of_baseline ? "baseline: " : "",
		                    result->none);
		return;
	}
	put_figure(text, rule, result->value);
	if (rule->baseline > 0) {
		ra_util_text_format(text, ", baseline ");
		put_figure(text, rule, result->baseline);
		if (result->baseline > 0) {
			ra_util_text_format(text, ": %.3f times", result->value / result->baseline);
		}
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
	if (!result->holds) {
		put_value(&value, result);
	}
	ra_junit_put(text, "rule", borrow(&name), borrow(&value));
	ra_util_text_free(&name);
	ra_util_text_free(&value);
}

static void put_json(struct ra_util_text *text, const struct ra_check_result *result, bool is_first)
{
	static const char *const units[] = {
		[RA_CHECK_TIME] = "ns", [RA_CHECK_SHARE] = "share", [RA_CHECK_NUMBER] = "number"
	};

	ra_util_text_format(text, "%s{\"rule\":\"", is_first ? "" : ",\n");
	ra_util_text_put_name(text, ra_util_string(result->rule->text), RA_TEXT_JSON);
	ra_util_text_put_char(text, '"');
	if (result->where != NULL) {
		ra_util_text_format(text, ",\"input\":\"");
		ra_util_text_put_name(text, ra_util_string(result->where), RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	ra_util_text_format(text, ",\"holds\":%s,\"unit\":\"%s\",\"value\":",
	                    result->holds ? "true" : "false", units[result->rule->unit]);
	if (result->none != NULL) {
		ra_util_text_format(text, "null,\"why\":\"%s%s\"}",
		                    result->is_none_of_baseline ? "baseline: " : "", result->none);
		return;
	}
	ra_util_text_format(text, "%.17g", result->value);
	if (result->rule->baseline > 0) {
		ra_util_text_format(text, ",\"baseline_value\":%.17g", result->baseline);
	}
	ra_util_text_put_char(text, '}');
}

static void put_line(struct ra_util_text *text, const struct ra_check_result *result)
{
	ra_util_text_format(text, result->holds ? "ok    " : "FAIL  ");
	if (result->where != NULL) {
		ra_util_text_put_name(text, ra_util_string(result->where), RA_TEXT_TERMINAL);
		ra_util_text_format(text, ": ");
	}
	ra_util_text_put_name(text, ra_util_string(result->rule->text), RA_TEXT_TERMINAL);
	ra_util_text_format(text, ": ");
	put_value(text, result);
	ra_util_text_put_char(text, '\n');
}

void ra_check_print(struct ra_util_text *text, const struct ra_check *check,
                    enum ra_check_form form)
{
	const size_t broken = ra_check_count_broken(check);

	if (form == RA_CHECK_JUNIT) {
		ra_junit_begin(text, "analyzer check", check->count, broken);
	} else if (form == RA_CHECK_JSON) {
		ra_util_text_format(text, "{\"broken\":%zu,\"rules\":[\n", broken);
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
		ra_util_text_format(text, "%zu of %zu rules broken\n", broken, check->count);
	}
}

void ra_check_print_brief(struct ra_util_text *text, const struct ra_check *check, size_t rows)
{
	size_t told = 0;

	for (int holds = 0; holds < 2; holds++) {
		size_t more = 0;

		for (size_t i = 0; i < check->count; i++) {
			if (check->results[i].holds != (holds != 0)) {
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
			                    holds != 0 ? "hold" : "are broken");
		}
	}
	ra_util_text_format(text, "%zu of %zu rules broken\n", ra_check_count_broken(check),
	                    check->count);
}

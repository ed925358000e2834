/* SPDX-License-Identifier: MIT */
/* Values of the figures in rules, for a set of inputs. */
#include "analyzer/check/check-figure.h"

#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/base/text/printed-name.h"
#include "format/wire.h"

/* Sums over the rows with one name, or over steps. */
struct sums {
	struct ra_sum_stat stat;
	int64_t total_ns;
	int64_t self_ns;
	int64_t cuda_ns;
	uint64_t bytes;
	uint64_t errors;
	int64_t part_max_ns; /* the largest of the inputs' totals, or of their mean steps */
	double part_mean_ns; /* the mean of the same over all inputs */
	size_t rows;
};

/* True if a pattern matches a name; * stands for any text. */
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

/* True if a pattern copied from a table matches a name. In it ... stands for parts that were left
 * out. */
static bool matches_printed(const char *pattern, struct rlog_string name)
{
	return strstr(pattern, "...") != NULL &&
	       ra_printed_name_is_in(name.bytes, name.length, pattern);
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
	case RA_CHECK_GPU_POWER:
		return row->table == RA_SUM_GAUGES && row->kind == RLOG_GPU_POWER;
	case RA_CHECK_GPU_UTIL:
		return row->table == RA_SUM_GAUGES && row->kind == RLOG_GPU_UTIL;
	case RA_CHECK_GPU_TEMPERATURE:
		return row->table == RA_SUM_GAUGES && row->kind == RLOG_GPU_TEMPERATURE;
	case RA_CHECK_GPU_MEMORY:
		return row->table == RA_SUM_GAUGES && row->kind == RLOG_GPU_MEMORY_USED;
	case RA_CHECK_STEP:
	case RA_CHECK_GPU:
	case RA_CHECK_INPUT:
		break;
	}
	return false;
}

static void sum_rows(const struct ra_check_term *term, const struct ra_sum_set *set,
                     struct sums *sums)
{
	for (size_t i = 0; i < set->total_count; i++) {
		const struct ra_sum_total *total = &set->totals[i];
		const struct ra_sum_row *row = &total->row;

		if (!is_of_subject(term->subject, row) ||
		    (term->name != NULL && !matches(term->name, set->texts.rows[row->name]) &&
		     !matches_printed(term->name, set->texts.rows[row->name]))) {
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

static struct ra_check_value make(double value)
{
	const struct ra_check_value figure = { .value = value };

	return figure;
}

static struct ra_check_value refuse(const char *why)
{
	const struct ra_check_value figure = { .none = why };

	return figure;
}

/* True if the term has a name that can be misspelt, that is, more than a *. */
static bool has_name(const struct ra_check_term *term)
{
	return term->name != NULL && term->name[strspn(term->name, "*")] != '\0';
}

/* Returns a figure of the sums. If no row matched, numbers, sums and errors are 0. */
static struct ra_check_value find_sum(const struct ra_check_term *term, const struct sums *sums)
{
	const struct ra_sum_stat *stat = &sums->stat;

	if (sums->rows == 0 && has_name(term) && ra_check_figure_is_sum(term)) {
		return (struct ra_check_value){ .none = "nothing has this name",
			                        .is_absent = true };
	}
	switch (term->figure) {
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
		return refuse(term->subject == RA_CHECK_STEP ? "there are no steps"
		              : term->name == NULL
		                      ? "there are no samples of it (ranges run --gpu-metrics)"
		                      : "nothing has this name");
	}
	switch (term->figure) {
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
	return sums->rows > 1           ? refuse("imbalance needs one name, and several match")
	       : sums->part_mean_ns > 0 ? make((double) sums->part_max_ns / sums->part_mean_ns)
	                                : make(1);
}

/* A part of the mean step: the part's mean time, or its share of the step. */
static struct ra_check_value find_part(const struct ra_check_term *term,
                                       const struct ra_sum_set *set, const struct sums *sums)
{
	const size_t role = (size_t) (term->figure - RA_CHECK_KERNEL_TIME);
	const double part_ns = (double) set->roles[role].sum_ns;

	if (sums->stat.count == 0) {
		return refuse("there are no steps");
	}
	if (term->unit == RA_CHECK_TIME) {
		return make(part_ns / (double) sums->stat.count);
	}
	return make(sums->total_ns > 0 ? part_ns / (double) sums->total_ns : 0);
}

/* Figures as shares of the devices' time. The time of a device is from the first start to the last
 * end of its work; the times are summed over devices. */
static struct ra_check_value find_gpu(const struct ra_check_term *term,
                                      const struct ra_sum_set *set)
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
	return make(term->figure == RA_CHECK_BUSY   ? busy_ns / device_ns
	            : term->figure == RA_CHECK_IDLE ? 1 - busy_ns / device_ns
	                                            : exposed_ns / device_ns);
}

static struct ra_check_value find_input(const struct ra_check_term *term,
                                        const struct ra_sum_set *set)
{
	uint64_t lost = 0;
	uint64_t events = 0;
	uint64_t incomplete = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		lost = ra_util_add(lost, set->sources[i].lost);
		events = ra_util_add(events, set->sources[i].events);
		incomplete += set->sources[i].state != RA_SUM_COMPLETE;
	}
	return make(term->figure == RA_CHECK_LOST     ? (double) lost
	            : term->figure == RA_CHECK_EVENTS ? (double) events
	            : term->figure == RA_CHECK_INPUTS ? (double) set->source_count
	                                              : (double) incomplete);
}

/* The figure over all GPUs. */
static struct ra_check_value find_energy(const struct ra_check_term *term,
                                         const struct ra_sum_set *set)
{
	const enum ra_sum_energy kind = term->subject == RA_CHECK_STEP    ? RA_SUM_ENERGY_STEP
	                                : term->subject == RA_CHECK_GPU   ? RA_SUM_ENERGY_GPU
	                                : term->subject == RA_CHECK_RANGE ? RA_SUM_ENERGY_RANGE
	                                                                  : RA_SUM_ENERGY_KERNEL;
	double joules = 0;
	bool has_any = false;
	bool is_known = false;

	for (size_t i = 0; i < set->total_count; i++) {
		const struct ra_sum_row *row = &set->totals[i].row;

		has_any |= row->table == RA_SUM_ENERGY;
		if (row->table == RA_SUM_ENERGY && row->kind == kind &&
		    (term->name == NULL || matches(term->name, set->texts.rows[row->name]))) {
			is_known = true;
			joules += (double) row->total_ns * 1e-6;
		}
	}
	if (!is_known) {
		return refuse(!has_any ? "there are no samples of power (ranges run --gpu-metrics "
		                         "power)"
		              : term->subject == RA_CHECK_STEP ? "there are no steps"
		                                               : "nothing of this name used a GPU");
	}
	if (kind == RA_SUM_ENERGY_STEP) {
		joules /= (double) set->roles[RA_ROLE_TOTAL].count;
	}
	return make(joules);
}

/* A figure of NVML's values, which are stored multiplied by 1000. */
static struct ra_check_value find_gauge(const struct ra_check_term *term,
                                        const struct ra_sum_set *set)
{
	struct sums sums = { 0 };
	struct ra_check_value figure;

	sum_rows(term, set, &sums);
	figure = find_sum(term, &sums);
	ra_sum_stat_fini(&sums.stat);
	/* Values of utilization are also per cent. */
	figure.value /= term->subject == RA_CHECK_GPU_UTIL ? 1e5 : 1e3;
	return figure;
}

struct ra_check_value ra_check_figure_find(const struct ra_check_term *term,
                                           const struct ra_sum_set *set)
{
	struct sums sums = { 0 };
	struct ra_check_value figure;

	if (term->figure == RA_CHECK_ENERGY) {
		return find_energy(term, set);
	}
	if (term->subject == RA_CHECK_GPU) {
		return find_gpu(term, set);
	}
	if (term->subject >= RA_CHECK_GPU_POWER) {
		return find_gauge(term, set);
	}
	if (term->subject == RA_CHECK_INPUT) {
		return find_input(term, set);
	}
	if (term->subject == RA_CHECK_STEP) {
		sum_steps(set, &sums);
	} else {
		sum_rows(term, set, &sums);
	}
	figure = term->figure >= RA_CHECK_KERNEL_TIME ? find_part(term, set, &sums)
	                                              : find_sum(term, &sums);
	ra_sum_stat_fini(&sums.stat);
	return figure;
}

bool ra_check_figure_is_sum(const struct ra_check_term *term)
{
	switch (term->figure) {
	case RA_CHECK_CALLS:
	case RA_CHECK_TOTAL:
	case RA_CHECK_SELF:
	case RA_CHECK_CUDA:
	case RA_CHECK_BYTES:
	case RA_CHECK_ERRORS:
		return true;
	case RA_CHECK_ENERGY:
		return term->subject != RA_CHECK_STEP;
	default:
		return term->subject == RA_CHECK_INPUT;
	}
}

bool ra_check_figure_varies(const struct ra_check_term *term)
{
	return term->unit != RA_CHECK_NUMBER || term->figure == RA_CHECK_IMBALANCE;
}

bool ra_check_figure_is_quantile(const struct ra_check_term *term)
{
	return term->figure == RA_CHECK_P50 || term->figure == RA_CHECK_P90 ||
	       term->figure == RA_CHECK_P99;
}

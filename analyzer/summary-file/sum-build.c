/* SPDX-License-Identifier: MIT */
/* A summary's part from a model: its ranges. */
#include "analyzer/summary-file/sum-build.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/names/group.h"
#include "analyzer/figures/metrics.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/step-pattern.h"
#include "analyzer/summary-file/sum-build-energy.h"
#include "analyzer/summary-file/sum-changes.h"
#include "analyzer/summary-file/sum-counts.h"
#include "analyzer/summary-file/sum-series.h"
#include "format/error.h"

uint32_t ra_sum_build_text(struct ra_sum_build_job *job, struct rlog_string text)
{
	const size_t count = job->texts.count;
	uint32_t index;

	ra_sum_texts_find(&job->texts, text, &index);
	if (index == count) {
		index = ra_sum_keep(job->part, text);
		job->texts.rows[index] = job->part->texts[index];
	}
	return index;
}

static void fill_range(struct ra_sum_build_job *job, const struct ra_metrics_row *from,
                       struct ra_sum_row *row)
{
	const struct rlog_string domain = ra_report_name_domain(job->model, from->key.domain);
	const struct rlog_string name = ra_labels_name(&job->labels, from->key.name);

	row->domain = ra_sum_build_text(job, domain);
	row->kind = from->key.kind;
	row->total_ns = from->total_ns;
	row->self_ns = from->self_ns;
	row->gpu_self_ns = from->gpu_self_ns;
	row->gpu_total_ns = from->gpu_total_ns;
	row->name = ra_sum_build_text(job, name);
}

/* Groups are in the order in which they first occur: a path's parent before it. */
static void set_parents(struct ra_sum_part *part, size_t first, const struct ra_group *group)
{
	uint32_t *row_of_path = ra_alloc_bytes((group->path_count + 1) * sizeof(*row_of_path));

	for (size_t i = 0; i < group->path_count; i++) {
		row_of_path[i] = RA_NONE;
	}
	for (size_t i = 0; i < group->count; i++) {
		const uint32_t path = group->keys[i].path;
		const uint32_t parent = group->paths[path].parent;

		part->rows[first + i].parent = parent == RA_NONE ? RA_NONE : row_of_path[parent];
		if (row_of_path[path] == RA_NONE) {
			row_of_path[path] = (uint32_t) (first + i);
		}
	}
	free(row_of_path);
}

static void add_slices(struct ra_sum_build_job *job, size_t first, const struct ra_group *group)
{
	const struct ra_slices *slices = &job->model->slices;

	for (size_t i = 0; i < slices->count; i++) {
		ra_sum_stat_add(&job->part->rows[first + group->of_slice[i]].stat,
		                slices->dur_ns[i], slices->start_ns[i]);
	}
}

/* Metrics have the rows of a group of the same keys, in its order. */
static void add_rows(struct ra_sum_build_job *job, enum ra_sum_table table,
                     const struct ra_metrics *metrics)
{
	ra_sum_make_room(job->part, metrics->count);
	for (size_t i = 0; i < metrics->count; i++) {
		struct ra_sum_row *row = ra_sum_add_row(job->part);

		row->table = table;
		fill_range(job, &metrics->rows[i], row);
	}
}

static void add_projected(struct ra_sum_projected *sum, const struct ra_launch_range *range)
{
	const int64_t time_ns = range->last_ns - range->first_ns;

	sum->min_ns = sum->ranges == 0 || time_ns < sum->min_ns ? time_ns : sum->min_ns;
	sum->max_ns = time_ns > sum->max_ns ? time_ns : sum->max_ns;
	sum->total_ns = ra_util_add_time(sum->total_ns, time_ns);
	sum->ops = ra_util_add(sum->ops, range->ops);
	sum->ranges++;
}

/* Adds what the ranges of each row launched. */
static void project_rows(struct ra_sum_build_job *job, size_t first, const struct ra_group *group)
{
	const struct ra_launch_ranges *launches = &job->launches;
	struct ra_sum_part *part = job->part;
	struct ra_sum_projected *sums;

	if (launches->count == 0) {
		return;
	}
	sums = ra_alloc_zeros(group->count + 1, sizeof(*sums));
	for (size_t i = 0; i < launches->count; i++) {
		if (launches->rows[i].ops > 0) {
			add_projected(&sums[group->of_slice[launches->rows[i].slice]],
			              &launches->rows[i]);
		}
	}
	for (size_t i = 0; i < group->count; i++) {
		if (sums[i].ranges > 0) {
			sums[i].row = (uint32_t) (first + i);
			RA_UTIL_APPEND(part->projected, part->projected_count,
			               part->projected_capacity, sums[i]);
		}
	}
	free(sums);
}

static void add_ranges(struct ra_sum_build_job *job, enum ra_sum_table table, unsigned by)
{
	const size_t first = job->part->row_count;
	struct ra_metrics metrics = { 0 };
	struct ra_group group = { 0 };

	ra_metrics_init(&metrics, job->model, by, &job->labels);
	add_rows(job, table, &metrics);
	ra_metrics_fini(&metrics);
	ra_group_init(&group, job->model, by, &job->labels);
	if (table == RA_SUM_PATHS) {
		set_parents(job->part, first, &group);
	}
	add_slices(job, first, &group);
	project_rows(job, first, &group);
	if (table == RA_SUM_RANGES) {
		ra_sum_changes_find(job->part, first, &job->model->slices, &group);
	}
	if (table == RA_SUM_RANGES && job->options->series != NULL) {
		ra_sum_series_note_ranges(job->options->series, job->model, &job->labels, first,
		                          &group, NULL);
	}
	ra_group_fini(&group);
}

/* Ranges by what was counted, in place of all else but facts. */
static void add_counts(struct ra_sum_build_job *job)
{
	int64_t *values = ra_sum_counts_find(job->model, job->options->by);
	struct ra_metrics metrics = { 0 };
	struct ra_group group = { 0 };

	ra_metrics_init(&metrics, job->model, RA_GROUP_BY_NAME, &job->labels);
	add_rows(job, RA_SUM_RANGES, &metrics);
	ra_metrics_fini(&metrics);
	ra_group_init(&group, job->model, RA_GROUP_BY_NAME, &job->labels);
	ra_sum_counts_put(job->part, &job->model->slices, &group, values);
	ra_sum_build_facts(job);
	if (job->options->series != NULL) {
		ra_sum_series_note_ranges(job->options->series, job->model, &job->labels, 0, &group,
		                          values);
		ra_sum_series_seal(job->options->series, job->part);
	}
	ra_sum_counts_drop_empty(job->part);
	ra_group_fini(&group);
	free(values);
}

static void build(struct ra_sum_build_job *job)
{
	(void) ra_sum_build_text(job, ra_util_string("")); /* the first, index 0 */
	if (job->options->by != RA_COUNT_NONE) {
		add_counts(job);
		return;
	}
	ra_launch_ranges_init(&job->launches, job->model, NULL, NULL);
	add_ranges(job, RA_SUM_RANGES, RA_GROUP_BY_NAME);
	add_ranges(job, RA_SUM_PATHS, RA_GROUP_BY_PATH);
	ra_launch_ranges_fini(&job->launches);
	ra_sum_build_gpu(job);
	ra_sum_build_facts(job);
	ra_sum_build_energy(&(struct ra_sum_build_energy){
		.part = job->part,
		.texts = &job->texts,
		.model = job->model,
		.time = job->time,
		.whole = job->whole,
		.labels = &job->labels,
		.kernels = &job->kernels,
		.is_of_steps = job->options->steps != NULL,
	});
	if (job->options->series != NULL) {
		ra_sum_series_seal(job->options->series, job->part);
	}
}

/* The user's pattern of steps, else that by which their names tell them; NULL: neither. */
static const char *find_pattern(const struct ra_sum_build_job *job)
{
	return job->options->step_range != NULL ? job->options->step_range : job->steps.guess;
}

/* Steps that are told by a pattern are calls of one thing, as in other runs: its text is their
 * name. */
static void name_steps(struct ra_sum_build_job *job)
{
	const struct ra_model *model = job->model;
	const struct ra_slices *slices = &model->slices;
	const struct ra_step_pattern pattern = ra_step_pattern_make(find_pattern(job));
	bool *is_step = ra_alloc_zeros(model->name_count + 1, sizeof(*is_step));

	for (size_t i = 0; i < slices->count; i++) {
		const uint32_t name = slices->name[i];

		is_step[name] =
			is_step[name] ||
			ra_step_pattern_matches(
				&pattern, ra_model_string(model, name),
				ra_model_string(model, model->domains[slices->domain[i]].name),
				NULL);
	}
	ra_labels_share(&job->labels, pattern.name, is_step);
	free(is_step);
}

static bool has_patterns(const struct ra_sum_build_job *job)
{
	struct ra_step_pattern pattern;

	if (find_pattern(job) == NULL) {
		return false;
	}
	pattern = ra_step_pattern_make(find_pattern(job));
	return ra_step_pattern_has_wildcard(&pattern);
}

static void build_named(struct ra_sum_build_job *job)
{
	const struct ra_labels_options kernels = { .is_kernels = true,
		                                   .kernel_form = RA_KERNEL_FULL };
	const struct ra_steps_options chosen = { job->options->step_range, job->options->steps };

	ra_labels_init(&job->labels, job->model, &job->options->names);
	ra_labels_init(&job->kernels, job->model, &kernels);
	ra_steps_init(&job->steps, job->whole, &chosen);
	if (has_patterns(job)) {
		name_steps(job);
	}
	build(job);
	ra_steps_fini(&job->steps);
	ra_labels_fini(&job->labels);
	ra_labels_fini(&job->kernels);
	ra_sum_texts_fini(&job->texts);
}

static int build_of_steps(struct ra_sum_build_job *job)
{
	const struct ra_steps_options all = { .range = job->options->step_range };
	const struct ra_steps_options chosen = { all.range, job->options->steps };
	struct ra_steps steps;
	bool has_any;

	ra_steps_init(&steps, job->whole, &all);
	has_any = ra_steps_has_any(&steps, chosen.only);
	ra_steps_fini(&steps);
	if (!has_any) {
		return -RLOG_E_ARGUMENT;
	}
	ra_select_init(&job->select, job->whole, &chosen);
	job->model = &job->select.things;
	job->time = &job->select.time;
	build_named(job);
	ra_select_fini(&job->select);
	return 0;
}

int ra_sum_build(struct ra_sum_part *part, const struct ra_model *model,
                 const struct ra_sum_build_options *options)
{
	struct ra_sum_build_job job = {
		.part = part, .model = model, .time = model, .whole = model, .options = options
	};

	if (options->steps != NULL) {
		return build_of_steps(&job);
	}
	build_named(&job);
	return 0;
}

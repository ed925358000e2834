/* SPDX-License-Identifier: MIT */
/* Makes a summary's part from a model: its ranges. */
#include "analyzer/summary-file/build/sum-build-rows.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/names/group.h"
#include "analyzer/figures/host-alone.h"
#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/summary-file/build/sum-build-energy.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/summary-file/build/sum-causes.h"
#include "analyzer/summary-file/build/sum-changes.h"
#include "analyzer/summary-file/build/sum-counts.h"
#include "analyzer/summary-file/build/sum-series.h"
#include "analyzer/summary-file/build/sum-walk.h"
#include "format/error.h"

static void add_slices(struct ra_sum_build_job *job, size_t first, const struct ra_group *group)
{
	const struct ra_slices *slices = &job->model->slices;

	for (size_t i = 0; i < slices->count; i++) {
		ra_sum_stat_add(&job->part->rows[first + group->of_slice[i]].stat,
		                slices->dur_ns[i], slices->start_ns[i]);
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

/* Adds to each row the GPU work that its ranges launched. */
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
	ra_sum_build_rows(job, table, &metrics);
	ra_metrics_fini(&metrics);
	ra_group_init(&group, job->model, by, &job->labels);
	if (table == RA_SUM_PATHS) {
		ra_sum_build_parents(job->part, first, &group);
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

/* Adds ranges with their counter values instead of times, and facts. */
static void add_counts(struct ra_sum_build_job *job)
{
	int64_t *values = ra_sum_counts_find(job->model, job->options->by);
	struct ra_metrics metrics = { 0 };
	struct ra_group group = { 0 };

	ra_metrics_init(&metrics, job->model, RA_GROUP_BY_NAME, &job->labels);
	ra_sum_build_rows(job, RA_SUM_RANGES, &metrics);
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

/* Adds everything except ranges and paths. */
static void build_rest(struct ra_sum_build_job *job)
{
	ra_sum_build_gpu(job);
	ra_sum_build_own(job);
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
		job->options->series->fill_ns = ra_sum_causes_fill(&job->steps);
		job->options->series->is_fill_longest =
			ra_report_steps_is_first_longest(&job->steps);
		job->options->series->host = ra_host_alone_find(job->whole, &job->steps);
		ra_sum_causes_build(job);
	}
}

static void build(struct ra_sum_build_job *job)
{
	if (job->options->by != RA_COUNT_NONE) {
		add_counts(job);
		return;
	}
	ra_launch_ranges_init(&job->launches, job->model, NULL, NULL);
	add_ranges(job, RA_SUM_RANGES, RA_GROUP_BY_NAME);
	if (!job->options->without_paths) {
		add_ranges(job, RA_SUM_PATHS, RA_GROUP_BY_PATH);
	}
	ra_launch_ranges_fini(&job->launches);
	build_rest(job);
}

static int build_named(struct ra_sum_build_job *job)
{
	const struct ra_labels_options kernels = { .is_kernels = true,
		                                   .kernel_form = RA_KERNEL_FULL };
	const struct ra_steps_options chosen = { job->options->step_range, job->options->steps };
	int rc = 0;

	ra_labels_init(&job->labels, job->model, &job->options->names);
	ra_labels_init(&job->kernels, job->model, &kernels);
	job->kernel_texts = ra_alloc_zeros(job->whole->name_count + 1, sizeof(*job->kernel_texts));
	job->call_texts = ra_alloc_zeros(job->whole->name_count + 1, sizeof(*job->call_texts));
	/* it must be the first text, with index 0 */
	(void) ra_sum_build_text(job, ra_util_string(""));
	if (job->whole->walk != NULL) {
		rc = ra_sum_walk_build(job);
		if (rc == 0) {
			build_rest(job);
		}
	} else {
		ra_steps_init(&job->steps, job->whole, &chosen);
		ra_sum_build_name_steps(job, &job->model->slices);
		build(job);
	}
	ra_steps_fini(&job->steps);
	ra_labels_fini(&job->labels);
	ra_labels_fini(&job->kernels);
	free(job->kernel_texts);
	free(job->call_texts);
	ra_sum_texts_fini(&job->texts);
	ra_sum_causes_destroy(job->causes);
	free(job->costs);
	return rc;
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
	(void) build_named(job);
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
	return build_named(&job);
}

/* SPDX-License-Identifier: MIT */
/* Adds to a summary's part texts, rows of ranges, and names of steps. */
#include "analyzer/summary-file/build/sum-build-rows.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/step-pattern.h"

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

/* The metrics have one row for each group, in the same order. */
void ra_sum_build_rows(struct ra_sum_build_job *job, enum ra_sum_table table,
                       const struct ra_metrics *metrics)
{
	ra_sum_make_room(job->part, metrics->count);
	for (size_t i = 0; i < metrics->count; i++) {
		struct ra_sum_row *row = ra_sum_add_row(job->part);

		row->table = table;
		fill_range(job, &metrics->rows[i], row);
	}
}

/* Groups are in the order in which they first come, so a path's parent comes before it. */
void ra_sum_build_parents(struct ra_sum_part *part, size_t first, const struct ra_group *group)
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

/* The pattern that the user gave, or the one by which steps were found; NULL: neither. */
static const char *find_pattern(const struct ra_sum_build_job *job)
{
	return job->options->step_range != NULL ? job->options->step_range : job->steps.guess;
}

/* True if steps were found by a pattern that may match several names. */
static bool has_patterns(const struct ra_sum_build_job *job)
{
	struct ra_step_pattern pattern;

	if (find_pattern(job) == NULL) {
		return false;
	}
	pattern = ra_step_pattern_make(find_pattern(job));
	return ra_step_pattern_has_wildcard(&pattern);
}

void ra_sum_build_name_steps(struct ra_sum_build_job *job, const struct ra_slices *slices)
{
	const struct ra_model *model = job->model;
	struct ra_step_pattern pattern;
	bool *is_step;

	if (!has_patterns(job)) {
		return;
	}
	pattern = ra_step_pattern_make(find_pattern(job));
	is_step = ra_alloc_zeros(model->name_count + 1, sizeof(*is_step));
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

/* SPDX-License-Identifier: MIT */
/* Makes the summary of one input. */
#include "analyzer/batch/batch-one.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/range-counts.h"
#include "analyzer/read-log/ranges/slice-counts.h"
#include "analyzer/summary-file/sum-texts.h"

void ra_batch_one_fini_series(struct ra_batch_series *series)
{
	for (size_t i = 0; i < series->count; i++) {
		ra_sum_series_fini(&series->rows[i]);
	}
	free(series->rows);
	memset(series, 0, sizeof(*series));
}

/* True if the figures can be computed without holding all ranges in memory. */
static bool can_walk(const struct ra_batch_options *options)
{
	const struct ra_link_options *link = &options->load.link;

	return !options->sees_ranges && options->steps == NULL && options->by == RA_COUNT_NONE &&
	       !options->names.merges_numbers && !link->with_sequence && !link->with_process &&
	       !link->with_origin;
}

/* Builds a part from a model and adds it to the file. Destroys the model. Return: as
 * ra_sum_build(). */
static int build(struct ra_sum_file *file, struct ra_model *model, struct ra_sum_part *part,
                 const struct ra_batch_options *options)
{
	struct ra_sum_series series = { 0 };
	const struct ra_sum_build_options build_options = {
		.names = options->names,
		.step_range = options->step_range,
		.steps = options->steps,
		.words = options->words,
		.by = options->by,
		.without_paths = options->without_paths,
		.series = options->series == NULL ? NULL : &series,
	};
	const int rc = ra_sum_build(part, model, &build_options);

	ra_model_destroy(model);
	if (rc == 0 && options->series != NULL) {
		memcpy(series.id, part->origin.id, sizeof(series.id));
		RA_UTIL_APPEND(options->series->rows, options->series->count,
		               options->series->capacity, series);
	} else {
		ra_sum_series_fini(&series);
	}
	if (rc == 0) {
		ra_sum_file_add(file, part);
	}
	return rc;
}

/* Checks if the options can be applied to this kind of input. */
static int check_model(const struct ra_batch_input *input, const struct ra_model *model,
                       const struct ra_batch_options *options, struct rlog_error *err)
{
	if (options->by != RA_COUNT_NONE && ra_range_counts_find(model, options->by) == RA_COUNTS) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "the log has no %s: record it with `ranges run --count %s`",
		                      ra_slice_counts_words[options->by],
		                      ra_slice_counts_words[options->by]);
	}
	return options->see_model == NULL
	               ? 0
	               : options->see_model(options->see_context, input, model, err);
}

static void name_origin(struct ra_sum_part *part, const struct ra_batch_input *input)
{
	part->origin.run = ra_sum_texts_copy(ra_util_string(input->run));
	part->origin.source = ra_sum_texts_copy(ra_util_string(input->source));
}

/* Reads the input and appends its part. @id: the part's id. */
static int add_part(struct ra_sum_file *file, const struct ra_batch_input *input,
                    const struct ra_batch_options *options, const uint8_t *id,
                    struct rlog_error *err)
{
	struct ra_load_options load = options->load;
	bool is_seen = false;
	int rc = RA_SUM_NEEDS_RANGES;

	load.few_args = true;
	load.few_rows = options->steps == NULL;
	load.walks = can_walk(options);
	while (rc == RA_SUM_NEEDS_RANGES) {
		struct ra_sum_part part = { 0 };
		struct ra_model *model = NULL;

		rc = ra_load_file(&model, input->path, &load, err);
		if (rc == 0) {
			rc = ra_load_check_any(model, err);
		}
		if (rc == 0 && !is_seen) {
			rc = check_model(input, model, options, err);
		}
		if (rc != 0) {
			ra_model_destroy(model);
			return rc;
		}
		is_seen = true;
		load.walks = false; /* the next attempt holds all ranges in memory */
		memcpy(part.origin.id, id, sizeof(part.origin.id));
		name_origin(&part, input);
		rc = build(file, model, &part, options);
		ra_sum_fini(&part);
	}
	return rc == 0 ? 0
	               : rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "there is no step %s",
	                                options->steps);
}

int ra_batch_one(struct ra_sum_file *file, const struct ra_batch_input *input,
                 const struct ra_batch_options *options, struct rlog_error *err)
{
	uint8_t id[RA_SUM_ID_BYTES];
	int rc;

	if (ra_sum_file_is(input->path) && options->steps != NULL) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "steps cannot be chosen from a summary: `analyzer summarize "
		                      "--steps` chooses them");
	}
	if (ra_sum_file_is(input->path) && options->by != RA_COUNT_NONE) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "a summary has no counts: give the logs");
	}
	if (ra_sum_file_is(input->path)) {
		return ra_sum_file_read(file, input->path, err);
	}
	rc = ra_sum_id_file(input->path, options->words, id, err);
	return rc != 0 ? rc : add_part(file, input, options, id, err);
}

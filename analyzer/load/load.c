/* SPDX-License-Identifier: MIT */
/* The entry point: chooses a reader for a file, and links the model that it makes. */
#include "analyzer/load/load.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/phase.h"
#include "analyzer/load/inputs.h"
#include "analyzer/read-log/chunks/density.h"
#include "analyzer/read-log/log-input.h"
#include "analyzer/read-log/log-load.h"
#include "analyzer/rows/kineto.h"
#include "format/read/reader.h"

static struct ra_input_options take_options(const struct ra_load_options *options)
{
	struct ra_input_options taken = { 0 };

	if (options != NULL) {
		taken.progress = options->progress;
		taken.progress_context = options->progress_context;
		taken.with_python = options->with_python;
		taken.rows_only = options->rows_only;
		taken.few_args = options->few_args;
		taken.few_rows = options->few_rows && !options->link.with_sequence;
		taken.finding = options->finding;
		taken.finding_context = options->finding_context;
		taken.sink = options->sink;
		taken.sink_least = options->sink_least;
		taken.walks = options->walks;
		taken.walk_least = options->walk_least;
		taken.once = options->once;
		taken.window = options->window;
		taken.steps = options->steps;
		taken.with_origin = options->link.with_origin;
		taken.captures = options->captures;
	}
	return taken;
}

static void link_model(struct ra_model *model, const struct ra_input *input,
                       const struct ra_load_options *options)
{
	struct ra_link_options link = { 0 };
	uint32_t *causes = NULL;

	if (options != NULL) {
		link = options->link;
	}
	if (link.with_sequence && input->find_causes != NULL) {
		causes = input->find_causes(model);
		link.causes = causes;
	}
	ra_phase_begin("link");
	ra_link_build(model, &link);
	ra_phase_end();
	free(causes);
}

/* Links a model, then runs the finish step of its input. */
static void finish_model(struct ra_model *model, const struct ra_input *input,
                         const struct ra_load_options *options)
{
	const struct ra_input_options read_options = take_options(options);

	link_model(model, input, options);
	if (input->finish != NULL) {
		input->finish(model, &read_options);
	}
}

/* Notes a fault in the packed data. The model was made from the data before the fault. */
static void note_packed(struct ra_model *model, const struct rlog_error *error)
{
	struct ra_quality *q = &model->quality;

	if (ra_model_has(model, RA_HAS_ROWS)) {
		*model->kineto->stop = *error; /* the text ended early only because of this fault */
		q->first_damage = error->offset;
	}
	if (q->damaged_stretches == 0) {
		q->first_damage = error->offset;
		q->damaged_stretches = 1;
	}
}

/* Ends the source. Return: rc, or the fault in the source, which explains a failure better. */
static int finish_source(struct ra_source *source, int rc, struct ra_model *model,
                         struct rlog_error *err)
{
	struct rlog_error packed = { 0 };
	const int packed_rc = ra_source_finish(source, &packed);

	if (packed_rc == 0) {
		return rc;
	}
	if (rc == 0) {
		if (model != NULL) {
			note_packed(model, &packed);
		} else if (err != NULL) {
			*err = packed; /* the undamaged part of a log is read nevertheless */
		}
		return 0;
	}
	if (err != NULL) {
		*err = packed;
	}
	return packed_rc;
}

/* Refuses the option `captures` for an input that is not a trace. */
static int check_captures(const struct ra_model *model, const struct ra_load_options *options,
                          struct rlog_error *err)
{
	if (options == NULL || options->captures == NULL ||
	    (ra_model_has(model, RA_HAS_ROWS) && model->kineto->captured != NULL)) {
		return 0;
	}
	if (!ra_model_has(model, RA_HAS_LOG)) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "--graph-capture works only with PyTorch's traces in JSON");
	}
	return rlog_error_set(
		err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		"--graph-capture works only with traces in JSON; for a log use --attribute origin");
}

struct loading {
	struct ra_model **out;
	const char *path;
	const struct ra_load_options *options;
	struct rlog_error *err;
};

static int load_file(void *context)
{
	const struct loading *loading = context;
	const struct ra_input_options read_options = take_options(loading->options);
	const struct ra_input *input;
	struct ra_model *model = NULL;
	struct ra_source source;
	int rc = ra_source_open(&source, loading->path, loading->err);

	if (rc != 0) {
		return rc;
	}
	ra_density_lift();
	input = ra_inputs_find(&source);
	ra_phase_begin("read");
	rc = input->read(&model, &source, &read_options, loading->err);
	ra_phase_end();
	rc = finish_source(&source, rc, model, loading->err);
	if (rc == 0) {
		rc = check_captures(model, loading->options, loading->err);
	}
	if (rc != 0) {
		ra_model_destroy(model);
	} else {
		finish_model(model, input, loading->options);
		*loading->out = model;
	}
	return rc;
}

int ra_load_file(struct ra_model **out, const char *path, const struct ra_load_options *options,
                 struct rlog_error *err)
{
	struct loading loading = { out, path, options, err };
	int rc = ra_alloc_try(load_file, &loading);

	if (rc == -RLOG_E_NO_MEMORY) {
		rc = rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "%s",
		                    ra_density_tell_end());
		ra_density_lift(); /* otherwise the memory that leaked would count towards the limit
		                    */
	}
	return rc;
}

int ra_load_check_any(const struct ra_model *model, struct rlog_error *err)
{
	const struct ra_quality *quality = &model->quality;

	if (!ra_model_has(model, RA_HAS_ROWS) || quality->events > 0 ||
	    quality->damaged_stretches == 0) {
		return 0;
	}
	return rlog_error_set(err, RLOG_E_TRUNCATED, quality->first_damage,
	                      "expected events, but none can be read");
}

int ra_load_log(struct rlog_reader **out, const char *path, struct rlog_error *err)
{
	struct ra_source source;
	int rc = ra_source_open(&source, path, err);

	if (rc == 0) {
		const struct ra_input *input = ra_inputs_find(&source);

		rc = input->read_log(out, &source, err);
		if (rc == -RLOG_E_NOT_A_LOG && input != &ra_log_input) {
			(void) ra_source_finish(&source, NULL); /* its packing does not matter */
		} else {
			rc = finish_source(&source, rc, NULL, err);
		}
	}
	if (rc == 0) {
		rc = ra_density_check(*out, err);
		if (rc != 0) {
			rlog_reader_close(*out);
			*out = NULL;
		}
	}
	return rc;
}

int ra_load_memory(struct ra_model **out, const void *bytes, size_t size,
                   const struct ra_load_options *options, struct rlog_error *err)
{
	const struct ra_input_options read_options = take_options(options);
	struct rlog_reader *reader = NULL;
	struct ra_model *model = NULL;
	int rc = rlog_reader_open_memory(&reader, bytes, size, err);

	if (rc == 0) {
		rc = ra_log_load_reader(&model, reader, &read_options, err);
	}
	if (rc == 0) {
		finish_model(model, &ra_log_input, options);
		*out = model;
	}
	return rc;
}

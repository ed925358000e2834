/* SPDX-License-Identifier: MIT */
/* Reads a trace in JSON: file → rows → model. */
#include "analyzer/read-json/kineto-load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/phase.h"
#include "analyzer/base/util.h"
#include "analyzer/read-json/json-log.h"
#include "analyzer/graphs/graph-replay.h"
#include "analyzer/read-json/kineto-captures.h"
#include "analyzer/read-json/model/kineto-model.h"
#include "analyzer/read-json/kineto-read.h"
#include "analyzer/read-json/model/kineto-sequence.h"
#include "analyzer/read-log/log-load.h"
#include "analyzer/rows/kineto-drop.h"

static void release(void *array)
{
	void *bytes;

	memcpy(&bytes, array, sizeof(bytes));
	free(bytes);
	bytes = NULL;
	memcpy(array, &bytes, sizeof(bytes));
}

/* Frees half of the model's memory. The footer reads only counts, and the names of open ranges. */
static void release_model(struct ra_model *model)
{
	struct ra_slices *slices = &model->slices;
	struct ra_gpu *gpu = &model->gpu;

	release(&model->kineto->slice_event);
	release(&model->kineto->op_event);
	release(&model->kineto->api_event);
	release(&model->kineto->sync_event);
	release(&gpu->ops);
	release(&gpu->apis);
	release(&gpu->syncs);
	if (model->quality.open_ranges == 0) {
		release(&slices->start_ns);
		release(&slices->dur_ns);
		release(&slices->name);
		release(&slices->parent);
		release(&slices->domain);
		release(&slices->flags);
	}
}

/* Drops rows that are no longer needed. Names have been read, and work of devices is linked by ids.
 * But if rows are recognised by their names, flows tell who launched what, so they must stay. */
static void drop_rows(struct ra_kineto *kineto)
{
	uint64_t kinds = UINT64_C(1) << RA_KINETO_METADATA;

	if (!kineto->has_details) {
		kinds |= UINT64_C(1) << RA_KINETO_FLOW_START | UINT64_C(1) << RA_KINETO_FLOW_STEP |
		         UINT64_C(1) << RA_KINETO_FLOW_END;
	}
	ra_kineto_drop(kineto, kinds);
}

struct extending {
	const struct ra_input_options *options;
	struct ra_kineto_captures *captures;
};

/* Adds the ranges in which graphs were captured. */
static void extend(void *context, struct ra_kineto_store *store)
{
	const struct extending *extending = context;
	const struct ra_graph_replay_options options = {
		.captures = extending->captures->traces,
		.capture_count = extending->captures->count,
		.with_python = extending->options->with_python,
	};

	if (!store->kineto->is_ours) {
		ra_graph_replay_extend(store, &options);
	}
}

/* Moves the notes about damaged traces of captures to the model's rows. */
static void take_notes(struct ra_kineto *kineto, struct ra_kineto_captures *captures)
{
	struct ra_kineto_captured *captured = kineto->captured;

	if (captured == NULL || captures->count == 0) {
		return;
	}
	captured->is_given = true;
	captured->damaged = captures->damaged;
	captured->unread = captures->unread;
	if (captures->notes.length > 0) {
		ra_util_text_put_char(&captures->notes, '\0');
		captured->notes = captures->notes.bytes;
		captures->notes = (struct ra_util_text){ 0 };
	}
}

/* Reads the events and closes the input. If the trace contains a log, *reader is set; if not,
 * *kineto is set. */
static int read_rows(struct ra_kineto **kineto, struct rlog_reader **reader,
                     struct ra_kineto_input *input, const struct extending *extending,
                     struct rlog_error *err)
{
	const struct ra_input_options *options = extending->options;
	struct extending copy = *extending;
	const bool has_captures =
		options != NULL && (options->captures != NULL || options->with_origin);
	const struct ra_kineto_read_options read_options = {
		.extend = has_captures ? extend : NULL,
		.extend_context = &copy,
		.progress = options != NULL ? options->progress : NULL,
		.progress_context = options != NULL ? options->progress_context : NULL,
		.few_args = options != NULL && options->few_args,
		.finding = options != NULL ? options->finding : NULL,
		.finding_context = options != NULL ? options->finding_context : NULL,
	};
	enum ra_json_log_state state = RA_JSON_LOG_NONE;
	struct rlog_error *stop = ra_alloc_zeros(1, sizeof(*stop));
	const int rc = ra_kineto_read(kineto, input, &read_options, stop, err);

	if (rc != 0) {
		ra_kineto_input_close(input);
		free(stop);
		return rc;
	}
	(*kineto)->stop = stop;
	(*kineto)->takes_captures = !(*kineto)->is_ours;
	take_notes(*kineto, extending->captures);
	ra_kineto_index(*kineto);
	if (options == NULL || !options->rows_only) {
		state = ra_json_log_open(reader, *kineto, ra_kineto_input_watch(input));
	}
	ra_kineto_input_close(input);
	(*kineto)->oddities.changed_logs = state == RA_JSON_LOG_CHANGED;
	(*kineto)->oddities.damaged_logs = state == RA_JSON_LOG_DAMAGED;
	if (state == RA_JSON_LOG_THERE) {
		ra_kineto_destroy(*kineto);
		*kineto = NULL;
	} else if (options != NULL && options->few_rows && (*kineto)->captured == NULL) {
		/* Ranges of captures refer to rows by number. So if graphs were captured, no rows
		 * are dropped. */
		drop_rows(*kineto);
	}
	return 0;
}

/* Does what read_rows() does, with the captures of the trace's graphs. */
static int read_input(struct ra_kineto **kineto, struct rlog_reader **reader,
                      struct ra_kineto_input *input, const struct ra_input_options *options,
                      struct rlog_error *err)
{
	struct ra_kineto_captures captures = { 0 };
	const struct extending extending = { options, &captures };
	int rc = 0;

	if (options != NULL && options->captures != NULL) {
		rc = ra_kineto_captures_read(&captures, options->captures, err);
	}
	if (rc == 0) {
		rc = read_rows(kineto, reader, input, &extending, err);
	} else {
		ra_kineto_input_close(input);
	}
	ra_kineto_captures_fini(&captures);
	return rc;
}

/* NULL for the log inside a trace: then the rule uses names. */
uint32_t *ra_kineto_load_find_causes(const struct ra_model *model)
{
	return model->kineto != NULL ? ra_kineto_sequence_find(model) : NULL;
}

void ra_kineto_load_finish(struct ra_model *model, const struct ra_input_options *options)
{
	if (model->kineto == NULL) {
		return;
	}
	model->kineto->oddities.duplicate_correlations = model->gpu.duplicate_calls;
	for (size_t i = 0; i < model->gpu.op_count; i++) {
		model->kineto->oddities.no_grid += model->gpu.ops[i].kind == RA_GPU_KERNEL &&
		                                   model->gpu.ops[i].shape == RA_NONE;
	}
	if (options != NULL && options->rows_only) {
		release_model(model);
	}
}

static struct ra_model *make_model(struct ra_kineto *kineto, unsigned has,
                                   const struct ra_input_options *options)
{
	const struct ra_kineto_model_options model_options = {
		.with_python = options != NULL && options->with_python,
	};
	struct ra_model *model = ra_alloc_zeros(1, sizeof(*model));

	model->has = has;
	ra_phase_begin("model");
	ra_kineto_model_build(model, kineto, &model_options);
	ra_phase_end();
	model->gpu.lacks_calls = kineto->has_details && model->gpu.api_count == 0;
	return model;
}

struct ra_model *ra_kineto_load_rows(struct ra_kineto *kineto, struct rlog_error *stop,
                                     unsigned has, const struct ra_input_options *options)
{
	kineto->stop = stop;
	kineto->has_details = true;
	ra_kineto_index(kineto);
	return make_model(kineto, has, options);
}

/* Makes a model from an input, and closes the input. */
static int load_input(struct ra_model **out, struct ra_kineto_input *input,
                      const struct ra_input_options *options, struct rlog_error *err)
{
	struct rlog_reader *reader = NULL;
	struct ra_kineto *kineto = NULL;
	int rc = read_input(&kineto, &reader, input, options, err);

	if (rc != 0) {
		return rc;
	}
	if (kineto == NULL) {
		return ra_log_load_reader(out, reader, options, err);
	}
	*out = make_model(kineto, ra_kineto_load_input.has, options);
	return 0;
}

/* Does what load_input() does, for the log alone. */
static int load_log(struct rlog_reader **out, struct ra_kineto_input *input, struct rlog_error *err)
{
	struct ra_kineto *kineto = NULL;
	const int rc = read_input(&kineto, out, input, NULL, err);

	if (rc == 0 && kineto != NULL) {
		const bool is_changed = kineto->oddities.changed_logs > 0;

		ra_kineto_destroy(kineto);
		return rlog_error_set(
			err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET, "%s%s",
			is_changed ? "this is a trace in JSON that was changed after a log was "
				     "put into it, and the command reads logs"
				   : "this is a trace in JSON, and the command reads logs",
			"; `analyzer stats -r trace FILE` tells what it holds, `analyzer dump "
			"--slices FILE` its ranges");
	}
	return rc;
}

int ra_kineto_load_open(struct ra_kineto_input **input, struct ra_source *source,
                        struct rlog_error *err)
{
	if (!source->is_pipe) {
		return ra_kineto_input_open(input, source->path, err);
	}
	*input = ra_kineto_input_open_pipe(source->pipe.fd, source->pipe.head, source->pipe.count);
	return 0;
}

int ra_kineto_load_refuse(struct ra_source *source, const char *what, struct rlog_error *err)
{
	if (source->is_pipe) {
		close(source->pipe.fd);
	}
	return rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
	                      "this is %s, and the command reads logs; `analyzer stats -r trace "
	                      "FILE` tells what it holds, `analyzer dump --slices FILE` its ranges",
	                      what);
}

static int read_source(struct ra_model **out, struct ra_source *source,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	const int rc = ra_kineto_load_open(&input, source, err);

	return rc != 0 ? rc : load_input(out, input, options, err);
}

static int read_log(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	const int rc = ra_kineto_load_open(&input, source, err);

	return rc != 0 ? rc : load_log(out, input, err);
}

#define BLOCK_BYTES ((size_t) 1 << 16)

struct whole {
	char *bytes; /* owned */
	size_t count;
	size_t capacity;
};

static void read_whole(struct whole *whole, struct ra_kineto_input *input,
                       const struct ra_input_options *options, struct rlog_error *stop)
{
	size_t got = 1;

	while (got > 0) {
		ra_util_grow(&whole->bytes, &whole->capacity, whole->count + BLOCK_BYTES, 1);
		if (ra_kineto_input_read(input, whole->bytes + whole->count, BLOCK_BYTES, &got,
		                         stop) != 0) {
			return;
		}
		whole->count += got;
		if (options != NULL && options->progress != NULL) {
			options->progress(options->progress_context, ra_kineto_input_done(input),
			                  ra_kineto_input_size(input));
		}
	}
}

int ra_kineto_load_whole(struct ra_model **out, struct ra_source *source,
                         struct ra_kineto *(*read)(const void *bytes, size_t size,
                                                   struct rlog_error *stop),
                         unsigned has, const struct ra_input_options *options,
                         struct rlog_error *err)
{
	struct whole whole = { 0 };
	struct ra_kineto_input *input = NULL;
	struct rlog_error *stop;
	struct ra_kineto *kineto;
	const int rc = ra_kineto_load_open(&input, source, err);

	if (rc != 0) {
		return rc;
	}
	stop = ra_alloc_zeros(1, sizeof(*stop));
	read_whole(&whole, input, options, stop);
	kineto = read(whole.bytes, whole.count, stop);
	kineto->file_bytes = ra_kineto_input_done(input);
	kineto->json_bytes = whole.count;
	ra_kineto_input_close(input);
	free(whole.bytes);
	*out = ra_kineto_load_rows(kineto, stop, has, options);
	return 0;
}

static bool probe(const void *head, size_t count)
{
	return count > 0 && ra_kineto_input_detect(head, count) != RA_KINETO_FORM_NONE;
}

static const char *const suffixes[] = { ".json.gz", ".json", NULL };

const struct ra_input ra_kineto_load_input = {
	.name = "a trace in JSON",
	.suffixes = suffixes,
	.has = RA_HAS_ROWS,
	.probe = probe,
	.read = read_source,
	.read_log = read_log,
	.find_causes = ra_kineto_load_find_causes,
	.finish = ra_kineto_load_finish,
};

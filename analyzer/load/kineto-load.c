/* SPDX-License-Identifier: MIT */
/* Loading a trace in JSON: file → rows → model. */
#include "analyzer/load/kineto-load.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/read-json/json-log.h"
#include "analyzer/read-json/kineto-model.h"
#include "analyzer/read-json/kineto-read.h"
#include "analyzer/read-json/kineto-sequence.h"

#define HEAD_BYTES 4096

bool ra_kineto_load_is_json(const char *path)
{
	char head[HEAD_BYTES];
	struct stat status;
	ssize_t count = 0;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
		count = read(fd, head, sizeof(head));
	}
	if (fd >= 0) {
		close(fd);
	}
	return count > 0 && ra_kineto_input_detect(head, (size_t) count) != RA_KINETO_FORM_NONE;
}

static void release(void *array)
{
	void *bytes;

	memcpy(&bytes, array, sizeof(bytes));
	free(bytes);
	bytes = NULL;
	memcpy(array, &bytes, sizeof(bytes));
}

/* Half of what is in memory. The footer reads the counts, and names ranges that are open. */
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

/* Reads the events, takes the input. *reader is set if the log is among them, *kineto else. */
static int read_input(struct ra_kineto **kineto, struct rlog_reader **reader,
                      struct ra_kineto_input *input, const struct ra_load_options *options,
                      struct rlog_error *err)
{
	const struct ra_kineto_read_options read_options = {
		.progress = options != NULL ? options->progress : NULL,
		.progress_context = options != NULL ? options->progress_context : NULL,
	};
	enum ra_json_log_state state = RA_JSON_LOG_NONE;
	struct rlog_error *stop = calloc(1, sizeof(*stop));
	int rc;

	if (stop == NULL) {
		ra_kineto_input_close(input);
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "not enough memory");
	}
	rc = ra_kineto_read(kineto, input, &read_options, stop, err);
	if (rc != 0) {
		ra_kineto_input_close(input);
		free(stop);
		return rc;
	}
	(*kineto)->stop = stop;
	rc = ra_kineto_index(*kineto);
	if (rc == 0 && (options == NULL || !options->rows_only)) {
		rc = ra_json_log_open(reader, *kineto, ra_kineto_input_watch(input), &state);
	}
	ra_kineto_input_close(input);
	(*kineto)->oddities.changed_logs = state == RA_JSON_LOG_CHANGED;
	(*kineto)->oddities.damaged_logs = state == RA_JSON_LOG_DAMAGED;
	if (rc != 0 || state == RA_JSON_LOG_THERE) {
		ra_kineto_destroy(*kineto);
		*kineto = NULL;
	}
	return rc != 0 ? rlog_error_set(err, -rc, RLOG_NO_OFFSET, "not enough memory for the log")
	               : 0;
}

static int link_model(struct ra_model *m, const struct ra_link_options *options)
{
	struct ra_link_options with_causes = *options;
	uint32_t *causes = NULL;
	int rc = options->with_sequence ? ra_kineto_sequence_find(m, &causes) : 0;

	with_causes.causes = causes;
	if (rc == 0) {
		rc = ra_link_build(m, &with_causes);
		m->kineto->oddities.duplicate_correlations = m->gpu.duplicate_calls;
	}
	free(causes);
	return rc;
}

/* Takes the input. */
static int load_input(struct ra_model **out, struct ra_kineto_input *input,
                      const struct ra_load_options *options, struct rlog_error *err)
{
	const struct ra_kineto_model_options model_options = {
		.with_python = options != NULL && options->with_python,
	};
	const struct ra_link_options no_options = { 0 };
	struct rlog_reader *reader = NULL;
	struct ra_kineto *kineto = NULL;
	struct ra_model *model;
	int rc = read_input(&kineto, &reader, input, options, err);

	if (rc != 0) {
		return rc;
	}
	if (reader != NULL) {
		return ra_load_reader(out, reader, options, err);
	}
	model = calloc(1, sizeof(*model));
	if (model == NULL) {
		ra_kineto_destroy(kineto);
		rc = -RLOG_E_NO_MEMORY;
	} else {
		rc = ra_kineto_model_build(model, kineto, &model_options);
	}
	if (rc == 0) {
		rc = link_model(model, options != NULL ? &options->link : &no_options);
	}
	if (rc != 0) {
		ra_model_destroy(model);
		return rlog_error_set(err, -rc, RLOG_NO_OFFSET, "not enough memory for the events");
	}
	if (options != NULL && options->rows_only) {
		release_model(model);
	}
	*out = model;
	return 0;
}

/* As load_input() of the log alone. */
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
			"; `analyzer stats --report trace FILE` tells what the trace holds");
	}
	return rc;
}

int ra_kineto_load_file(struct ra_model **out, const char *path,
                        const struct ra_load_options *options, struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	const int rc = ra_kineto_input_open(&input, path, err);

	return rc != 0 ? rc : load_input(out, input, options, err);
}

int ra_kineto_load_pipe(struct ra_model **out, const struct ra_pipe *pipe,
                        const struct ra_load_options *options, struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	const int rc = ra_kineto_input_open_pipe(&input, pipe->fd, pipe->head, pipe->count);

	return rc != 0 ? rlog_error_set(err, -rc, RLOG_NO_OFFSET, "not enough memory")
	               : load_input(out, input, options, err);
}

int ra_kineto_load_memory(struct ra_model **out, const void *bytes, size_t size,
                          const struct ra_load_options *options, struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	const int rc = ra_kineto_input_open_memory(&input, bytes, size);

	return rc != 0 ? rlog_error_set(err, -rc, RLOG_NO_OFFSET, "not enough memory")
	               : load_input(out, input, options, err);
}

int ra_kineto_load_log(struct rlog_reader **out, const char *path, const struct ra_pipe *pipe,
                       struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	const int rc =
		pipe != NULL ? ra_kineto_input_open_pipe(&input, pipe->fd, pipe->head, pipe->count)
			     : ra_kineto_input_open(&input, path, err);

	return rc == 0        ? load_log(out, input, err)
	       : pipe != NULL ? rlog_error_set(err, -rc, RLOG_NO_OFFSET, "not enough memory")
	                      : rc;
}

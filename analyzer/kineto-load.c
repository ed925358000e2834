/* SPDX-License-Identifier: MIT */
/* Loading a trace in JSON: file → rows → model. */
#include "analyzer/kineto-load.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/kineto-model.h"
#include "analyzer/kineto-read.h"

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

/* Takes the input. */
static int load_input(struct ra_model **out, struct ra_kineto_input *input,
                      const struct ra_load_options *options, struct rlog_error *err)
{
	const struct ra_kineto_read_options read_options = {
		.progress = options != NULL ? options->progress : NULL,
		.progress_context = options != NULL ? options->progress_context : NULL,
	};
	struct ra_kineto_model_options model_options = {
		.with_python = options != NULL && options->with_python,
	};
	struct ra_kineto *kineto = NULL;
	struct ra_model *model;
	int rc;

	struct rlog_error *stop = calloc(1, sizeof(*stop));

	if (stop == NULL) {
		ra_kineto_input_close(input);
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "not enough memory");
	}
	rc = ra_kineto_read(&kineto, input, &read_options, stop, err);
	ra_kineto_input_close(input);
	if (rc != 0) {
		free(stop);
		return rc;
	}
	if (options != NULL) {
		model_options.link = options->link;
	}
	kineto->stop = stop;
	model = calloc(1, sizeof(*model));
	if (model == NULL) {
		ra_kineto_destroy(kineto);
		rc = -RLOG_E_NO_MEMORY;
	} else {
		rc = ra_kineto_model_build(model, kineto, &model_options);
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

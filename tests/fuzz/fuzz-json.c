/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a trace in JSON, and as the events of one. What a model says of itself
 * must hold: readers of models do not ask again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/load/load.h"
#include "analyzer/model/model.h"

/* The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ranges lie within their threads' ranges, parents stand before what is in them. */
static void check_slices(const struct ra_model *model)
{
	const struct ra_slices *slices = &model->slices;

	for (size_t i = 0; i < slices->count; i++) {
		if (slices->dur_ns[i] < 0 ||
		    (slices->parent[i] != RA_NONE && slices->parent[i] >= i)) {
			abort();
		}
	}
	for (size_t i = 0; i < model->track_count; i++) {
		const struct ra_track *track = &model->tracks[i];

		if (track->slice_count > slices->count ||
		    track->first_slice > slices->count - track->slice_count) {
			abort();
		}
	}
}

static void check_gpu(const struct ra_gpu *gpu)
{
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if ((op->api != RA_NONE && op->api >= gpu->api_count) || op->dur_ns < 0) {
			abort();
		}
	}
}

/* The bytes as a file, in memory: traces are read from files alone. Return: ranges read, or -1. */
static long load(const void *bytes, size_t size, const struct ra_load_options *options)
{
	const int file = memfd_create("trace", MFD_CLOEXEC);
	struct ra_model *model = NULL;
	struct rlog_error err = { 0 };
	char path[64];
	long count = -1;

	if (file < 0 || write(file, bytes, size) != (ssize_t) size) {
		abort();
	}
	(void) snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	if (ra_load_file(&model, path, options, &err) != 0) {
		if (model != NULL || memchr(err.message, '\0', sizeof(err.message)) == NULL) {
			abort();
		}
		(void) close(file);
		return count;
	}
	(void) close(file);
	if (!options->rows_only) { /* else they are only counted */
		check_slices(model);
		check_gpu(&model->gpu);
	}
	count = (long) model->slices.count;
	ra_model_destroy(model);
	return count;
}

/* A target that reads nothing finds nothing: it would not be noticed otherwise. */
static void check_target(const struct ra_load_options *options)
{
	static const char trace[] = "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\","
				    "\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":9}]}";
	static bool is_checked;

	if (!is_checked && load(trace, sizeof(trace) - 1, options) != 1) {
		abort();
	}
	is_checked = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char begin[] =
		"{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":9,";
	static const struct ra_load_options ways[] = { { .with_python = true },
		                                       { .rows_only = true } };
	char *const events = malloc(sizeof(begin) + size);

	check_target(&ways[0]);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		load(data, size, &ways[i]);
		if (events != NULL) {
			memcpy(events, begin, sizeof(begin) - 1);
			memcpy(events + sizeof(begin) - 1, data, size);
			load(events, sizeof(begin) - 1 + size, &ways[i]);
		}
	}
	free(events);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a trace in JSON, and as the events of one. What a model says of itself
 * must hold: readers of models do not ask again. */
#include <stdlib.h>
#include <string.h>

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

static void load(const void *bytes, size_t size, const struct ra_load_options *options)
{
	struct ra_model *model = NULL;
	struct rlog_error err = { 0 };

	if (ra_load_memory(&model, bytes, size, options, &err) != 0) {
		if (model != NULL || memchr(err.message, '\0', sizeof(err.message)) == NULL) {
			abort();
		}
		return;
	}
	check_slices(model);
	check_gpu(&model->gpu);
	ra_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char begin[] =
		"{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":9,";
	static const struct ra_load_options ways[] = { { .with_python = true },
		                                       { .rows_only = true } };
	char *const events = malloc(sizeof(begin) + size);

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

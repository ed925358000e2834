/* SPDX-License-Identifier: MIT */
/*
 * Compares the analyzer's model of a log with the program's own account.
 *
 *   links LOG [BOOK]
 *
 * BOOK holds a struct fake_note for each launch. Prints "queue DEVICE CONTEXT STREAM" with the
 * names that the program gave the stream, its context and its device, how many operations each rule
 * found a range for, and how many launches are there, missing, or linked to a wrong call, range,
 * kernel or queue.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/load/load.h"
#include "analyzer/base/util-map.h"
#include "tests/cupti/note.h"

/* Counts of faults in operations. */
struct findings {
	size_t checked;
	size_t unknown; /* the program knows of no such launch */
	size_t missing; /* the log has no such launch */
	size_t call;
	size_t range;
	size_t kernel;
	size_t queue;
};

static int is_text(const struct ra_model *model, uint32_t id, const char *text)
{
	const struct rlog_string string = ra_model_string(model, id);

	return string.length == strlen(text) && memcmp(string.bytes, text, string.length) == 0;
}

static struct fake_note *read_book(const char *path, size_t *count)
{
	FILE *file = fopen(path, "rb");
	struct fake_note *notes;
	long bytes;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0) {
		return NULL;
	}
	rewind(file);
	notes = malloc((size_t) bytes + 1);
	*count = fread(notes, sizeof(*notes), (size_t) bytes / sizeof(*notes), file);
	fclose(file);
	return notes;
}

static void check_op(const struct ra_model *model, const struct ra_gpu_op *op,
                     const struct fake_note *note, struct findings *out)
{
	const struct ra_gpu *gpu = &model->gpu;
	const struct ra_gpu_queue *queue = &gpu->queues[op->queue];
	const struct ra_gpu_api *api = op->api != RA_NONE ? &gpu->apis[op->api] : NULL;
	char range[64];

	fake_note_range(note, range, sizeof(range));
	out->checked++;
	out->call += !api || api->corr != note->correlation || api->is_driver ||
	             model->tracks[api->track].tid != (int64_t) note->tid ||
	             !is_text(model, api->name, "cudaLaunchKernel");
	out->range += op->slice == RA_NONE || op->rule != RA_GPU_RULE_STACK ||
	              !is_text(model, model->slices.name[op->slice], range);
	out->kernel += !is_text(model, op->name, fake_kernels[note->kernel]);
	out->queue += queue->device != note->device || queue->context != note->device + 1 ||
	              queue->stream != note->stream;
}

static int check_book(const struct ra_model *model, const char *path)
{
	struct ra_util_map by_correlation = { 0 };
	struct findings found = { 0 };
	size_t count = 0;
	struct fake_note *notes = read_book(path, &count);
	char *is_seen = calloc(count + 1, 1);

	if (!notes || !is_seen) {
		free(notes);
		free(is_seen);
		return 1;
	}
	for (size_t i = 0; i < count; i++) {
		ra_util_map_put(&by_correlation, notes[i].correlation, (uint32_t) i);
	}
	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const uint32_t note = ra_util_map_find(&by_correlation, model->gpu.ops[i].corr);

		if (note == RA_UTIL_MAP_NONE || is_seen[note]) {
			found.unknown++;
			continue;
		}
		is_seen[note] = 1;
		check_op(model, &model->gpu.ops[i], &notes[note], &found);
	}
	for (size_t i = 0; i < count; i++) {
		found.missing += !is_seen[i];
	}
	printf("launches %zu checked %zu missing %zu unknown %zu; wrong: call %zu range %zu kernel "
	       "%zu queue %zu\n",
	       count, found.checked, found.missing, found.unknown, found.call, found.range,
	       found.kernel, found.queue);
	ra_util_map_free(&by_correlation);
	free(notes);
	free(is_seen);
	return 0;
}

static void print_name(const struct ra_model *model, uint32_t id)
{
	const struct rlog_string string = ra_model_string(model, id);

	printf(" %.*s", id != 0 ? (int) string.length : 1, id != 0 ? string.bytes : "-");
}

static void print_queues(const struct ra_model *model)
{
	for (size_t i = 0; i < model->gpu.queue_count; i++) {
		const struct ra_gpu_queue *queue = &model->gpu.queues[i];
		const struct ra_gpu_device *device = ra_gpu_find_device(&model->gpu, queue->device);

		printf("queue %u %u %u", queue->device, queue->context, queue->stream);
		print_name(model, queue->name);
		print_name(model, queue->context_name);
		print_name(model, device ? device->label : 0);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_model *model = NULL;
	int rc;

	if (argc < 2 || ra_load_file(&model, argv[1], NULL, &err) != 0) {
		printf("cannot read: %s\n", err.message);
		return 2;
	}
	print_queues(model);
	for (int rule = 0; rule < RA_GPU_RULES; rule++) {
		if (model->gpu.rule_ops[rule] > 0) {
			printf("rule %s %llu\n", ra_gpu_rule_name((enum ra_gpu_rule) rule),
			       (unsigned long long) model->gpu.rule_ops[rule]);
		}
	}
	rc = argc > 2 ? check_book(model, argv[2]) : 0;
	ra_model_destroy(model);
	return rc;
}

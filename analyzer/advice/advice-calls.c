/* SPDX-License-Identifier: MIT */
/* Calls of CUDA that keep the program waiting: copies, sets, synchronization. */
#include "analyzer/advice/advice.h"

#include <math.h>
#include <string.h>

#include "analyzer/base/util.h"

/* Kinds of memory and copies, as CUPTI counts. */
enum {
	MEMORY_PAGEABLE = 1,
	MEMORY_PINNED = 2,
	MEMORY_MANAGED = 5,
	MEMORY_MANAGED_STATIC = 7,
	COPY_ON_DEVICE = 8,
};

#define LEAST_SYNC 0.05 /* of the window */

static bool contains(struct rlog_string text, const char *word)
{
	return memmem(text.bytes, text.length, word, strlen(word)) != NULL;
}

struct copies {
	struct ra_advice_evidence pageable;
	struct ra_advice_evidence copies;
	struct ra_advice_evidence sets;
};

static int note_call(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                     const struct ra_gpu_op *op, const struct ra_gpu_api *api)
{
	const struct ra_advice_event event = {
		.start_ns = api->start_ns,
		.dur_ns = api->dur_ns,
		.name = ra_model_string(advice->model, api->name),
		.track = api->track,
		.device = advice->model->gpu.queues[op->queue].device,
	};

	return ra_advice_note(evidence, advice, &event);
}

static int note_copy(struct copies *copies, const struct ra_advice *advice,
                     const struct ra_gpu_op *op, const struct ra_gpu_api *api)
{
	struct ra_advice_event event;
	int rc;

	if (op->copy_kind == COPY_ON_DEVICE) {
		return 0; /* nobody waits for it */
	}
	if (!contains(ra_model_string(advice->model, api->name), "Async")) {
		return note_call(&copies->copies, advice, op, api);
	}
	if (op->src_memory != MEMORY_PAGEABLE && op->dst_memory != MEMORY_PAGEABLE) {
		return 0;
	}
	rc = ra_advice_read_op(advice, op, &event);
	return rc != 0 ? rc : ra_advice_note(&copies->pageable, advice, &event);
}

/* A set of device memory never stops the program, whatever its function is called. */
static int note_set(struct copies *copies, const struct ra_advice *advice,
                    const struct ra_gpu_op *op, const struct ra_gpu_api *api)
{
	const bool stops = op->dst_memory == MEMORY_PINNED || op->dst_memory == MEMORY_MANAGED ||
	                   op->dst_memory == MEMORY_MANAGED_STATIC;

	return !stops || contains(ra_model_string(advice->model, api->name), "Async")
	               ? 0
	               : note_call(&copies->sets, advice, op, api);
}

/* Operations by what asked for them; what a graph launched, no call of its own did. */
static int note_all(struct copies *copies, const struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	int rc = 0;

	for (size_t i = 0; i < gpu->op_count && rc == 0; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const struct ra_gpu_api *api = op->api == RA_NONE ? NULL : &gpu->apis[op->api];
		struct rlog_string name;

		if (api == NULL) {
			continue;
		}
		name = ra_model_string(advice->model, api->name);
		if (op->kind == RA_GPU_COPY && contains(name, "emcpy")) {
			rc = note_copy(copies, advice, op, api);
		} else if (op->kind == RA_GPU_SET && contains(name, "emset")) {
			rc = note_set(copies, advice, op, api);
		}
	}
	return rc;
}

/* The value is the share of the window that these took; any is too much. */
static int tell(const struct ra_advice *advice, const char *name,
                const struct ra_advice_evidence *evidence, const char *text)
{
	const struct ra_advice_rule rule = { name, ra_advice_share(advice, evidence->total_ns), NAN,
		                             "of window", text };

	return evidence->count == 0 ? 0 : ra_advice_add(advice, &rule, evidence, NULL);
}

static int advise_copies(const struct ra_advice *advice)
{
	struct copies copies = { 0 };
	int rc = note_all(&copies, advice);

	if (rc == 0) {
		rc = tell(advice, "pageable_memcpy", &copies.pageable,
		          "asynchronous copies of pageable memory are synchronous: pin the memory");
	}
	if (rc == 0) {
		rc = tell(advice, "sync_memcpy", &copies.copies,
		          "synchronous copies stop the program: use cudaMemcpyAsync and pinned "
		          "memory");
	}
	if (rc == 0) {
		rc = tell(advice, "sync_memset", &copies.sets,
		          "synchronous sets of pinned or managed memory stop the program: use "
		          "cudaMemsetAsync");
	}
	ra_advice_evidence_fini(&copies.pageable);
	ra_advice_evidence_fini(&copies.copies);
	ra_advice_evidence_fini(&copies.sets);
	return rc;
}

/* A call of the driver inside one of the runtime is the same wait. */
static int advise_syncs(const struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	struct ra_advice_rule rule = {
		"sync_calls", 0, LEAST_SYNC, "of window",
		"the program waits for the GPU: avoid synchronization, such as .item() and "
		"printing of tensors"
	};
	struct ra_advice_evidence evidence = { 0 };
	uint32_t track = RA_NONE;
	int64_t until_ns = 0;
	int rc = 0;

	for (size_t i = 0; i < gpu->api_count && rc == 0; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const struct ra_advice_event event = {
			.start_ns = api->start_ns,
			.dur_ns = api->dur_ns,
			.name = ra_model_string(advice->model, api->name),
			.track = api->track,
			.device = -1,
		};

		if (!contains(event.name, "Synchronize") ||
		    (api->track == track && api->start_ns < until_ns)) {
			continue;
		}
		track = api->track;
		until_ns = ra_util_add_time(api->start_ns, api->dur_ns);
		rc = ra_advice_note(&evidence, advice, &event);
	}
	rule.value = ra_advice_share(advice, evidence.total_ns);
	if (rc == 0 && rule.value > rule.threshold) {
		rc = ra_advice_add(advice, &rule, &evidence, NULL);
	}
	ra_advice_evidence_fini(&evidence);
	return rc;
}

int ra_advice_calls_apply(const struct ra_advice *advice)
{
	const int rc = advise_copies(advice);

	return rc != 0 ? rc : advise_syncs(advice);
}

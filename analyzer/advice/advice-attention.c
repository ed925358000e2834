/* SPDX-License-Identifier: MIT */
/* Looks at the neighbours of each softmax kernel in its queue. */
#include "analyzer/advice/advice-attention.h"

#include "analyzer/base/text/util-string.h"

/* kernels for scaling, masking and conversions come between the softmax and a product */
#define MOST_APART 8

static uint8_t find_kind(struct ra_advice *advice, size_t op)
{
	struct ra_kernel_class class;

	ra_advice_classify(advice, &advice->model->gpu.ops[op], &class);
	return class.kind;
}

/* A loss uses a log-softmax. PyTorch's kernel for a small log-softmax has that as a template
 * argument in its name. */
static bool is_log(struct rlog_string name)
{
	return ra_util_string_has(name, "og_softmax") || ra_util_string_has(name, "ogSoftMax") ||
	       ra_util_string_has(name, ", true, ") || ra_util_string_has(name, "Lb1ELb");
}

/* Finds the nearest matrix product of the same queue in one direction. Return: op_count if there is
 * none near. */
static size_t find_product(struct ra_advice *advice, size_t from, bool is_before)
{
	const struct ra_gpu *gpu = &advice->model->gpu;

	for (size_t i = 1; i <= MOST_APART; i++) {
		const size_t at = is_before ? from - i : from + i;

		if (at >= gpu->op_count || gpu->ops[at].queue != gpu->ops[from].queue) {
			break; /* below 0 the index wraps, so it is large */
		}
		if (gpu->ops[at].kind == RA_GPU_KERNEL && find_kind(advice, at) == RA_KERNEL_GEMM) {
			return at;
		}
	}
	return gpu->op_count;
}

static void note(struct ra_advice *advice, struct ra_advice_evidence *evidence, size_t op)
{
	struct ra_advice_event event = ra_advice_read_op(advice, &advice->model->gpu.ops[op]);
	const struct rlog_string place =
		ra_advice_name_operator(advice, &advice->model->gpu.ops[op]);

	event.name = place.length > 0 ? place : event.name;
	if (event.dur_ns > 0) {
		ra_advice_note(evidence, &event);
	}
}

uint64_t ra_advice_attention_find(struct ra_advice *advice, struct ra_advice_evidence *evidence)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	uint64_t found = 0;
	size_t next = 0; /* operations before this one have been noted: two softmaxes may share a
	                    product */

	for (size_t i = 0; i < gpu->op_count; i++) {
		size_t before;
		size_t after;

		if (gpu->ops[i].kind != RA_GPU_KERNEL ||
		    find_kind(advice, i) != RA_KERNEL_SOFTMAX ||
		    is_log(ra_model_string(advice->model, gpu->ops[i].name))) {
			continue;
		}
		before = find_product(advice, i, true);
		after = find_product(advice, i, false);
		if (before < gpu->op_count && after < gpu->op_count) {
			for (next = before > next ? before : next; next <= after; next++) {
				note(advice, evidence, next);
			}
			found++;
		}
	}
	return found;
}

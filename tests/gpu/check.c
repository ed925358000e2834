/* SPDX-License-Identifier: MIT */
/*
 * Prints the contents of a log of tests/gpu's programs as lines "KEY VALUE", which the harness
 * compares:
 *
 *   check LOG [origin]
 *
 * A kernel of R + 1 blocks of 32 * (T + 1) threads must belong to the range "tT-R" by the rule
 * `stack` (streams.cu), or by `origin`, which is asked for then (layers.cu).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/load/load.h"

struct figures {
	uint64_t shaped;      /* kernels whose shape says where they were made */
	uint64_t wrong_range; /* of these, those that belong elsewhere */
	uint64_t queues;      /* queues that have such kernels */
	uint64_t kinds[RA_GPU_KINDS];
	uint64_t bytes;    /* of copies */
	uint64_t nodes;    /* operations of graphs, one by one */
	uint64_t disorder; /* kernels of a stream that began before the one before ended */
	uint64_t early;    /* operations that began before the call that launched them */
	int64_t max_early_ns;
};

static int is_text(const struct ra_model *model, uint32_t id, const char *text)
{
	const struct rlog_string string = ra_model_string(model, id);

	return string.length == strlen(text) && memcmp(string.bytes, text, string.length) == 0;
}

/* Return: 1 if the shape tells of a range. */
static int check_range(const struct ra_model *model, const struct ra_gpu_op *op,
                       enum ra_gpu_rule rule, struct figures *figures)
{
	const struct ra_gpu_shape *shape;
	char range[64];

	if (op->kind != RA_GPU_KERNEL || op->shape == RA_NONE) {
		return 0;
	}
	shape = &model->gpu.shapes[op->shape];
	if (shape->block[0] == 0 || shape->block[0] % 32 != 0) {
		return 0;
	}
	snprintf(range, sizeof(range), "t%u-%u", shape->block[0] / 32 - 1, shape->grid[0] - 1);
	figures->shaped++;
	figures->wrong_range += op->rule != rule || op->slice == RA_NONE ||
	                        !is_text(model, model->slices.name[op->slice], range);
	return 1;
}

static void check_times(const struct ra_model *model, const struct ra_gpu_op *op,
                        const struct ra_gpu_op *before, struct figures *figures)
{
	const struct ra_gpu *gpu = &model->gpu;

	if (before && op->kind == RA_GPU_KERNEL && before->kind == RA_GPU_KERNEL &&
	    op->graph == 0 && before->start_ns + before->dur_ns > op->start_ns) {
		figures->disorder++;
	}
	if (op->api != RA_NONE && op->start_ns < gpu->apis[op->api].start_ns) {
		const int64_t early_ns = gpu->apis[op->api].start_ns - op->start_ns;

		figures->early++;
		figures->max_early_ns =
			early_ns > figures->max_early_ns ? early_ns : figures->max_early_ns;
	}
}

/* Operations, their time and the time from the first to the last, of all ranges of a name. */
static void print_range(const struct ra_model *model, const char *name)
{
	const struct ra_gpu *gpu = &model->gpu;
	int64_t first_ns = INT64_MAX;
	int64_t last_ns = 0;
	int64_t sum_ns = 0;
	uint64_t count = 0;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		uint32_t slice = op->slice;

		while (slice != RA_NONE && !is_text(model, model->slices.name[slice], name)) {
			slice = model->slices.parent[slice];
		}
		if (slice == RA_NONE) {
			continue;
		}
		count++;
		sum_ns += op->dur_ns;
		first_ns = op->start_ns < first_ns ? op->start_ns : first_ns;
		last_ns = op->start_ns + op->dur_ns > last_ns ? op->start_ns + op->dur_ns : last_ns;
	}
	if (count > 0) {
		printf("%s_ops %" PRIu64 "\n%s_ns %" PRId64 "\n%s_span_ns %" PRId64 "\n", name,
		       count, name, sum_ns, name, last_ns - first_ns);
	}
}

static void gather(const struct ra_model *model, enum ra_gpu_rule rule, struct figures *figures)
{
	const struct ra_gpu *gpu = &model->gpu;

	for (size_t q = 0; q < gpu->queue_count; q++) {
		const struct ra_gpu_queue *queue = &gpu->queues[q];
		int has_shaped = 0;

		for (size_t i = queue->first_op; i < queue->first_op + queue->op_count; i++) {
			const struct ra_gpu_op *op = &gpu->ops[i];

			figures->kinds[op->kind]++;
			figures->bytes += op->kind == RA_GPU_COPY ? op->bytes : 0;
			figures->nodes += op->node != 0;
			has_shaped |= check_range(model, op, rule, figures);
			check_times(model, op, i > queue->first_op ? op - 1 : NULL, figures);
		}
		figures->queues += has_shaped != 0;
	}
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "timed", "graph",   "managed",  "gemm",  "work",
		                             "step",  "forward", "backward", "update" };
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_load_options options = { 0 };
	struct figures figures = { 0 };
	struct ra_model *model = NULL;
	int64_t all_ns = 0;

	options.link.with_origin = argc == 3 && strcmp(argv[2], "origin") == 0;
	if (argc < 2 || ra_load_file(&model, argv[1], &options, &err) != 0) {
		fprintf(stderr, "check: %s\n", err.message);
		return 2;
	}
	gather(model, options.link.with_origin ? RA_GPU_RULE_ORIGIN : RA_GPU_RULE_STACK, &figures);
	printf("kernels %" PRIu64 "\ncopies %" PRIu64 "\nsets %" PRIu64 "\ngraphs %" PRIu64 "\n",
	       figures.kinds[RA_GPU_KERNEL], figures.kinds[RA_GPU_COPY], figures.kinds[RA_GPU_SET],
	       figures.kinds[RA_GPU_GRAPH]);
	printf("shaped %" PRIu64 "\nwrong_range %" PRIu64 "\nqueues %" PRIu64 "\n", figures.shaped,
	       figures.wrong_range, figures.queues);
	printf("copy_bytes %" PRIu64 "\nnodes %" PRIu64 "\ndisorder %" PRIu64 "\n", figures.bytes,
	       figures.nodes, figures.disorder);
	printf("early %" PRIu64 "\nmax_early_ns %" PRId64 "\nno_call %" PRIu64
	       "\nbad_times %" PRIu64 "\n",
	       figures.early, figures.max_early_ns, model->gpu.no_call, model->gpu.bad_times);
	for (int rule = 0; rule < RA_GPU_RULES; rule++) {
		all_ns += model->gpu.rule_ns[rule];
	}
	printf("origin_ns %" PRId64 "\n", model->gpu.rule_ns[RA_GPU_RULE_ORIGIN]);
	printf("all_ns %" PRId64 "\nattributed_permille %" PRId64 "\n", all_ns,
	       all_ns > 0 ? (all_ns - model->gpu.rule_ns[RA_GPU_RULE_NONE]) * 1000 / all_ns : 0);
	printf("lost %" PRIu64 "\n", model->quality.lost[RLOG_CAUSE_GPU_DROPPED]);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		print_range(model, names[i]);
	}
	ra_model_destroy(model);
	return 0;
}

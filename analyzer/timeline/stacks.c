/* SPDX-License-Identifier: MIT */
/* Sums ranges by path, for flame graphs. */
#include "analyzer/timeline/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/figures/ranges/metrics-walk.h"

#define BACKWARD "backward of "
#define OUTSIDE  "(outside any range)"
#define DEEPER   "(deeper)"

static struct ra_stacks_node *add_node(struct ra_stacks *stacks, uint32_t parent)
{
	struct ra_stacks_node *node = &stacks->nodes[stacks->count++];

	*node = (struct ra_stacks_node){ .parent = parent };
	return node;
}

/* Sets the name of a node that is no range: it begins at `start` of the texts. The texts must be
 * complete. */
static void set_text(struct ra_stacks *stacks, struct ra_stacks_node *node, size_t start,
                     size_t length)
{
	node->name = (struct rlog_string){ stacks->texts.bytes + start, (uint32_t) length, 0 };
	node->frame = (uint32_t) stacks->frame_count++;
}

static void add_ranges(struct ra_stacks *stacks)
{
	const struct ra_metrics *metrics = &stacks->metrics;

	for (size_t i = 0; i < metrics->count; i++) {
		const struct ra_metrics_row *row = &metrics->rows[i];
		struct ra_stacks_node *node = add_node(stacks, metrics->paths[i].parent);

		node->name = ra_labels_name(&stacks->labels, row->key.name);
		node->frame = row->key.name;
		node->calls = row->calls;
		node->cpu_ns = row->self_ns;
		node->gpu_ns = row->gpu_self_ns;
	}
	stacks->frame_count = stacks->labels.count;
}

/* Names the nodes that are no ranges. All texts are appended first, because names are borrowed from
 * the texts, which must not grow afterwards. */
static void put_names(struct ra_stacks *stacks)
{
	const struct ra_metrics *metrics = &stacks->metrics;

	for (size_t i = 0; i < metrics->backward_count; i++) {
		const struct rlog_string name = stacks->nodes[metrics->backwards[i].row].name;

		ra_util_text_put(&stacks->texts, BACKWARD, strlen(BACKWARD));
		ra_util_text_put(&stacks->texts, name.bytes, name.length);
	}
	ra_util_text_put(&stacks->texts, OUTSIDE, strlen(OUTSIDE));
}

static void add_others(struct ra_stacks *stacks, const struct ra_model *model)
{
	const struct ra_metrics *metrics = &stacks->metrics;
	size_t start = 0;

	for (size_t i = 0; i < metrics->backward_count; i++) {
		const struct ra_metrics_backward *backward = &metrics->backwards[i];
		const size_t length = strlen(BACKWARD) + stacks->nodes[backward->row].name.length;
		struct ra_stacks_node *node = add_node(stacks, backward->row);

		set_text(stacks, node, start, length);
		node->calls = backward->calls;
		node->gpu_ns = backward->gpu_self_ns;
		start += length;
	}
	if (model->gpu.rule_ops[RA_GPU_RULE_NONE] > 0) {
		struct ra_stacks_node *node = add_node(stacks, RA_NONE);

		set_text(stacks, node, start, strlen(OUTSIDE));
		node->gpu_ns = model->gpu.rule_ns[RA_GPU_RULE_NONE];
	}
}

/* Adds a node's weights to the node "(deeper)", and clears them. The node becomes a child of that
 * one. */
static void fold(struct ra_stacks_node *nodes, uint32_t into, uint32_t node)
{
	nodes[into].calls += nodes[node].calls;
	nodes[into].cpu_ns += nodes[node].cpu_ns;
	nodes[into].gpu_ns += nodes[node].gpu_ns;
	nodes[node] = (struct ra_stacks_node){ .parent = into,
		                               .name = nodes[into].name,
		                               .frame = nodes[into].frame };
}

/* Lets the first node beyond the depth limit have the weights of all nodes below it. Parents come
 * before children, so one pass is enough: O(n). */
static void fold_deep(struct ra_stacks *stacks)
{
	struct ra_stacks_node *nodes = stacks->nodes;
	uint32_t *depths = ra_alloc_bytes((stacks->count + 1) * sizeof(*depths));
	bool has_deep = false;

	for (uint32_t i = 0; i < stacks->count; i++) {
		const uint32_t parent = nodes[i].parent;

		depths[i] = parent == RA_NONE ? 1 : depths[parent] + 1;
		if (depths[i] == RA_STACKS_DEPTH + 1) {
			nodes[i].name = (struct rlog_string){ DEEPER, strlen(DEEPER), 0 };
			nodes[i].frame = (uint32_t) stacks->frame_count;
			has_deep = true;
		} else if (depths[i] > RA_STACKS_DEPTH + 1) {
			fold(nodes,
			     depths[parent] > RA_STACKS_DEPTH + 1 ? nodes[parent].parent : parent,
			     i);
			depths[i] = RA_STACKS_DEPTH + 2;
		}
		stacks->depth = depths[i] > stacks->depth ? depths[i] : stacks->depth;
	}
	stacks->frame_count += has_deep;
	free(depths);
}

void ra_stacks_init(struct ra_stacks *stacks, const struct ra_model *model,
                    const struct ra_labels_options *names)
{
	memset(stacks, 0, sizeof(*stacks));
	ra_labels_init(&stacks->labels, model, names);
	if (model->walk != NULL) {
		ra_metrics_init_walk(&stacks->metrics, model, RA_GROUP_BY_PATH, &stacks->labels,
		                     false);
	} else {
		ra_metrics_init(&stacks->metrics, model, RA_GROUP_BY_PATH, &stacks->labels);
	}
	stacks->nodes = ra_alloc_zeros(stacks->metrics.count + stacks->metrics.backward_count + 1,
	                               sizeof(*stacks->nodes));
	add_ranges(stacks);
	put_names(stacks);
	add_others(stacks, model);
	fold_deep(stacks);
}

void ra_stacks_fini(struct ra_stacks *stacks)
{
	free(stacks->nodes);
	ra_metrics_fini(&stacks->metrics);
	ra_labels_fini(&stacks->labels);
	ra_util_text_free(&stacks->texts);
}

size_t ra_stacks_find_path(const struct ra_stacks *stacks, uint32_t node, uint32_t *path,
                           size_t capacity)
{
	size_t depth = 0;

	for (uint32_t at = node; at != RA_NONE; at = stacks->nodes[at].parent) {
		depth++;
	}
	for (size_t i = depth; i > 0; i--) {
		if (i <= capacity) {
			path[i - 1] = node;
		}
		node = stacks->nodes[node].parent;
	}
	return depth;
}

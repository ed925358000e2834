/* SPDX-License-Identifier: MIT */
/* The rule `origin`: the work of a CUDA graph's node belongs to the range in which the node was
 * made. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/link/link.h"
#include "analyzer/link/link-rules.h"

/* The search follows at most this many steps from a clone to its original or from an update to the
 * node before it. */
#define MAX_STEPS 64

/* What CUPTI reported about the nodes of one graph (doc/format.md, op "graph node"). */
struct graph {
	uint32_t last;   /* the largest lower half of the ids of its own clones */
	uint32_t first;  /* index into `inner` of the first node of the graphs inside this graph */
	uint32_t inners; /* number of such nodes */
};

struct origins {
	const struct ra_model *model;
	uint32_t *made; /* by row of CUPTI's reports: the range that was open when the node was made
	                 */
	uint32_t *inner; /* rows that have an `outer`, ordered by `outer` and their number */
	size_t inner_count;
	struct graph *graphs;
	size_t graph_count;
	struct ra_util_map index; /* id of a graph → index into graphs */
};

static const struct ra_gpu_node *get(const struct origins *origins, size_t row)
{
	return &origins->model->gpu.nodes[row];
}

/* ---- Ranges open when nodes were made ---- */

struct moment {
	int64_t time_ns;
	uint32_t track;
	uint32_t number;
	uint32_t row;
};

static int compare_moments(const void *left, const void *right)
{
	const struct moment *a = left;
	const struct moment *b = right;
	int order = RA_ORDER_UP(a, b, track);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, time_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, number));
}

static void find_open(struct origins *origins)
{
	const struct ra_model *model = origins->model;
	const size_t count = model->gpu.node_count;
	struct moment *moments = ra_alloc_zeros(count + 1, sizeof(*moments));
	struct ra_link_cursor cursor = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct ra_gpu_node *node = get(origins, i);

		moments[i] =
			(struct moment){ node->time_ns, node->track, node->number, (uint32_t) i };
	}
	RA_SORT(moments, count, compare_moments);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || moments[i].track != moments[i - 1].track) {
			cursor = (struct ra_link_cursor){ .track = &model->tracks[moments[i].track],
				                          .open = RA_NONE };
		}
		origins->made[moments[i].row] =
			ra_link_rules_advance(&cursor, &model->slices, moments[i].time_ns);
	}
	free(moments);
}

/* ---- Graphs inside other graphs ---- */

static struct graph *find_graph(struct origins *origins, uint32_t id)
{
	uint32_t place;

	ra_util_map_number(&origins->index, id, &place);
	if (place == origins->graph_count) {
		origins->graph_count++; /* `inner` has room for all rows */
	}
	return &origins->graphs[place];
}

struct inner {
	uint32_t outer;
	uint32_t number;
	uint32_t row;
};

static int compare_inners(const void *left, const void *right)
{
	const struct inner *a = left;
	const struct inner *b = right;
	int order = RA_ORDER_UP(a, b, outer);

	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, number));
}

static void find_graphs(struct origins *origins)
{
	const size_t count = origins->model->gpu.node_count;
	struct inner *inners = ra_alloc_zeros(count + 1, sizeof(*inners));

	origins->graphs = ra_alloc_zeros(2 * count + 1, sizeof(*origins->graphs));
	for (size_t i = 0; i < count; i++) {
		const struct ra_gpu_node *node = get(origins, i);
		struct graph *graph;

		if (node->original == 0 || node->is_update) {
			continue;
		}
		graph = find_graph(origins, (uint32_t) (node->node >> 32));
		if ((uint32_t) node->node > graph->last) {
			graph->last = (uint32_t) node->node;
		}
		if (node->outer != 0) {
			inners[origins->inner_count++] =
				(struct inner){ node->outer, node->number, (uint32_t) i };
		}
	}
	RA_SORT(inners, origins->inner_count, compare_inners);
	for (size_t i = 0; i < origins->inner_count; i++) {
		struct graph *graph = find_graph(origins, inners[i].outer);

		graph->first = graph->inners == 0 ? (uint32_t) i : graph->first;
		graph->inners++;
		origins->inner[i] = inners[i].row;
	}
	free(inners);
}

/* The row of a node in a graph inside another one, which CUPTI reported only under another id. */
static uint32_t find_inner(const struct origins *origins, uint64_t node)
{
	const uint32_t place = ra_util_map_find(&origins->index, (uint32_t) (node >> 32));
	const uint32_t number = (uint32_t) node;
	const struct graph *graph;

	if (place == RA_UTIL_MAP_NONE) {
		return RA_NONE;
	}
	graph = &origins->graphs[place];
	if (number <= graph->last || number - graph->last > graph->inners) {
		return RA_NONE;
	}
	return origins->inner[graph->first + number - graph->last - 1];
}

/* ---- From node to node ---- */

/* The last row of a node up to a time. If there is none, the row that tells of the node's making,
 * whose time may be later because the clocks differ a little. RA_NONE: the node has no row. */
static uint32_t find_row(const struct origins *origins, uint64_t node, int64_t time_ns)
{
	const size_t count = origins->model->gpu.node_count;
	struct ra_search at = ra_search_in(0, count);

	while (ra_search_next(&at)) {
		const struct ra_gpu_node *row = get(origins, at.middle);

		ra_search_tell(&at,
		               row->node < node || (row->node == node && row->time_ns <= time_ns));
	}
	if (at.low > 0 && get(origins, at.low - 1)->node == node) {
		return (uint32_t) at.low - 1;
	}
	return at.low < count && get(origins, at.low)->node == node &&
	                       !get(origins, at.low)->is_update
	               ? (uint32_t) at.low
	               : RA_NONE;
}

/* *is_told: set to false if the log lacks the making of the node. */
static uint32_t follow(const struct origins *origins, uint64_t node, int64_t time_ns, bool *is_told)
{
	*is_told = true;
	for (int step = 0; step < MAX_STEPS; step++) {
		uint32_t row = find_row(origins, node, time_ns);

		if (row == RA_NONE) {
			row = find_inner(origins, node);
		}
		if (row == RA_NONE) {
			*is_told = false;
			return RA_NONE;
		}
		if (get(origins, row)->original == 0) {
			return origins->made[row];
		}
		node = get(origins, row)->original;
		time_ns = get(origins, row)->time_ns;
	}
	return RA_NONE;
}

int64_t ra_link_find_origins(const struct ra_model *model, uint32_t *slices)
{
	const struct ra_gpu *gpu = &model->gpu;
	int64_t unmade_ns = 0;
	struct origins origins = {
		.model = model,
		.made = ra_alloc_zeros(gpu->node_count + 1, sizeof(*origins.made)),
		.inner = ra_alloc_zeros(gpu->node_count + 1, sizeof(*origins.inner)),
	};

	find_open(&origins);
	find_graphs(&origins);
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		/* An update affects later launches, not work that already waits on the GPU. So the
		 * time of the launch is what counts. */
		const int64_t time_ns =
			op->api != RA_NONE ? gpu->apis[op->api].start_ns : op->start_ns;

		bool is_told = true;

		slices[i] = op->node == 0 ? RA_NONE : follow(&origins, op->node, time_ns, &is_told);
		unmade_ns = is_told ? unmade_ns : ra_util_add_time(unmade_ns, op->dur_ns);
	}
	free(origins.made);
	free(origins.inner);
	free(origins.graphs);
	ra_util_map_free(&origins.index);
	return unmade_ns;
}

/* SPDX-License-Identifier: MIT */
/* --compat=tb: builds a tree of a thread's nodes, and computes the figures of each node. */
#include "analyzer/compat/tb/tree.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

#define NONE RA_KINETO_NONE

/* Start and end of a root until its children are known: ± Python's sys.maxsize as a double. */
#define ENDLESS 9223372036854775807.0

void ra_tb_tree_add_roots(struct ra_tb_nodes *nodes)
{
	const struct ra_tb_node root = {
		.start = -ENDLESS,
		.end = ENDLESS,
		.row = NONE,
		.name = RA_TB_ROOT_NAME,
		.type = RA_TB_PYTHON,
		.class = RA_TB_CLASS_ROOT,
	};

	for (size_t i = 0; i < nodes->tree_count; i++) {
		nodes->trees[i].root = ra_tb_nodes_add(nodes, &root);
	}
}

void ra_tb_tree_append(struct ra_tb_nodes *nodes, uint32_t parent, uint32_t child)
{
	struct ra_tb_node *above = &nodes->nodes[parent];

	nodes->nodes[child].parent = parent;
	nodes->nodes[child].next = NONE;
	if (above->first_child == NONE) {
		above->first_child = child;
	} else {
		nodes->nodes[above->last_child].next = child;
	}
	above->last_child = child;
}

/* A node to be sorted. */
struct place {
	double end;
	uint32_t node;
};

struct places {
	struct place *rows; /* owned */
	size_t capacity;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a;
	const struct place *right = b;

	return RA_ORDER_THEN(RA_ORDER_DOWN(left, right, end), RA_ORDER_UP(left, right, node));
}

/* Sorts nodes that start at the same time, longer ones first. */
static void sort_equals(const struct ra_tb_nodes *nodes, uint32_t *order, size_t count,
                        struct places *places)
{
	ra_util_grow(&places->rows, &places->capacity, count, sizeof(*places->rows));
	for (size_t i = 0; i < count; i++) {
		places->rows[i] = (struct place){ nodes->nodes[order[i]].end, order[i] };
	}
	RA_SORT(places->rows, count, compare_places);
	for (size_t i = 0; i < count; i++) {
		order[i] = places->rows[i].node;
	}
}

/* Sorts the nodes of a tree. They come in order of start. */
static void sort_tree(const struct ra_tb_nodes *nodes, const struct ra_tb_tree *tree,
                      struct places *places)
{
	uint32_t *order = nodes->order + tree->first;

	for (size_t i = 0, end; i < tree->count; i = end) {
		const struct ra_tb_node *first = &nodes->nodes[order[i]];
		bool is_sorted = true;

		for (end = i + 1;
		     end < tree->count && nodes->nodes[order[end]].start == first->start; end++) {
			is_sorted = is_sorted && nodes->nodes[order[end]].end <=
			                                 nodes->nodes[order[end - 1]].end;
		}
		if (!is_sorted) {
			sort_equals(nodes, order + i, end - i, places);
		}
	}
}

/* Builds a tree from nodes. A node that overlaps the node before without nesting is left out. */
static void nest(struct ra_tb_nodes *nodes, const struct ra_tb_tree *tree)
{
	uint32_t tail = tree->root;

	for (size_t i = 0; i < tree->count; i++) {
		const uint32_t node = nodes->order[tree->first + i];

		while (nodes->nodes[node].start >= nodes->nodes[tail].end &&
		       nodes->nodes[tail].parent != NONE) {
			tail = nodes->nodes[tail].parent;
		}
		if (nodes->nodes[node].end <= nodes->nodes[tail].end) {
			ra_tb_tree_append(nodes, tail, node);
			tail = node;
		} else {
			nodes->nodes[node].is_removed = true;
		}
	}
}

/* If the only child of an operator has the same name, the operator takes over its children and
 * calls. */
static void merge_repeated(struct ra_tb_nodes *nodes, uint32_t node)
{
	struct ra_tb_node *at = &nodes->nodes[node];

	while (at->type == RA_TB_OPERATOR && at->first_child != NONE &&
	       at->first_child == at->last_child) {
		struct ra_tb_node *child = &nodes->nodes[at->first_child];

		if (child->type != RA_TB_OPERATOR || child->name != at->name) {
			return;
		}
		child->is_removed = true;
		at->first_link = child->first_link;
		at->last_link = child->last_link;
		at->first_child = child->first_child;
		at->last_child = child->last_child;
		for (uint32_t next = at->first_child; next != NONE;
		     next = nodes->nodes[next].next) {
			nodes->nodes[next].parent = node;
		}
	}
}

/* A runtime call of a node, to be sorted into the order in which calls are added up. */
struct call {
	double start;
	double end;
	size_t index;
	uint32_t runtime;
};

static int compare_calls(const void *a, const void *b)
{
	const struct call *left = a;
	const struct call *right = b;
	int order = RA_ORDER_UP(left, right, start);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(left, right, end));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, index));
}

struct calls {
	struct call *rows; /* owned */
	size_t capacity;
};

/* Makes a call to sort. Calls at time 0 come last, as in the plugin. @index: index in the node's
 * list. */
static struct call make_call(const struct ra_tb_nodes *nodes, uint32_t link, size_t index)
{
	const struct ra_tb_runtime *runtime = &nodes->runtimes[nodes->links[link].runtime];
	const struct ra_stretch times = ra_tb_nodes_times(nodes, runtime);
	const bool has_times = runtime->row != NONE && times.start != 0 && times.end != 0;

	return (struct call){ has_times ? times.start : ENDLESS, has_times ? times.end : -ENDLESS,
		              index, nodes->links[link].runtime };
}

/* True if a node's calls are already sorted, which they mostly are. */
static bool are_calls_sorted(const struct ra_tb_nodes *nodes, uint32_t first)
{
	struct call before;
	size_t count = 1;

	if (first == NONE || nodes->links[first].next == NONE) {
		return true;
	}
	before = make_call(nodes, first, 0);
	for (uint32_t link = nodes->links[first].next; link != NONE;
	     link = nodes->links[link].next) {
		const struct call call = make_call(nodes, link, count++);

		if (compare_calls(&before, &call) > 0) {
			return false;
		}
		before = call;
	}
	return true;
}

/* Sorts a node's list of calls. */
static void sort_calls(struct ra_tb_nodes *nodes, uint32_t node, struct calls *calls)
{
	const uint32_t first = nodes->nodes[node].first_link;
	size_t count = 0;
	uint32_t link;

	if (are_calls_sorted(nodes, first)) {
		return;
	}
	for (link = first; link != NONE; link = nodes->links[link].next) {
		const struct call call = make_call(nodes, link, count);

		RA_UTIL_APPEND(calls->rows, count, calls->capacity, call);
	}
	if (calls->rows != NULL) {
		RA_SORT(calls->rows, count, compare_calls);
	}
	link = first;
	for (size_t i = 0; i < count; i++, link = nodes->links[link].next) {
		nodes->links[link].runtime = calls->rows[i].runtime;
	}
}

static void fill_runtime(struct ra_tb_nodes *nodes, struct ra_tb_runtime *runtime,
                         const struct ra_tb_node *owner)
{
	for (uint32_t i = runtime->first; i != NONE; i = nodes->devices[i].next) {
		struct ra_tb_device *device = &nodes->devices[i];
		const double length = device->end - device->start;

		device->op_name = owner->name;
		device->op_is_eligible = owner->is_eligible;
		runtime->device_time += length;
		runtime->tensor_time += device->is_tensor ? length : 0;
	}
}

static void add_children(const struct ra_tb_nodes *nodes, struct ra_tb_node *at)
{
	for (uint32_t i = at->first_child; i != NONE; i = nodes->nodes[i].next) {
		const struct ra_tb_node *child = &nodes->nodes[i];

		at->device_time += child->device_time;
		at->self_host -= child->end - child->start;
		at->tensor_total += child->tensor_total;
		if (at->type == RA_TB_OPERATOR && child->is_eligible) {
			at->is_eligible = true;
		}
	}
}

/* Computes the figures of a node whose children have theirs. */
static void fill_node(struct ra_tb_nodes *nodes, uint32_t node, struct calls *calls)
{
	struct ra_tb_node *at = &nodes->nodes[node];

	sort_calls(nodes, node, calls);
	for (uint32_t i = at->first_link; i != NONE; i = nodes->links[i].next) {
		fill_runtime(nodes, &nodes->runtimes[nodes->links[i].runtime], at);
	}
	at->self_host = at->end - at->start;
	add_children(nodes, at);
	for (uint32_t i = at->first_link; i != NONE; i = nodes->links[i].next) {
		const struct ra_tb_runtime *runtime = &nodes->runtimes[nodes->links[i].runtime];

		if (runtime->row != NONE) {
			const struct ra_stretch times = ra_tb_nodes_times(nodes, runtime);

			at->self_host -= times.end - times.start;
		}
		at->device_time += runtime->device_time;
		at->self_device += runtime->device_time;
		at->tensor_self += runtime->tensor_time;
		at->tensor_total += runtime->tensor_time;
		if (at->type == RA_TB_OPERATOR && runtime->tensor_time > 0) {
			at->is_eligible = true;
		}
	}
}

static void build_tree(struct ra_tb_nodes *nodes, const struct ra_tb_tree *tree,
                       struct calls *calls)
{
	struct ra_tb_node *root = &nodes->nodes[tree->root];

	nest(nodes, tree);
	for (size_t i = 0; i < tree->count; i++) {
		const uint32_t node = nodes->order[tree->first + i];

		if (!nodes->nodes[node].is_removed) {
			merge_repeated(nodes, node);
		}
	}
	for (uint32_t at = ra_tb_nodes_begin(nodes, tree->root); at != NONE;
	     at = ra_tb_nodes_next(nodes, tree->root, at)) {
		fill_node(nodes, at, calls);
	}
	root->start = root->first_child == NONE ? 0 : nodes->nodes[root->first_child].start;
	root->end = root->last_child == NONE ? 0 : nodes->nodes[root->last_child].end;
}

void ra_tb_tree_build(struct ra_tb_nodes *nodes)
{
	struct places places = { 0 };
	struct calls calls = { 0 };

	for (size_t i = 0; i < nodes->tree_count; i++) {
		sort_tree(nodes, &nodes->trees[i], &places);
		build_tree(nodes, &nodes->trees[i], &calls);
	}
	free(places.rows);
	free(calls.rows);
	free(nodes->order); /* from here on, the trees have the links */
	nodes->order = NULL;
}

/* SPDX-License-Identifier: MIT */
/* --compat=tb: moves the backward pass below the modules whose forward pass caused it. */
#include "analyzer/compat/tb/backward.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/compat/tb/tree.h"
#include "analyzer/base/util.h"

#define NONE            RA_KINETO_NONE
#define ACCUMULATE_NAME "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad"

/* An arrow of a fwdbwd flow. The plugin knows its ends only by their times. */
struct arrow {
	double from;
	double to;
	bool has_from;
	bool has_to;
};

struct list {
	uint32_t *items; /* owned */
	size_t count;
	size_t capacity;
};

struct regroup {
	struct ra_tb_nodes *nodes;
	struct arrow *arrows; /* owned; ordered by the first start with each id */
	size_t arrow_count;
	size_t arrow_capacity;
	struct list modules;                /* modules below a thread or a step */
	struct list functions;              /* autograd's functions, in the order of the trees */
	struct list made;                   /* nodes MODULE.backward, parents first */
	struct ra_util_map parent_by_start; /* start of a node inside a function → parent of the
	                                       first node that begins then */
	struct ra_util_map group_by_node;   /* first function of a group → the function's index in
	                                       functions */
	struct ra_util_map group_by_start; /* start of an operator of the forward pass → group, as
	                                      an index in functions */
	bool *is_used; /* owned; for each of functions: it was placed below a module */
};

static void push(struct list *list, uint32_t item)
{
	RA_UTIL_APPEND(list->items, list->count, list->capacity, item);
}

static uint64_t key_of(double time)
{
	uint64_t key;

	memcpy(&key, &time, sizeof(key));
	return key;
}

static struct rlog_string name_of(const struct ra_tb_nodes *nodes, uint32_t node)
{
	if (nodes->nodes[node].name == RA_TB_ROOT_NAME) {
		return (struct rlog_string){ 0 };
	}
	return ra_kineto_string(nodes->events->kineto, nodes->nodes[node].name);
}

static bool is_function(const struct ra_tb_nodes *nodes, uint32_t node)
{
	const uint32_t name = nodes->nodes[node].name;

	return name != RA_TB_ROOT_NAME &&
	       (ra_tb_events_traits(nodes->events, name) & RA_TB_TRAIT_FUNCTION) != 0;
}

static void add_arrow_end(struct regroup *by, struct ra_util_map *by_id, uint32_t row)
{
	const struct ra_kineto *kineto = by->nodes->events->kineto;
	const double time = ra_kineto_us(ra_kineto_ts(kineto, row));
	uint32_t index = ra_util_map_find(by_id, kineto->corr[row]);

	if (index == RA_UTIL_MAP_NONE || by->arrows == NULL) {
		index = (uint32_t) by->arrow_count;
		ra_util_map_put(by_id, kineto->corr[row], index);
		RA_UTIL_APPEND(by->arrows, by->arrow_count, by->arrow_capacity,
		               (struct arrow){ 0 });
	}
	if (kineto->kind[row] == RA_KINETO_FLOW_START) {
		by->arrows[index].from = time;
		by->arrows[index].has_from = true;
	} else {
		by->arrows[index].to = time;
		by->arrows[index].has_to = true;
	}
}

/* Keeps only arrows that have both ends. If several start at the same time, the end of the last one
 * counts. */
static void read_arrows(struct regroup *by)
{
	const struct ra_kineto *k = by->nodes->events->kineto;
	struct ra_util_map by_id = { 0 };
	struct ra_util_map by_start = { 0 };
	size_t kept = 0;

	for (uint32_t row = 0; row < k->count; row++) {
		if ((k->kind[row] == RA_KINETO_FLOW_START || k->kind[row] == RA_KINETO_FLOW_END) &&
		    (k->flags[row] & RA_KINETO_HAS_TS) != 0 && k->corr[row] != NONE &&
		    ra_kineto_is_text(k, k->categories[ra_kineto_get_category(k, row)].name,
		                      "fwdbwd")) {
			add_arrow_end(by, &by_id, row);
		}
	}
	for (size_t i = 0; i < by->arrow_count; i++) {
		const struct arrow arrow = by->arrows[i];
		uint32_t place;

		if (!arrow.has_from || !arrow.has_to) {
			continue;
		}
		place = ra_util_map_find(&by_start, key_of(arrow.from));
		if (place == RA_UTIL_MAP_NONE) {
			place = (uint32_t) kept++;
			ra_util_map_put(&by_start, key_of(arrow.from), place);
		}
		by->arrows[place] = arrow;
	}
	by->arrow_count = kept;
	ra_util_map_free(&by_id);
	ra_util_map_free(&by_start);
}

/* Finds the modules below threads and their steps, and autograd's functions outside modules. */
static void find_nodes(struct regroup *by)
{
	const struct ra_tb_nodes *nodes = by->nodes;

	for (size_t i = 0; i < nodes->tree_count; i++) {
		const uint32_t root = nodes->trees[i].root;
		uint32_t at = nodes->nodes[root].first_child;

		while (at != NONE) {
			const struct ra_tb_node *node = &nodes->nodes[at];

			if (node->class == RA_TB_CLASS_STEP && node->first_child != NONE) {
				at = node->first_child;
				continue;
			}
			if (node->class == RA_TB_CLASS_MODULE) {
				push(&by->modules, at);
			} else if (is_function(nodes, at)) {
				push(&by->functions, at);
			}
			while (nodes->nodes[at].next == NONE && nodes->nodes[at].parent != root) {
				at = nodes->nodes[at].parent;
			}
			at = nodes->nodes[at].next;
		}
	}
}

/* Removes the children of a node that are marked as taken. */
static void take_out(struct ra_tb_nodes *nodes, uint32_t parent, const bool *is_taken)
{
	struct ra_tb_node *above = &nodes->nodes[parent];
	uint32_t child = above->first_child;

	above->first_child = NONE;
	above->last_child = NONE;
	while (child != NONE) {
		const uint32_t next = nodes->nodes[child].next;

		if (!is_taken[child]) {
			ra_tb_tree_append(nodes, parent, child);
		}
		child = next;
	}
}

static void take_functions(struct regroup *by)
{
	struct ra_tb_nodes *nodes = by->nodes;
	bool *is_taken = ra_alloc_zeros(nodes->node_count + 1, sizeof(*is_taken));
	bool *is_done = ra_alloc_zeros(nodes->node_count + 1, sizeof(*is_done));

	for (size_t i = 0; i < by->functions.count; i++) {
		is_taken[by->functions.items[i]] = true;
	}
	for (size_t i = 0; i < by->functions.count; i++) {
		const uint32_t parent = nodes->nodes[by->functions.items[i]].parent;

		if (!is_done[parent]) {
			is_done[parent] = true;
			take_out(nodes, parent, is_taken);
		}
	}
	for (size_t i = 0; i < by->functions.count; i++) {
		nodes->nodes[by->functions.items[i]].next = NONE;
	}
	free(is_done);
	free(is_taken);
}

static void index_functions(struct regroup *by)
{
	const struct ra_tb_nodes *nodes = by->nodes;

	for (size_t i = 0; i < by->functions.count; i++) {
		const uint32_t function = by->functions.items[i];

		/* A function that accumulates gradients belongs to the function before it. */
		if (i == 0 || !ra_util_string_is(name_of(nodes, function), ACCUMULATE_NAME)) {
			ra_util_map_put(&by->group_by_node, function, (uint32_t) i);
		}
		for (uint32_t at = ra_tb_nodes_below(nodes, function, function); at != NONE;
		     at = ra_tb_nodes_below(nodes, function, at)) {
			const uint64_t key = key_of(nodes->nodes[at].start);

			if (ra_util_map_find(&by->parent_by_start, key) == RA_UTIL_MAP_NONE) {
				ra_util_map_put(&by->parent_by_start, key, nodes->nodes[at].parent);
			}
		}
	}
}

/* Goes from each arrow's end up to a function, and maps the arrow's start to the function's group.
 * Finds nodes by their start times, as the plugin does. */
static void follow_arrows(struct regroup *by)
{
	const struct ra_tb_nodes *nodes = by->nodes;

	for (size_t i = 0; i < by->arrow_count; i++) {
		uint32_t at = ra_util_map_find(&by->parent_by_start, key_of(by->arrows[i].to));
		uint32_t group;

		for (size_t steps = 0; at != RA_UTIL_MAP_NONE && !is_function(nodes, at); steps++) {
			at = steps > nodes->node_count
			             ? RA_UTIL_MAP_NONE
			             : ra_util_map_find(&by->parent_by_start,
			                                key_of(nodes->nodes[at].start));
		}
		if (at == RA_UTIL_MAP_NONE) {
			continue;
		}
		group = ra_util_map_find(&by->group_by_node, at);
		if (group != RA_UTIL_MAP_NONE) { /* otherwise the plugin stops with an error */
			ra_util_map_remove(&by->group_by_node, at);
			ra_util_map_put(&by->group_by_start, key_of(by->arrows[i].from), group);
		}
	}
}

/* Places the functions of a group below a node made for a module. If operators start at the same
 * time, the plugin may place a group twice. Here only the first operator gets it. */
static void hang_group(struct regroup *by, uint32_t parent, uint32_t group)
{
	const struct ra_tb_nodes *nodes = by->nodes;

	for (size_t i = group; i < by->functions.count && !by->is_used[i]; i++) {
		const uint32_t function = by->functions.items[i];

		if (i > group && !ra_util_string_is(name_of(nodes, function), ACCUMULATE_NAME)) {
			return;
		}
		by->is_used[i] = true;
		ra_tb_tree_append(by->nodes, parent, function);
	}
}

/* Makes a node MODULE.backward. @parent: NONE: the node is placed next to the module. */
static uint32_t make_backward(struct regroup *by, uint32_t module, uint32_t parent)
{
	const struct ra_tb_node node = {
		.start = by->nodes->nodes[module].start,
		.end = by->nodes->nodes[module].end,
		.row = NONE,
		.name = by->nodes->nodes[module].name,
		.type = RA_TB_NONE,
		.class = RA_TB_CLASS_BACKWARD,
	};
	const uint32_t made = ra_tb_nodes_add(by->nodes, &node);

	push(&by->made, made);
	if (parent != NONE) {
		ra_tb_tree_append(by->nodes, parent, made);
	}
	return made;
}

/* Makes nodes for a module and the modules inside it. @made_for: gets for each node the made node
 * of the innermost module around it. */
static void mirror_module(struct regroup *by, uint32_t module, uint32_t *made_for)
{
	made_for[module] = make_backward(by, module, NONE);
	for (uint32_t at = ra_tb_nodes_below(by->nodes, module, module); at != NONE;
	     at = ra_tb_nodes_below(by->nodes, module, at)) {
		const uint32_t parent = made_for[by->nodes->nodes[at].parent];

		made_for[at] = parent;
		if (ra_tb_nodes_is_operator(by->nodes, at)) {
			const uint32_t group = ra_util_map_find(&by->group_by_start,
			                                        key_of(by->nodes->nodes[at].start));

			if (group != RA_UTIL_MAP_NONE) {
				hang_group(by, parent, group);
			}
		}
		if (by->nodes->nodes[at].class == RA_TB_CLASS_MODULE) {
			made_for[at] = make_backward(by, at, parent);
		}
	}
}

/* A node to be sorted. */
struct place {
	double start;
	double end;
	size_t index;
	uint32_t node;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a;
	const struct place *right = b;
	int order = RA_ORDER_UP(left, right, start);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(left, right, end));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, index));
}

/* Sorts nodes by start; of those that start together, the longer one comes first. */
static void sort_list(const struct ra_tb_nodes *nodes, struct list *list)
{
	struct place *places = ra_alloc_zeros(list->count + 1, sizeof(*places));

	for (size_t i = 0; i < list->count; i++) {
		const uint32_t node = list->items[i];

		places[i] =
			(struct place){ nodes->nodes[node].start, nodes->nodes[node].end, i, node };
	}
	RA_SORT(places, list->count, compare_places);
	for (size_t i = 0; i < list->count; i++) {
		list->items[i] = places[i].node;
	}
	free(places);
}

static void sort_children(struct ra_tb_nodes *nodes, uint32_t parent)
{
	struct list children = { 0 };

	for (uint32_t i = nodes->nodes[parent].first_child; i != NONE; i = nodes->nodes[i].next) {
		push(&children, i);
	}
	sort_list(nodes, &children);
	nodes->nodes[parent].first_child = NONE;
	nodes->nodes[parent].last_child = NONE;
	for (size_t i = 0; i < children.count; i++) {
		ra_tb_tree_append(nodes, parent, children.items[i]);
	}
	free(children.items);
}

/* Computes the figures of a made node from its children. Without children it keeps the times of its
 * module. */
static void fill_made(struct ra_tb_nodes *nodes, uint32_t made)
{
	struct ra_tb_node *at = &nodes->nodes[made];

	if (at->first_child == NONE) {
		return;
	}
	sort_children(nodes, made);
	at->start = nodes->nodes[at->first_child].start;
	at->end = nodes->nodes[at->last_child].end;
	at->self_host = at->end - at->start;
	for (uint32_t i = at->first_child; i != NONE; i = nodes->nodes[i].next) {
		const struct ra_tb_node *child = &nodes->nodes[i];

		at->device_time += child->device_time;
		at->self_host -= child->end - child->start;
		at->tensor_total += child->tensor_total;
		at->is_eligible = at->is_eligible || child->is_eligible;
	}
}

/* A position among the children of a node. */
struct cursor {
	uint32_t node;   /* NONE: the position is after all nodes */
	uint32_t before; /* the child before the position; NONE: the position is the first */
	uint32_t child;  /* the child after the position; NONE: the position is the last */
};

static void insert(struct ra_tb_nodes *nodes, struct cursor *at, uint32_t made)
{
	struct ra_tb_node *above = &nodes->nodes[at->node];

	nodes->nodes[made].parent = at->node;
	nodes->nodes[made].next = at->child;
	if (at->before == NONE) {
		above->first_child = made;
	} else {
		nodes->nodes[at->before].next = made;
	}
	if (at->child == NONE) {
		above->last_child = made;
	}
	at->before = made;
}

/* Moves the position down to the innermost node around the start of a made node. */
static void descend(const struct ra_tb_nodes *nodes, struct cursor *at, uint32_t made)
{
	const struct ra_tb_node *node = &nodes->nodes[made];

	while (at->child != NONE && node->end >= nodes->nodes[at->child].start) {
		if (node->start >= nodes->nodes[at->child].end) {
			at->before = at->child;
			at->child = nodes->nodes[at->child].next;
		} else {
			at->node = at->child;
			at->before = NONE;
			at->child = nodes->nodes[at->node].first_child;
		}
	}
}

/* Inserts made nodes into a tree. They must be ordered by start. Those outside of the tree are
 * lost. */
static void insert_all(struct ra_tb_nodes *nodes, uint32_t root, const struct list *tops)
{
	struct cursor at = { root, NONE, nodes->nodes[root].first_child };
	size_t i = 0;

	while (i < tops->count && at.node != NONE) {
		const struct ra_tb_node *made = &nodes->nodes[tops->items[i]];

		if (made->end < nodes->nodes[at.node].start) {
			i++;
		} else if (made->start > nodes->nodes[at.node].end) {
			at.before = at.node;
			at.child = nodes->nodes[at.node].next;
			at.node = at.node == root ? NONE : nodes->nodes[at.node].parent;
		} else {
			descend(nodes, &at, tops->items[i]);
			insert(nodes, &at, tops->items[i]);
			i++;
		}
	}
}

/* Finds the last tree with a step; without steps, the longest thread that is not autograd's. */
static uint32_t find_main_tree(const struct ra_tb_nodes *nodes)
{
	uint32_t found = NONE;
	uint32_t autograd = NONE;
	double longest = 0;

	for (uint32_t i = 0; i < nodes->tree_count; i++) {
		if (nodes->trees[i].has_step) {
			found = i;
		}
	}
	for (uint32_t i = 0; i < nodes->tree_count && autograd == NONE; i++) {
		uint32_t at = nodes->nodes[nodes->trees[i].root].first_child;

		while (at != NONE && !is_function(nodes, at)) {
			at = nodes->nodes[at].next;
		}
		autograd = at == NONE ? NONE : i;
	}
	if (found != NONE || nodes->tree_count == 1) {
		return found != NONE ? found : 0;
	}
	for (uint32_t i = 0; i < nodes->tree_count; i++) {
		const struct ra_tb_node *root = &nodes->nodes[nodes->trees[i].root];

		if (i != autograd && (found == NONE || root->end - root->start > longest)) {
			found = i;
			longest = root->end - root->start;
		}
	}
	return found;
}

/* Makes the nodes of the backward pass, and inserts them into the main thread's tree. */
static void hang_functions(struct regroup *by, uint32_t main_tree)
{
	struct ra_tb_nodes *nodes = by->nodes;
	uint32_t *made_for = ra_alloc_bytes((nodes->node_count + 1) * sizeof(*made_for));
	struct list tops = { 0 };

	for (size_t i = 0; i < by->modules.count; i++) {
		mirror_module(by, by->modules.items[i], made_for);
		push(&tops, made_for[by->modules.items[i]]);
	}
	for (size_t i = by->made.count; i-- > 0;) {
		fill_made(nodes, by->made.items[i]);
	}
	sort_list(nodes, &tops);
	if (main_tree != NONE) {
		insert_all(nodes, nodes->trees[main_tree].root, &tops);
	}
	free(made_for);
	free(tops.items);
}

static void regroup(struct regroup *by)
{
	struct ra_tb_nodes *nodes = by->nodes;
	const uint32_t main_tree = find_main_tree(nodes);

	find_nodes(by);
	if (by->modules.count == 0 || by->functions.count == 0) {
		return;
	}
	by->is_used = ra_alloc_zeros(by->functions.count, sizeof(*by->is_used));
	take_functions(by);
	index_functions(by);
	follow_arrows(by);
	if (by->group_by_start.count > 0) {
		hang_functions(by, main_tree);
	}
	for (size_t i = 0; i < nodes->tree_count; i++) {
		nodes->trees[i].is_dropped = nodes->nodes[nodes->trees[i].root].first_child == NONE;
	}
}

void ra_tb_backward_regroup(struct ra_tb_nodes *nodes)
{
	struct regroup by = { .nodes = nodes };

	read_arrows(&by);
	if (by.arrow_count > 0) {
		regroup(&by);
	}
	free(by.arrows);
	free(by.modules.items);
	free(by.functions.items);
	free(by.made.items);
	free(by.is_used);
	ra_util_map_free(&by.parent_by_start);
	ra_util_map_free(&by.group_by_node);
	ra_util_map_free(&by.group_by_start);
}

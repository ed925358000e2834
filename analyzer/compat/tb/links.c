/* SPDX-License-Identifier: MIT */
/* --compat=tb: makes runtime calls, device work and nodes of events, and links them. */
#include "analyzer/compat/tb/links.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/compat/tb/backward.h"
#include "analyzer/compat/tb/comm.h"
#include "analyzer/compat/tb/tree.h"
#include "analyzer/base/util-ids.h"
#include "analyzer/base/util.h"

#define NONE RA_KINETO_NONE

/* State for linking events while they are read. */
struct ra_tb_linker {
	struct ra_tb_nodes *nodes;
	struct ra_util_ids runtime_by_corr;
	struct ra_util_map waiting_by_corr;   /* correlation → index of the first waiting device
	                                         event of a chain */
	struct ra_util_ids first_by_external; /* external id → first runtime call of a chain, see
	                                         next_runtime */
	struct ra_util_map tree_by_tid;
	uint32_t *next_runtime; /* owned: for each runtime call, the next one with the same external
	                           id */
	uint32_t *tree_of_node; /* owned: for each node, its tree */
	size_t tree_of_node_capacity;
};

static void append_device(struct ra_tb_nodes *nodes, struct ra_tb_runtime *runtime, uint32_t device)
{
	if (runtime->first == NONE) {
		runtime->first = device;
	} else {
		nodes->devices[runtime->last].next = device;
	}
	runtime->last = device;
}

/* Links a device event to its runtime call, if the call came before. Else the event waits for the
 * call. */
static void add_device(struct ra_tb_linker *linker, const struct ra_tb_event *event)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const struct ra_kineto *kineto = nodes->events->kineto;
	const uint32_t corr = kineto->corr[event->row];
	const uint32_t index = (uint32_t) nodes->device_count;
	const uint32_t runtime = ra_util_ids_find(&linker->runtime_by_corr, corr);
	const unsigned traits = ra_tb_events_traits(nodes->events, kineto->name[event->row]);
	struct ra_tb_device *device = &nodes->devices[nodes->device_count++];
	uint32_t first;

	*device = (struct ra_tb_device){
		.start = event->ts,
		.end = event->end,
		.row = event->row,
		.next = NONE,
		.op_name = NONE,
		.is_kernel = event->type == RA_TB_KERNEL,
		.is_tensor = (traits & RA_TB_TRAIT_TENSOR_KERNEL) != 0,
	};
	if (runtime != RA_UTIL_MAP_NONE) {
		append_device(nodes, &nodes->runtimes[runtime], index);
		return;
	}
	/* The first event of the chain stays first. Others are inserted directly after it; so their
	 * order must be reversed later. */
	first = ra_util_map_find(&linker->waiting_by_corr, corr);
	if (first == RA_UTIL_MAP_NONE) {
		ra_util_map_put(&linker->waiting_by_corr, corr, index);
		return;
	}
	device->next = nodes->devices[first].next;
	nodes->devices[first].next = index;
}

/* Lists a chain of waiting device events, in the order of events. */
static uint32_t *list_chain(const struct ra_tb_nodes *nodes, uint32_t first, size_t *count)
{
	uint32_t *list = NULL;
	size_t capacity = 0;

	*count = 0;
	for (uint32_t at = first; at != NONE; at = nodes->devices[at].next) {
		RA_UTIL_APPEND(list, *count, capacity, at);
	}
	RA_SORT(list, *count, ra_order_uint32);
	return list;
}

/* Moves waiting device events to their runtime call. If events start at the same time, the longer
 * one comes first. */
static void take_waiting(struct ra_tb_linker *linker, uint32_t corr, struct ra_tb_runtime *runtime)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const uint32_t first = ra_util_map_find(&linker->waiting_by_corr, corr);
	uint32_t *list;
	size_t count;

	if (first == RA_UTIL_MAP_NONE) {
		return;
	}
	ra_util_map_remove(&linker->waiting_by_corr, corr);
	list = list_chain(nodes, first, &count);
	for (size_t i = 1; i < count; i++) {
		const uint32_t moved = list[i];
		size_t at = i;

		while (at > 0 &&
		       nodes->devices[list[at - 1]].start == nodes->devices[moved].start &&
		       nodes->devices[list[at - 1]].end < nodes->devices[moved].end) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = moved;
	}
	for (size_t i = 0; i < count; i++) {
		nodes->devices[list[i]].next = NONE;
		append_device(nodes, runtime, list[i]);
	}
	free(list);
}

static void add_runtime(struct ra_tb_linker *linker, const struct ra_tb_event *event)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const uint32_t corr = nodes->events->kineto->corr[event->row];
	const uint32_t index = (uint32_t) nodes->runtime_count++;

	nodes->runtimes[index] = (struct ra_tb_runtime){
		.first = NONE,
		.last = NONE,
		.row = event->row,
	};
	ra_util_ids_put(&linker->runtime_by_corr, corr, index);
	take_waiting(linker, corr, &nodes->runtimes[index]);
}

/* Makes room for the ids of all runtime calls. @by_row: the id of each row; NONE: it has none. */
static void reserve_ids(struct ra_util_ids *ids, const struct ra_tb_events *events,
                        const uint32_t *by_row)
{
	uint32_t first = NONE;
	uint32_t last = 0;

	for (size_t i = 0; i < events->count; i++) {
		uint32_t id;

		if (events->types[i] != RA_TB_RUNTIME) {
			continue;
		}
		id = by_row[events->rows[i]];
		if (id != NONE) {
			first = id < first ? id : first;
			last = id > last ? id : last;
		}
	}
	ra_util_ids_reserve(ids, first, last, events->type_count[RA_TB_RUNTIME]);
}

/* Chains the runtime calls that have the same external id, in order of time. */
static void chain_runtimes(struct ra_tb_linker *linker)
{
	const struct ra_tb_nodes *nodes = linker->nodes;
	const uint32_t *externals = nodes->events->kineto->external;

	reserve_ids(&linker->first_by_external, nodes->events, externals);
	ra_util_resize(&linker->next_runtime, nodes->runtime_count + 1, sizeof(uint32_t));
	for (size_t i = nodes->runtime_count; i-- > 0;) {
		const uint32_t external = externals[nodes->runtimes[i].row];

		linker->next_runtime[i] = ra_util_ids_find(&linker->first_by_external, external);
		ra_util_ids_put(&linker->first_by_external, external, (uint32_t) i);
	}
}

/* Finds the class of a node by its name. Return: false if the plugin makes no node for the
 * event. */
static bool classify_node(const struct ra_tb_event *event, unsigned traits, enum ra_tb_class *class)
{
	*class = RA_TB_PLAIN;
	if (event->type == RA_TB_STEP) {
		*class = RA_TB_CLASS_STEP;
	} else if (event->type == RA_TB_MODULE) {
		*class = RA_TB_CLASS_MODULE;
	} else if ((traits & RA_TB_TRAIT_LOADER) != 0) {
		*class = RA_TB_CLASS_LOADER;
	} else if ((traits & RA_TB_TRAIT_OPTIMIZER_STEP) != 0) {
		*class = RA_TB_CLASS_OPTIMIZER;
	} else if (event->type == RA_TB_ANNOTATION && (traits & RA_TB_TRAIT_COMM) == 0) {
		return false;
	}
	return true;
}

static uint32_t find_tree(struct ra_tb_linker *linker, int64_t tid)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	uint32_t index;

	ra_util_map_number(&linker->tree_by_tid, (uint64_t) tid, &index);
	if (index == nodes->tree_count) { /* it is a new tree */
		RA_UTIL_APPEND(nodes->trees, nodes->tree_count, nodes->tree_capacity,
		               (struct ra_tb_tree){ .tid = tid });
	}
	return index;
}

/* Returns the id by which calls find an event. */
static uint32_t find_external(const struct ra_kineto *kineto, uint32_t row, uint8_t type)
{
	return type == RA_TB_MODULE ? NONE : kineto->external[row];
}

/* Adds a collective, if the event is one. */
static void add_comm(struct ra_tb_linker *linker, const struct ra_tb_event *event)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const struct ra_kineto *kineto = nodes->events->kineto;
	const unsigned traits = ra_tb_events_traits(nodes->events, kineto->name[event->row]);
	enum ra_tb_class class;

	if ((traits & RA_TB_TRAIT_COMM) == 0 || !classify_node(event, traits, &class) ||
	    kineto->threads[ra_kineto_get_thread(kineto, event->row)].tid_number == INT64_MIN) {
		return;
	}
	nodes->has_nccl = nodes->has_nccl || (traits & RA_TB_TRAIT_NCCL) != 0;
	nodes->has_gloo = nodes->has_gloo || (traits & RA_TB_TRAIT_GLOO) != 0;
	ra_tb_comm_add(nodes, event, find_external(kineto, event->row, event->type));
}

static void add_node(struct ra_tb_linker *linker, const struct ra_tb_event *event)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const struct ra_kineto *kineto = nodes->events->kineto;
	const uint32_t name = kineto->name[event->row];
	const unsigned traits = ra_tb_events_traits(nodes->events, name);
	const int64_t tid = kineto->threads[ra_kineto_get_thread(kineto, event->row)].tid_number;
	struct ra_tb_node node = {
		.start = event->ts,
		.end = event->end,
		.row = event->row,
		.name = name,
		.type = event->type,
		.is_eligible = (traits & RA_TB_TRAIT_TENSOR_OPERATOR) != 0,
	};
	enum ra_tb_class class;
	uint32_t tree;
	uint32_t index;

	nodes->uses_dp = nodes->uses_dp || (traits & RA_TB_TRAIT_DP) != 0;
	nodes->uses_ddp = nodes->uses_ddp || (traits & RA_TB_TRAIT_DDP) != 0;
	if (!classify_node(event, traits, &class) || tid == INT64_MIN) {
		return;
	}
	node.class = (uint8_t) class;
	tree = find_tree(linker, tid);
	index = ra_tb_nodes_add(nodes, &node);
	ra_util_grow(&linker->tree_of_node, &linker->tree_of_node_capacity, nodes->node_count,
	             sizeof(uint32_t));
	linker->tree_of_node[index] = tree;
	nodes->trees[tree].count++;
	nodes->trees[tree].has_step =
		nodes->trees[tree].has_step || (traits & RA_TB_TRAIT_STEP) != 0;
}

static bool is_of_node(const struct ra_tb_event *event)
{
	return event->type == RA_TB_PYTHON || event->type == RA_TB_OPERATOR ||
	       event->type == RA_TB_STEP || event->type == RA_TB_MODULE ||
	       event->type == RA_TB_ANNOTATION;
}

/* Allocates arrays of exactly the size needed, because growing arrays would waste memory. */
static void reserve_calls(struct ra_tb_nodes *nodes)
{
	const size_t *count = nodes->events->type_count;

	nodes->runtime_capacity = count[RA_TB_RUNTIME] + 1;
	ra_util_resize(&nodes->runtimes, nodes->runtime_capacity, sizeof(*nodes->runtimes));
	ra_util_resize(&nodes->devices,
	               count[RA_TB_KERNEL] + count[RA_TB_MEMCPY] + count[RA_TB_MEMSET] + 1,
	               sizeof(*nodes->devices));
}

static void read_calls(struct ra_tb_linker *linker)
{
	const struct ra_tb_events *events = linker->nodes->events;

	reserve_calls(linker->nodes);
	reserve_ids(&linker->runtime_by_corr, events, events->kineto->corr);
	for (size_t i = 0; i < events->count; i++) {
		const struct ra_tb_event event = ra_tb_events_get(events, i);

		if (event.type == RA_TB_KERNEL || event.type == RA_TB_MEMCPY ||
		    event.type == RA_TB_MEMSET) {
			add_device(linker, &event);
		} else if (event.type == RA_TB_RUNTIME) {
			add_runtime(linker, &event);
		} else if (is_of_node(&event)) {
			add_comm(linker, &event);
		}
	}
}

/* Makes room for nodes and their links: a node for each event, a link for each call, and those of
 * threads. */
static void reserve_nodes(struct ra_tb_linker *linker)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const struct ra_tb_events *events = nodes->events;
	const size_t threads = events->kineto->thread_count;

	nodes->node_capacity = threads + events->type_count[RA_TB_PYTHON] +
	                       events->type_count[RA_TB_OPERATOR] + events->type_count[RA_TB_STEP] +
	                       events->type_count[RA_TB_MODULE];
	nodes->link_capacity = threads + nodes->runtime_count;
	linker->tree_of_node_capacity = nodes->node_capacity;
	ra_util_resize(&nodes->nodes, nodes->node_capacity + 1, sizeof(*nodes->nodes));
	ra_util_resize(&nodes->links, nodes->link_capacity + 1, sizeof(*nodes->links));
	ra_util_resize(&linker->tree_of_node, nodes->node_capacity + 1, sizeof(uint32_t));
}

static void read_nodes(struct ra_tb_linker *linker)
{
	const struct ra_tb_events *events = linker->nodes->events;

	reserve_nodes(linker);
	for (size_t i = 0; i < events->count; i++) {
		const struct ra_tb_event event = ra_tb_events_get(events, i);

		if (is_of_node(&event)) {
			add_node(linker, &event);
		}
	}
}

/* Sorts nodes by tree; within a tree they stay in order of time. */
static void order_nodes(struct ra_tb_linker *linker)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	size_t first = 0;

	nodes->order = ra_alloc_zeros(nodes->node_count + 1, sizeof(*nodes->order));
	for (size_t i = 0; i < nodes->tree_count; i++) {
		nodes->trees[i].first = first;
		first += nodes->trees[i].count;
		nodes->trees[i].count = 0;
	}
	for (uint32_t node = 0; node < nodes->node_count && linker->tree_of_node != NULL; node++) {
		struct ra_tb_tree *tree = &nodes->trees[linker->tree_of_node[node]];

		nodes->order[tree->first + tree->count++] = node;
	}
}

/* Gives each runtime call to the first node with its external id, tree by tree. */
static void link_runtimes(struct ra_tb_linker *linker)
{
	struct ra_tb_nodes *nodes = linker->nodes;

	for (size_t i = 0; i < nodes->node_count; i++) {
		const uint32_t node = nodes->order[i];
		const uint32_t external = find_external(
			nodes->events->kineto, nodes->nodes[node].row, nodes->nodes[node].type);
		uint32_t runtime = ra_util_ids_find(&linker->first_by_external, external);

		if (runtime == RA_UTIL_MAP_NONE) {
			continue;
		}
		ra_util_ids_remove(&linker->first_by_external, external);
		for (; runtime != NONE; runtime = linker->next_runtime[runtime]) {
			ra_tb_nodes_link(nodes, node, runtime);
		}
	}
}

/* Links runtime calls with external id 0 also to the root of their thread, if the thread's number
 * is not a string. */
static void link_zeros(struct ra_tb_linker *linker)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const struct ra_kineto *kineto = nodes->events->kineto;

	for (uint32_t i = 0; i < nodes->real_runtimes; i++) {
		const uint32_t row = nodes->runtimes[i].row;
		const struct ra_kineto_thread *thread =
			&kineto->threads[ra_kineto_get_thread(kineto, row)];
		uint32_t tree;

		if (kineto->external[row] != 0 || thread->tid_number == INT64_MIN ||
		    ra_util_string_has_prefix(ra_kineto_string(kineto, thread->tid), "\"")) {
			continue;
		}
		tree = ra_util_map_find(&linker->tree_by_tid, (uint64_t) thread->tid_number);
		if (tree != RA_UTIL_MAP_NONE) {
			ra_tb_nodes_link(nodes, nodes->trees[tree].root, i);
		}
	}
}

/* Chains the kernels whose runtime call never came, correlation by correlation. */
static uint32_t collect_stale(struct ra_tb_linker *linker)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const struct ra_kineto *kineto = nodes->events->kineto;
	struct ra_tb_runtime chain = { .first = NONE, .last = NONE };

	for (uint32_t i = 0; i < nodes->device_count; i++) {
		const uint32_t corr = kineto->corr[nodes->devices[i].row];
		uint32_t *list;
		size_t count;

		if (ra_util_map_find(&linker->waiting_by_corr, corr) != i) {
			continue; /* it is not the first of a chain that is still waiting */
		}
		list = list_chain(nodes, i, &count);
		for (size_t k = 0; k < count; k++) {
			nodes->devices[list[k]].next = NONE;
			if (nodes->devices[list[k]].is_kernel) {
				append_device(nodes, &chain, list[k]);
			}
		}
		free(list);
	}
	return chain.first;
}

/* Gives each tree with a step a call that stands for the missing launches. */
static void link_stale(struct ra_tb_linker *linker)
{
	struct ra_tb_nodes *nodes = linker->nodes;
	const uint32_t stale = collect_stale(linker);

	for (size_t i = 0; i < nodes->tree_count && stale != NONE; i++) {
		if (!nodes->trees[i].has_step) {
			continue;
		}
		ra_tb_nodes_link(nodes, nodes->trees[i].root, (uint32_t) nodes->runtime_count);
		RA_UTIL_APPEND(nodes->runtimes, nodes->runtime_count, nodes->runtime_capacity,
		               (struct ra_tb_runtime){ .first = stale, .last = NONE, .row = NONE });
	}
}

void ra_tb_links_init(struct ra_tb_nodes *nodes, const struct ra_tb_events *events)
{
	struct ra_tb_linker *linker = ra_alloc_zeros(1, sizeof(*linker));

	*nodes = (struct ra_tb_nodes){ .events = events, .linker = linker };
	linker->nodes = nodes;
	read_calls(linker);
	nodes->real_runtimes = nodes->runtime_count;
	ra_util_ids_free(&linker->runtime_by_corr);
	ra_tb_comm_add_kernels(nodes);
}

static void link_all(struct ra_tb_linker *linker)
{
	struct ra_tb_nodes *nodes = linker->nodes;

	chain_runtimes(linker);
	read_nodes(linker);
	order_nodes(linker);
	link_runtimes(linker);
	ra_tb_tree_add_roots(nodes);
	link_zeros(linker);
	link_stale(linker);
}

void ra_tb_links_fini(struct ra_tb_nodes *nodes)
{
	struct ra_tb_linker *linker = nodes->linker;

	if (linker == NULL) {
		return;
	}
	ra_util_ids_free(&linker->runtime_by_corr);
	ra_util_map_free(&linker->waiting_by_corr);
	ra_util_ids_free(&linker->first_by_external);
	ra_util_map_free(&linker->tree_by_tid);
	free(linker->next_runtime);
	free(linker->tree_of_node);
	free(linker);
	nodes->linker = NULL;
}

void ra_tb_links_make_trees(struct ra_tb_nodes *nodes)
{
	link_all(nodes->linker);
	ra_tb_links_fini(nodes);
	ra_tb_tree_build(nodes);
	ra_tb_backward_regroup(nodes);
}

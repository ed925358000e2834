/* SPDX-License-Identifier: MIT */
/* Assigns memory instants to operators, and sums them by operator and device. */
#include "analyzer/compat/tb/tables.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define NONE RA_KINETO_NONE

/* The figures of a node on one device. Each node has a list of these. */
struct entry {
	uint32_t next;
	uint32_t node;
	int64_t device_type;
	int64_t device;
	int64_t self[3]; /* increase, allocated, number of allocations */
	int64_t total[3];
};

struct memory {
	const struct ra_tb *tb;
	struct ra_tb_node *nodes; /* the nodes of tb; only is_visited is changed */
	struct ra_tb_memories *out;
	uint32_t *first;       /* owned; for each node, its first entry */
	struct entry *entries; /* owned */
	size_t entry_count;
	size_t entry_capacity;
	uint32_t *calls; /* owned; for each string id, the number of operators that were looked
	                    at */
	struct ra_tb_index index;
	size_t capacity;
};

/* A walk through a thread's tree. For each record it continues where the record before ended. */
struct walker {
	uint32_t tree;
	uint32_t at;    /* the innermost node; NONE: all later records are outside */
	uint32_t child; /* the first child of `at` that may contain the next record */
};

/* Moves the walk to the innermost node around a record. Return: false if there is none. */
static bool move(struct ra_tb_node *nodes, struct walker *walker, double ts)
{
	while (walker->at != NONE) {
		const struct ra_tb_node *at = &nodes[walker->at];

		if (ts < at->start) {
			return false;
		}
		if (ts < at->end) {
			break;
		}
		walker->child = at->next;
		walker->at = at->parent;
	}
	while (walker->at != NONE && walker->child != NONE) {
		struct ra_tb_node *child = &nodes[walker->child];

		if (ts < child->start) {
			break;
		}
		if (ts >= child->end) {
			walker->child = child->next;
		} else {
			child->is_visited = true;
			walker->at = walker->child;
			walker->child = child->first_child;
		}
	}
	return walker->at != NONE;
}

static struct entry *find_entry(struct memory *memory, uint32_t node, int64_t type, int64_t device)
{
	for (uint32_t i = memory->entries != NULL ? memory->first[node] : NONE; i != NONE;
	     i = memory->entries[i].next) {
		if (memory->entries[i].device_type == type && memory->entries[i].device == device) {
			return &memory->entries[i];
		}
	}
	ra_util_grow(&memory->entries, &memory->entry_capacity, memory->entry_count + 1,
	             sizeof(*memory->entries));
	memory->entries[memory->entry_count] = (struct entry){
		.next = memory->first[node], .node = node, .device_type = type, .device = device
	};
	memory->first[node] = (uint32_t) memory->entry_count;
	return &memory->entries[memory->entry_count++];
}

/* Finds a device. The plugin knows two types; -1: another type, or none. All CPUs count as one. */
static void read_device(const struct ra_kineto *kineto, uint32_t row, int64_t *type,
                        int64_t *device)
{
	*type = -1;
	*device = -1;
	if (!ra_kineto_get_int(kineto, row, RA_KINETO_ARG_DEVICE_TYPE, type) || *type < 0 ||
	    *type > 1) {
		*type = -1;
	}
	(void) ra_kineto_get_int(kineto, row, RA_KINETO_ARG_DEVICE_ID, device);
}

static void add_record(struct memory *memory, const struct ra_tb_event *event, uint32_t node)
{
	const struct ra_kineto *kineto = memory->tb->events.kineto;
	struct entry *entry;
	int64_t type;
	int64_t device;
	int64_t bytes = 0;

	read_device(kineto, event->row, &type, &device);
	if (type < 0 || !ra_tb_nodes_is_operator(&memory->tb->nodes, node)) {
		return;
	}
	entry = find_entry(memory, node, type, type == 0 ? -1 : device);
	(void) ra_kineto_get_int(kineto, event->row, RA_KINETO_ARG_BYTES_MEMORY, &bytes);
	entry->self[0] = ra_util_add_time(entry->self[0], bytes);
	if (bytes > 0) {
		entry->self[1] = ra_util_add_time(entry->self[1], bytes);
		entry->self[2]++;
	}
}

static void add_peak(struct memory *memory, uint32_t row)
{
	const struct ra_kineto *kineto = memory->tb->events.kineto;
	struct ra_tb_memories *out = memory->out;
	struct ra_tb_peak *peak = NULL;
	int64_t type;
	int64_t device;
	double allocated;
	double reserved = 0;

	if (!ra_kineto_get_real(kineto, row, RA_KINETO_ARG_TOTAL_ALLOCATED, &allocated) ||
	    allocated != allocated) {
		return;
	}
	(void) ra_kineto_get_real(kineto, row, RA_KINETO_ARG_TOTAL_RESERVED, &reserved);
	read_device(kineto, row, &type, &device);
	for (size_t i = 0; i < out->peak_count && peak == NULL; i++) {
		if (out->peaks[i].device_type == type && out->peaks[i].device == device) {
			peak = &out->peaks[i];
		}
	}
	if (peak == NULL) {
		ra_util_grow(&out->peaks, &out->peak_capacity, out->peak_count + 1,
		             sizeof(*out->peaks));
		peak = &out->peaks[out->peak_count++];
		*peak = (struct ra_tb_peak){ type, device, 0, 0 };
	}
	peak->allocated = allocated > peak->allocated ? allocated : peak->allocated;
	peak->reserved = reserved > peak->reserved ? reserved : peak->reserved;
}

static uint32_t find_tree(const struct ra_tb_nodes *nodes, const struct ra_kineto_thread *thread,
                          const struct ra_kineto *kineto)
{
	if (ra_util_string_has_prefix(ra_kineto_string(kineto, thread->tid), "\"")) {
		return NONE;
	}
	for (uint32_t i = 0; i < nodes->tree_count; i++) {
		if (nodes->trees[i].tid == thread->tid_number && !nodes->trees[i].is_dropped) {
			return i;
		}
	}
	return NONE;
}

/* Places all records. Those with one thread number come in order of time, so each tree is walked
 * only once. */
static void place_records(struct memory *memory)
{
	const struct ra_tb_nodes *nodes = &memory->tb->nodes;
	const struct ra_tb_events *events = nodes->events;
	const struct ra_kineto *kineto = events->kineto;
	struct walker *walkers = ra_alloc_zeros(nodes->tree_count + 1, sizeof(*walkers));

	for (uint32_t i = 0; i < nodes->tree_count; i++) {
		const uint32_t root = nodes->trees[i].root;

		walkers[i] = (struct walker){ i, root, memory->nodes[root].first_child };
	}
	for (size_t i = 0; i < events->count; i++) {
		const struct ra_tb_event event = ra_tb_events_get(events, i);
		uint32_t tree;

		if (event.type != RA_TB_MEMORY) {
			continue;
		}
		memory->out->events++;
		add_peak(memory, event.row);
		tree = find_tree(nodes, &kineto->threads[ra_kineto_get_thread(kineto, event.row)],
		                 kineto);
		if (tree != NONE && move(memory->nodes, &walkers[tree], event.ts)) {
			add_record(memory, &event, walkers[tree].at);
		}
	}
	free(walkers);
}

/* Adds a node's figures to its parent's. */
static void pass_up(struct memory *memory, uint32_t node, uint32_t parent)
{
	for (uint32_t i = memory->first[node]; i != NONE && memory->entries != NULL;
	     i = memory->entries[i].next) {
		struct entry *above = find_entry(memory, parent, memory->entries[i].device_type,
		                                 memory->entries[i].device);

		for (int k = 0; k < 3; k++) {
			above->total[k] =
				ra_util_add_time(above->total[k], memory->entries[i].total[k]);
		}
	}
}

/* Adds a node's figures to its operator's rows. */
static void add_rows(struct memory *memory, uint32_t node)
{
	const uint32_t name = memory->nodes[node].name;

	for (uint32_t i = memory->first[node]; i != NONE && memory->entries != NULL;
	     i = memory->entries[i].next) {
		const struct entry *entry = &memory->entries[i];
		const struct ra_tb_key key = { { name, (uint32_t) entry->device_type,
			                         (uint32_t) entry->device } };
		const uint32_t number = ra_tb_index_find(&memory->index, &key);
		struct ra_tb_memory *row;

		ra_util_grow(&memory->out->rows, &memory->capacity, (size_t) number + 1,
		             sizeof(*row));
		row = &memory->out->rows[number];
		if (number == memory->out->count) {
			*row = (struct ra_tb_memory){ .name = name,
				                      .device_type = entry->device_type,
				                      .device = entry->device };
			memory->out->count++;
		}
		row->self_increase = ra_util_add_time(row->self_increase, entry->self[0]);
		row->self_allocated = ra_util_add_time(row->self_allocated, entry->self[1]);
		row->self_allocations += entry->self[2];
		row->increase = ra_util_add_time(row->increase, entry->total[0]);
		row->allocated = ra_util_add_time(row->allocated, entry->total[1]);
		row->allocations += entry->total[2];
	}
}

/* Counts the operators for which all nodes above them, except the root, were visited. Parents come
 * before children. */
static void count_calls(struct memory *memory)
{
	const struct ra_tb_nodes *nodes = &memory->tb->nodes;
	bool *is_reached = ra_alloc_zeros(nodes->node_count + 1, sizeof(*is_reached));

	for (size_t i = 0; i < nodes->tree_count; i++) {
		const struct ra_tb_tree *tree = &nodes->trees[i];

		uint32_t node = tree->is_dropped ? NONE : tree->root;

		while (node != NONE) {
			const bool is_root = node == tree->root;
			const uint32_t parent = memory->nodes[node].parent;

			is_reached[node] = is_root || parent == tree->root ||
			                   (is_reached[parent] && memory->nodes[parent].is_visited);
			if (!is_root && is_reached[node] && ra_tb_nodes_is_operator(nodes, node)) {
				memory->calls[memory->nodes[node].name]++;
			}
			node = ra_tb_nodes_below(nodes, tree->root, node);
		}
	}
	free(is_reached);
}

static void sum_tree(struct memory *memory, uint32_t root)
{
	const struct ra_tb_nodes *nodes = &memory->tb->nodes;

	for (uint32_t at = ra_tb_nodes_begin(nodes, root); at != root;
	     at = ra_tb_nodes_next(nodes, root, at)) {
		const bool is_operator = ra_tb_nodes_is_operator(nodes, at);

		for (uint32_t i = memory->first[at]; i != NONE && memory->entries != NULL;
		     i = memory->entries[i].next) {
			for (int k = 0; k < 3; k++) {
				memory->entries[i].total[k] = ra_util_add_time(
					memory->entries[i].total[k], memory->entries[i].self[k]);
			}
		}
		if (is_operator) {
			add_rows(memory, at);
		}
		if (memory->nodes[at].parent != root) {
			pass_up(memory, at, memory->nodes[at].parent);
		}
	}
}

/* Drops rows in which every figure is 0. */
static void keep_rows(struct memory *memory)
{
	struct ra_tb_memories *out = memory->out;
	size_t kept = 0;

	for (size_t i = 0; i < out->count; i++) {
		const struct ra_tb_memory *row = &out->rows[i];

		if (row->self_increase != 0 || row->self_allocated != 0 || row->increase != 0 ||
		    row->allocated != 0) {
			out->rows[kept] = *row;
			out->rows[kept++].calls = memory->calls[row->name];
		}
	}
	out->count = kept;
}

void ra_tb_memories_init(struct ra_tb_memories *memories, const struct ra_tb *tb)
{
	const struct ra_tb_nodes *nodes = &tb->nodes;
	struct memory memory = {
		.tb = tb,
		.nodes = nodes->nodes,
		.out = memories,
		.first = ra_alloc_zeros(nodes->node_count + 1, sizeof(uint32_t)),
		.calls = ra_alloc_zeros(tb->events.kineto->string_count + 1, sizeof(uint32_t)),
	};

	*memories = (struct ra_tb_memories){ 0 };
	for (size_t i = 0; i < nodes->node_count; i++) {
		memory.first[i] = NONE;
	}
	place_records(&memory);
	count_calls(&memory);
	for (size_t i = 0; i < nodes->tree_count; i++) {
		if (!nodes->trees[i].is_dropped) {
			sum_tree(&memory, nodes->trees[i].root);
		}
	}
	keep_rows(&memory);
	ra_tb_index_fini(&memory.index);
	free(memory.first);
	free(memory.calls);
	free(memory.entries);
}

void ra_tb_memories_fini(struct ra_tb_memories *memories)
{
	free(memories->rows);
	free(memories->peaks);
	*memories = (struct ra_tb_memories){ 0 };
}

/* SPDX-License-Identifier: MIT */
/* --compat=tb: makes the tables of operators, kernels and memory, grouped by keys. */
#include "analyzer/compat/tb/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

static uint64_t hash_key(const struct ra_tb_key *key)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < RA_TB_KEY_PARTS; i++) {
		hash = (hash ^ key->part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

uint32_t ra_tb_index_find(struct ra_tb_index *index, const struct ra_tb_key *key)
{
	uint64_t hash = hash_key(key);

	for (;; hash++) { /* keys with the same hash are in consecutive slots */
		const uint32_t row = ra_util_map_find(&index->map, hash);

		if (row == RA_UTIL_MAP_NONE) {
			break;
		}
		if (index->keys != NULL && memcmp(&index->keys[row], key, sizeof(*key)) == 0) {
			return row;
		}
	}
	ra_util_map_put(&index->map, hash, (uint32_t) index->count);
	RA_UTIL_APPEND(index->keys, index->count, index->capacity, *key);
	return (uint32_t) index->count - 1;
}

void ra_tb_index_fini(struct ra_tb_index *index)
{
	ra_util_map_free(&index->map);
	free(index->keys);
	*index = (struct ra_tb_index){ 0 };
}

static uint32_t find_shape(const struct ra_kineto *kineto, uint32_t row)
{
	uint32_t id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS);

	if (id == 0) {
		id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS_OLD);
	}
	return ra_kineto_is_text(kineto, id, "[]") ? 0 : id;
}

struct operators {
	const struct ra_tb *tb;
	struct ra_tb_operators *out;
	struct ra_tb_index index;
	size_t capacity;
	bool by_shape;
	bool by_stack;
};

static void add_operator(struct operators *by, uint32_t node)
{
	const struct ra_kineto *kineto = by->tb->events.kineto;
	const struct ra_tb_node *at = &by->tb->nodes.nodes[node];
	struct ra_tb_key key = { { at->name } };
	struct ra_tb_operator *row;
	uint32_t number;

	if (by->by_shape) {
		key.part[1] = find_shape(kineto, at->row);
	}
	if (by->by_stack) {
		key.part[2] = ra_kineto_get_text(kineto, at->row, RA_KINETO_ARG_CALL_STACK);
	}
	number = ra_tb_index_find(&by->index, &key);
	ra_util_grow(&by->out->rows, &by->capacity, (size_t) number + 1, sizeof(*by->out->rows));
	row = &by->out->rows[number];
	if (number == by->out->count) {
		*row = (struct ra_tb_operator){
			.name = at->name,
			.shape = key.part[1],
			.stack = key.part[2],
			.is_eligible = at->is_eligible,
		};
		by->out->count++;
	}
	row->calls++;
	row->host_total += at->end - at->start;
	row->device_total += at->device_time;
	row->host_self += at->self_host;
	row->device_self += at->self_device;
	row->tensor_self += at->tensor_self;
	row->tensor_total += at->tensor_total;
}

/* Makes the table of operators. @by_shape, @by_stack: group by these, too, not only by name. */
static void find_operators(struct ra_tb_operators *operators, const struct ra_tb *tb, bool by_shape,
                           bool by_stack)
{
	const struct ra_tb_nodes *nodes = &tb->nodes;
	struct operators by = {
		.tb = tb, .out = operators, .by_shape = by_shape, .by_stack = by_stack
	};

	*operators = (struct ra_tb_operators){ 0 };
	for (size_t i = 0; i < nodes->tree_count; i++) {
		const uint32_t root = nodes->trees[i].root;

		if (nodes->trees[i].is_dropped) {
			continue;
		}
		for (uint32_t at = ra_tb_nodes_begin(nodes, root); at != RA_KINETO_NONE;
		     at = ra_tb_nodes_next(nodes, root, at)) {
			if (ra_tb_nodes_is_operator(nodes, at)) {
				add_operator(&by, at);
			}
		}
	}
	ra_tb_index_fini(&by.index);
}

static void free_operators(struct ra_tb_operators *operators)
{
	free(operators->rows);
	*operators = (struct ra_tb_operators){ 0 };
}

struct kernels {
	const struct ra_tb *tb;
	struct ra_tb_kernels *out;
	struct ra_tb_index index;
	size_t capacity;
};

/* Adds a kernel to a row. Means are sums until the end. */
static void add_kernel(struct kernels *by, const struct ra_tb_key *key,
                       const struct ra_tb_device *device, double length)
{
	const struct ra_kineto *kineto = by->tb->events.kineto;
	const uint32_t number = ra_tb_index_find(&by->index, key);
	struct ra_tb_kernel *row;
	double blocks = 0;
	double occupancy = 0;

	ra_util_grow(&by->out->rows, &by->capacity, (size_t) number + 1, sizeof(*by->out->rows));
	row = &by->out->rows[number];
	if (number == by->out->count) {
		*row = (struct ra_tb_kernel){
			.row = device->row,
			.op_name = device->op_name,
			.is_tensor = device->is_tensor,
			.op_is_eligible = device->op_is_eligible,
			.min = INFINITY,
		};
		by->out->count++;
	}
	(void) ra_kineto_get_real(kineto, device->row, RA_KINETO_ARG_BLOCKS_PER_SM, &blocks);
	(void) ra_kineto_get_real(kineto, device->row, RA_KINETO_ARG_OCCUPANCY, &occupancy);
	row->calls++;
	row->total += length;
	row->min = length < row->min ? length : row->min;
	row->max = length > row->max ? length : row->max;
	row->mean_blocks += (isnan(blocks) ? 0 : blocks) * length;
	row->mean_occupancy += (isnan(occupancy) ? 0 : occupancy) * length;
}

static void add_all_kernels(struct kernels *by)
{
	const struct ra_tb_nodes *nodes = &by->tb->nodes;
	const struct ra_kineto *kineto = nodes->events->kineto;

	for (size_t i = 0; i < nodes->device_count; i++) {
		const struct ra_tb_device *device = &nodes->devices[i];
		const struct ra_tb_key key = { { kineto->name[device->row] } };

		if (device->is_kernel) {
			add_kernel(by, &key, device,
			           ra_kineto_us(ra_kineto_dur(kineto, device->row)));
		}
	}
}

static void add_node_kernels(struct kernels *by, uint32_t node)
{
	const struct ra_tb_nodes *nodes = &by->tb->nodes;
	const struct ra_kineto *kineto = nodes->events->kineto;

	for (uint32_t link = nodes->nodes[node].first_link; link != RA_KINETO_NONE;
	     link = nodes->links[link].next) {
		uint32_t i = nodes->runtimes[nodes->links[link].runtime].first;

		for (; i != RA_KINETO_NONE; i = nodes->devices[i].next) {
			const struct ra_tb_device *device = &nodes->devices[i];
			const uint32_t row = device->row;
			struct ra_tb_key key;
			int64_t registers = 0;
			int64_t shared = 0;

			if (!device->is_kernel) {
				continue;
			}
			(void) ra_kineto_get_int(kineto, row, RA_KINETO_ARG_REGISTERS, &registers);
			(void) ra_kineto_get_int(kineto, row, RA_KINETO_ARG_SHARED_MEMORY, &shared);
			key = (struct ra_tb_key){
				{ kineto->name[row], device->op_name,
				  ra_kineto_get_text(kineto, row, RA_KINETO_ARG_GRID),
				  ra_kineto_get_text(kineto, row, RA_KINETO_ARG_BLOCK),
				  (uint32_t) registers, (uint32_t) shared,
				  (uint32_t) ((uint64_t) shared >> 32) }
			};
			add_kernel(by, &key, device, device->end - device->start);
		}
	}
}

static void add_tree_kernels(struct kernels *by)
{
	const struct ra_tb_nodes *nodes = &by->tb->nodes;

	for (size_t i = 0; i < nodes->tree_count; i++) {
		const uint32_t root = nodes->trees[i].root;

		if (nodes->trees[i].is_dropped) {
			continue;
		}
		for (uint32_t at = ra_tb_nodes_begin(nodes, root); at != RA_KINETO_NONE;
		     at = ra_tb_nodes_next(nodes, root, at)) {
			add_node_kernels(by, at);
		}
	}
}

/* Makes a table of kernels: all kernels grouped by name; or kernels of nodes grouped by name,
 * operator, grid, block, registers and shared memory. */
static void find_kernels(struct ra_tb_kernels *kernels, const struct ra_tb *tb, bool by_operator)
{
	struct kernels by = { .tb = tb, .out = kernels };

	*kernels = (struct ra_tb_kernels){ 0 };
	if (by_operator) {
		add_tree_kernels(&by);
	} else {
		add_all_kernels(&by);
	}
	for (size_t i = 0; i < kernels->count; i++) {
		struct ra_tb_kernel *row = &kernels->rows[i];

		row->mean_blocks = row->total > 0 ? row->mean_blocks / row->total : 0;
		row->mean_occupancy = row->total > 0 ? row->mean_occupancy / row->total : 0;
	}
	ra_tb_index_fini(&by.index);
}

static void free_kernels(struct ra_tb_kernels *kernels)
{
	free(kernels->rows);
	*kernels = (struct ra_tb_kernels){ 0 };
}

void ra_tb_tables_need(struct ra_tb *tb, bool by_shape, bool by_stack)
{
	struct ra_tb_tables *tables;

	if (tb->tables != NULL) {
		return;
	}
	tables = ra_alloc_zeros(1, sizeof(*tables));
	tb->tables = tables;
	find_operators(&tables->operators, tb, by_shape, by_stack);
	find_kernels(&tables->kernels, tb, false);
	find_kernels(&tables->op_kernels, tb, true);
	/* Frees data before the memory records are read. Most traces have no such records. */
	ra_tb_nodes_drop_calls(&tb->nodes);
	if (tb->events.type_count[RA_TB_MEMORY] > 0) {
		ra_tb_memories_init(&tables->memories, tb);
	}
	ra_tb_nodes_drop_trees(&tb->nodes);
}

void ra_tb_tables_destroy(struct ra_tb_tables *tables)
{
	if (tables == NULL) {
		return;
	}
	free_operators(&tables->operators);
	free_kernels(&tables->kernels);
	free_kernels(&tables->op_kernels);
	ra_tb_memories_fini(&tables->memories);
	free(tables);
}

/* SPDX-License-Identifier: MIT */
/* The report "memory-holders": which ranges had allocated the memory that was in use at the
 * peak. */
#include <stdlib.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/memory.h"
#include "analyzer/report/op-names.h"
#include "analyzer/reports/reports.h"

enum column {
	DEVICE,
	KIND,
	HOLDER,
	BYTES,
	SHARE,
	ALLOCATIONS,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, NULL },
	[KIND] = { "memory", "Memory", RA_TABLE_TEXT, NULL },
	[HOLDER] = { "holder", "Allocated in", RA_TABLE_TEXT, NULL },
	[BYTES] = { "held_bytes", "At the peak", RA_TABLE_COUNT, NULL },
	[SHARE] = { "peak_share", "Of it", RA_TABLE_SHARE, NULL },
	[ALLOCATIONS] = { "allocations", "# of Allocs", RA_TABLE_COUNT, NULL },
};

#define MOST_DEPTH 64 /* most ranges in a path; of a deeper path, the innermost ones are kept */
#define ROOT       RA_UTIL_MAP_NONE

/* A path: ranges of one name inside the ranges of one path. Sums of what was allocated directly in
 * these ranges. */
struct node {
	uint32_t parent; /* index of the path around it; ROOT: there is none */
	uint32_t label;
	uint32_t slice; /* one of these ranges, for the name */
	int64_t bytes;
	uint64_t allocations;
};

/* The paths of those allocations of one pool that existed at the pool's peak. */
struct paths {
	struct node *nodes; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index; /* parent << 32 | label → index of the node */
	int64_t outside_bytes;    /* bytes allocated outside all ranges */
	uint64_t outside_allocations;
	int64_t known_bytes; /* sum over all nodes, and outside */
};

struct filling {
	const struct ra_report_input *input;
	struct ra_table *table;
	const struct ra_memory_pool *pool;
};

static void free_paths(struct paths *paths)
{
	free(paths->nodes);
	ra_util_map_free(&paths->index);
}

/* The node of a name inside another node. The pointer is valid until the next call. */
static struct node *find_node(struct paths *paths, uint32_t parent, uint32_t label, uint32_t slice)
{
	const uint64_t key = (uint64_t) parent << 32 | label;
	const uint32_t found = ra_util_map_find(&paths->index, key);

	if (found != RA_UTIL_MAP_NONE) {
		return &paths->nodes[found];
	}
	ra_util_grow(&paths->nodes, &paths->capacity, paths->count + 1, sizeof(*paths->nodes));
	ra_util_map_put(&paths->index, key, (uint32_t) paths->count);
	paths->nodes[paths->count] =
		(struct node){ .parent = parent, .label = label, .slice = slice };
	return &paths->nodes[paths->count++];
}

static uint32_t find_label(const struct filling *filling, uint32_t slice)
{
	return ra_labels_find(filling->input->labels, filling->input->model->slices.name[slice]);
}

/* Adds an allocation to the path of the ranges around it. Waits are left out of paths. */
static void add_allocation(struct paths *paths, const struct filling *filling,
                           const struct ra_memory_record *record)
{
	const struct ra_slices *slices = &filling->input->model->slices;
	uint32_t path[MOST_DEPTH];
	struct node *node = NULL;
	size_t depth = 0;

	paths->known_bytes = ra_util_add_wrapped(paths->known_bytes, record->bytes);
	for (uint32_t slice = record->slice; slice != RA_NONE && depth < MOST_DEPTH;
	     slice = slices->parent[slice]) {
		path[depth] = slice;
		depth += (slices->flags[slice] & RA_SLICE_WAIT) == 0;
	}
	if (depth == 0) {
		paths->outside_bytes = ra_util_add_wrapped(paths->outside_bytes, record->bytes);
		paths->outside_allocations++;
		return;
	}
	do {
		const uint32_t parent = node == NULL ? ROOT : (uint32_t) (node - paths->nodes);

		depth--;
		node = find_node(paths, parent, find_label(filling, path[depth]), path[depth]);
	} while (depth > 0);
	node->bytes = ra_util_add_wrapped(node->bytes, record->bytes);
	node->allocations++;
}

static void add_peak(struct paths *paths, const struct filling *filling,
                     const struct ra_memory *memory, uint32_t pool)
{
	const uint32_t peak = memory->pools[pool].peak;

	for (uint32_t i = memory->pools[pool].first; i != RA_NONE && i <= peak;
	     i = memory->records[i].next) {
		const struct ra_memory_record *record = &memory->records[i];

		if (!record->is_free && (record->gone == RA_NONE || record->gone > peak)) {
			add_allocation(paths, filling, record);
		}
	}
}

/* Fills a row. @allocations: 0: unknown. */
static void put_row(const struct filling *filling, struct rlog_string holder, int64_t bytes,
                    uint64_t allocations)
{
	const struct ra_memory_pool *pool = filling->pool;
	struct ra_table_cell *cells = ra_table_add_row(filling->table);
	char name[RA_MEMORY_NAME_BYTES];

	if (pool->device != RA_NONE) {
		cells[DEVICE] = ra_table_make_id(pool->device);
	}
	cells[KIND] = ra_table_make_text(
		ra_table_keep_text(filling->table, name, ra_memory_kind(pool, name)));
	cells[HOLDER] = ra_table_make_text(holder);
	cells[BYTES] = ra_table_make_number(bytes);
	cells[SHARE] = ra_table_make_share(bytes, pool->peak_bytes);
	if (allocations > 0) {
		cells[ALLOCATIONS] = ra_table_make_count(allocations);
	}
}

static void put_words(const struct filling *filling, const char *words, int64_t bytes,
                      uint64_t allocations)
{
	if (bytes != 0) {
		put_row(filling, ra_util_string(words), bytes, allocations);
	}
}

/* Makes a row for a node: "step > forward > aten::empty", from the outermost range inwards. */
static void put_node(const struct filling *filling, const struct paths *paths, uint32_t index)
{
	const struct node *node = &paths->nodes[index];
	struct ra_util_text text = { 0 };
	uint32_t path[MOST_DEPTH];
	size_t depth = 0;

	for (; index != ROOT; index = paths->nodes[index].parent) {
		path[depth++] = index;
	}
	while (depth-- > 0) {
		const struct rlog_string name =
			ra_op_names_range(filling->input, paths->nodes[path[depth]].slice);

		ra_util_text_put(&text, name.bytes, name.length);
		ra_util_text_put(&text, " > ", depth > 0 ? 3 : 0);
	}
	put_row(filling, ra_table_take_text(filling->table, &text), node->bytes, node->allocations);
}

/* Makes the rows of a pool. They add up to its peak. */
static void put_pool(const struct filling *filling, const struct ra_memory *memory, uint32_t index)
{
	const struct ra_memory_pool *pool = filling->pool;
	struct paths paths = { 0 };

	if (pool->has_addresses && pool->peak != RA_NONE) {
		add_peak(&paths, filling, memory, index);
	}
	for (uint32_t i = 0; i < paths.count; i++) {
		if (paths.nodes[i].allocations > 0) {
			put_node(filling, &paths, i);
		}
	}
	put_words(filling, "(outside any range)", paths.outside_bytes, paths.outside_allocations);
	put_words(filling, "(before the recording)", pool->before, 0);
	put_words(filling,
	          pool->has_addresses ? "(not known)"
	                              : "(not known without addresses: memory-growth)",
	          pool->peak_bytes - pool->before - paths.known_bytes, 0);
	free_paths(&paths);
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };
	struct ra_memory memory;

	ra_memory_init(&memory, input->model);
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		filling.pool = &memory.pools[i];
		put_pool(&filling, &memory, i);
	}
	ra_memory_note_start(input, &memory);
	ra_memory_fini(&memory);
}

const struct ra_report ra_report_memory_holders = {
	.name = "memory-holders",
	.title = "Who held the memory at the peak",
	.summary = "the ranges whose allocations were there at the peak of memory",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "held_bytes",
	.is_gpu = true,
	.fill = fill,
	.none = "no allocations were recorded: ranges run --cuda memory does that",
	.none_trace = ra_memory_none_trace,
};

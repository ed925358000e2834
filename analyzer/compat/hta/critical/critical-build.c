/* SPDX-License-Identifier: MIT */
/* HTA's critical path of a rank: the longest chain of work and waits. The rank's time can't be
 * shorter than this chain. */
#include "analyzer/compat/hta/critical/critical.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/compat/hta/critical/critical-impl.h"

/* The most edges. A wait for a context has an edge from each stream, so in a hostile trace the
 * number of edges could be the square of the number of rows. No real trace has this many edges. */
#define MOST_EDGES(rows) (16 * (rows) + 100000)

void ra_hta_critical_link(struct ra_hta_critical_build *build, uint32_t from, uint32_t to,
                          enum ra_critical_type type, bool is_free, uint32_t owner)
{
	const struct ra_hta_critical_node *nodes = build->out->nodes;
	struct ra_critical_edge edge = { .from = from, .to = to, .owner = owner, .type = type };

	if (from == to) {
		build->out->failure = "an event waits for itself";
		return;
	}
	if (build->out->graph.count >= MOST_EDGES(build->rank->count)) {
		build->out->failure = "the graph has too many edges";
		return;
	}
	if (type != RA_CRITICAL_DEPENDENCY && type != RA_CRITICAL_SYNC && !is_free) {
		edge.length = nodes[to].ts_us - nodes[from].ts_us;
	}
	ra_critical_graph_add(&build->out->graph, &edge);
}

/* Finds the time that the chosen ranges cover. Return: false if there are no such ranges. */
static bool find_window(const struct ra_hta_critical_build *build, double *start_us, double *end_us)
{
	const struct ra_hta_critical_setup *setup = build->setup;
	uint64_t seen = 0;

	*start_us = setup->annotation == NULL ? -INFINITY : INFINITY;
	*end_us = -*start_us;
	for (size_t i = 0; setup->annotation != NULL && i < build->rank->count; i++) {
		const struct ra_hta_row *row = &build->rank->rows[i];

		if (!ra_util_string_has(ra_hta_full_name(build->rank, row), setup->annotation)) {
			continue;
		}
		if (seen >= setup->first && seen - setup->first < setup->count) {
			*start_us = fmin(*start_us, row->ts_us);
			*end_us = fmax(*end_us, row->ts_us + row->dur_us);
		}
		seen++;
	}
	return *start_us <= *end_us;
}

static void keep(struct ra_hta_critical_build *build, const struct ra_hta_row *row)
{
	build->flags[row - build->rank->rows] |= RA_HTA_CRITICAL_KEPT;
}

/* Marks the rows that ran on the CPU in the window, and the operations that were launched there. */
static void keep_rows(struct ra_hta_critical_build *build, double start_us, double end_us)
{
	static const char *const waits[] = { "Stream Wait Event", NULL };
	const struct ra_hta_full *rank = build->rank;

	for (size_t i = 0; i < rank->count; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		const struct ra_hta_row *partner = ra_hta_full_find(rank, row->partner);

		if (row->stream != -1) {
			if (ra_hta_full_is_named(rank, row, waits)) {
				keep(build, row);
			}
			continue;
		}
		if (row->ts_us < start_us || row->ts_us > end_us || !(row->dur_us > 0)) {
			continue;
		}
		keep(build, row);
		if (partner != NULL && partner->stream != -1) {
			keep(build, partner);
		}
	}
	for (uint32_t e = 0; rank->kineto != NULL && e < rank->kineto->count; e++) {
		const uint32_t row = rank->row_of[e];

		if (row != RA_NONE && (build->flags[row] & RA_HTA_CRITICAL_KEPT) != 0) {
			build->kept[build->kept_count++] = row;
		}
	}
}

static uint8_t find_flags(const struct ra_hta_critical_build *build, const struct ra_hta_row *row)
{
	static const char *const locks[] = { "cudaHostAlloc", "cudaLaunchKernel", "cudaMemcpyAsync",
		                             NULL };
	static const char *const blocks[] = { "cudaDeviceSynchronize",
		                              "cudaStreamSynchronize",
		                              "cudaEventQuery",
		                              "cudaEventSynchronize",
		                              "cudaMemcpy",
		                              "cudaMemcpyAsync",
		                              NULL };
	const struct ra_hta_full *rank = build->rank;
	const struct ra_kineto *k = rank->kineto;
	const uint32_t category = k->categories[ra_kineto_get_category(k, row->event)].name;
	const char *loading = build->setup->loading;
	uint8_t flags = 0;

	if (ra_kineto_is_text(k, category, "cpu_op") ||
	    ra_kineto_is_text(k, category, "cuda_runtime") ||
	    ra_kineto_is_text(k, category, "cuda_driver") ||
	    (loading != NULL && ra_util_string_has(ra_hta_full_name(rank, row), loading)) ||
	    (row->stream != -1 && row->partner >= 0)) {
		flags |= RA_HTA_CRITICAL_NODE;
	}
	if (ra_hta_full_is_named(rank, row, locks)) {
		flags |= RA_HTA_CRITICAL_LOCK;
	}
	if (ra_hta_full_is_named(rank, row, blocks)) {
		flags |= RA_HTA_CRITICAL_BLOCK;
	}
	return flags;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct ra_hta_critical_node *left = a;
	const struct ra_hta_critical_node *right = b;
	int order = RA_ORDER_UP(left, right, ts_us);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, event));
	return RA_ORDER_THEN(order, RA_ORDER_DOWN(left, right, is_start));
}

static void make_nodes(struct ra_hta_critical_build *build)
{
	struct ra_hta_critical *out = build->out;

	out->nodes = ra_alloc_bytes(2 * build->kept_count * sizeof(*out->nodes) + 1);
	for (size_t i = 0; i < build->kept_count; i++) {
		const uint32_t r = build->kept[i];
		const struct ra_hta_row *row = &build->rank->rows[r];

		build->flags[r] |= find_flags(build, row);
		if ((build->flags[r] & RA_HTA_CRITICAL_NODE) == 0) {
			continue;
		}
		out->nodes[out->node_count++] =
			(struct ra_hta_critical_node){ row->ts_us, row->event, r, true };
		out->nodes[out->node_count++] =
			(struct ra_hta_critical_node){ row->ts_us + row->dur_us, row->event, r,
			                               false };
	}
	RA_SORT(out->nodes, out->node_count, compare_nodes);
	for (size_t n = 0; n < out->node_count; n++) {
		const struct ra_hta_critical_node *node = &out->nodes[n];

		(node->is_start ? build->start : build->end)[node->row] = (uint32_t) n;
	}
}

/* Links calls that share a lock. They run one after the other, even on different threads. */
static void link_locks(struct ra_hta_critical_build *build)
{
	const struct ra_hta_critical_node *nodes = build->out->nodes;
	const size_t count = build->out->node_count;
	uint32_t *open = ra_alloc_bytes(count * sizeof(*open) + 1);
	size_t open_count = 0;
	uint32_t last = RA_NONE;

	for (size_t i = 0; i < count; i++) {
		const uint32_t n = (uint32_t) i;

		if ((build->flags[nodes[n].row] & RA_HTA_CRITICAL_LOCK) == 0) {
			continue;
		}
		if (nodes[n].is_start) {
			open[open_count++] = n;
			last = n;
			continue;
		}
		while (open_count > 0) {
			const uint32_t from = open[--open_count];
			const bool is_own = nodes[from].row == nodes[n].row;

			ra_hta_critical_link(build, from, n,
			                     is_own ? RA_CRITICAL_WORK : RA_CRITICAL_DEPENDENCY,
			                     false, is_own ? nodes[n].row : RA_NONE);
		}
		if (last != RA_NONE && !nodes[last].is_start) {
			ra_hta_critical_link(build, last, n, RA_CRITICAL_DEPENDENCY, false,
			                     RA_NONE);
		}
		last = n;
	}
	free(open);
}

/* HTA stops if a stream waits for itself. */
static void check(struct ra_hta_critical *out, const struct ra_hta_full *rank)
{
	for (size_t i = 0; i < out->graph.count && out->failure == NULL; i++) {
		const struct ra_critical_edge *edge = &out->graph.edges[i];
		const int64_t stream = rank->rows[out->nodes[edge->from].row].stream;

		if (edge->type == RA_CRITICAL_SYNC && stream != -1 &&
		    stream == rank->rows[out->nodes[edge->to].row].stream) {
			out->failure = "a stream waits for itself";
		}
	}
}

static void make_graph(struct ra_hta_critical_build *build)
{
	struct ra_hta_critical *out = build->out;

	make_nodes(build);
	link_locks(build);
	ra_hta_critical_stack_add(build);
	ra_hta_critical_gpu_add(build);
	ra_critical_graph_complete(&out->graph);
	out->has_graph = out->failure == NULL;
	check(out, build->rank);
	if (out->failure == NULL) {
		ra_critical_graph_walk(&out->graph, out->node_count, &out->path);
	}
	if (out->failure == NULL) {
		out->failure = out->path.has_cycle    ? "events wait for each other"
		               : out->path.count == 0 ? "nothing follows on anything"
		                                      : NULL;
		/* HTA stops in this case. */
		out->has_graph = out->path.has_cycle || out->path.count > 0;
	}
}

void ra_hta_critical_find(struct ra_hta_critical *critical, const struct ra_hta_full *rank,
                          const struct ra_hta_critical_setup *setup)
{
	struct ra_hta_critical_build build = { .rank = rank, .setup = setup, .out = critical };
	double start_us;
	double end_us;

	*critical = (struct ra_hta_critical){ 0 };
	build.flags = ra_alloc_zeros(rank->count + 1, sizeof(*build.flags));
	build.kept = ra_alloc_bytes(rank->count * sizeof(*build.kept) + 1);
	build.start = ra_alloc_bytes(rank->count * sizeof(*build.start) + 1);
	build.end = ra_alloc_bytes(rank->count * sizeof(*build.end) + 1);
	memset(build.start, 0xff, rank->count * sizeof(*build.start));
	memset(build.end, 0xff, rank->count * sizeof(*build.end));
	if (!find_window(&build, &start_us, &end_us)) {
		critical->failure = "there are no such ranges";
	} else {
		keep_rows(&build, start_us, end_us);
		make_graph(&build);
	}
	free(build.flags);
	free(build.kept);
	free(build.start);
	free(build.end);
}

void ra_hta_critical_fini(struct ra_hta_critical *critical)
{
	free(critical->nodes);
	free(critical->path.edges);
	ra_critical_graph_fini(&critical->graph);
	*critical = (struct ra_hta_critical){ 0 };
}

size_t ra_hta_critical_count_events(const struct ra_hta_critical *critical)
{
	struct ra_util_map seen = { 0 };
	size_t count;

	for (size_t i = 0; i < critical->path.count; i++) {
		const struct ra_critical_edge *edge =
			&critical->graph.edges[critical->path.edges[i]];

		ra_util_map_put(&seen, critical->nodes[edge->from].event, 1);
		ra_util_map_put(&seen, critical->nodes[edge->to].event, 1);
	}
	count = seen.count;
	ra_util_map_free(&seen);
	return count;
}

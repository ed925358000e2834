/* SPDX-License-Identifier: MIT */
/* The report "graphs": CUDA graphs that ran. */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/link/graph-nodes.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

enum graph_column {
	GRAPH_ID,
	GRAPH_LAUNCHES,
	GRAPH_OPERATIONS,
	GRAPH_TOTAL,
	GRAPH_MEAN,
	GRAPH_KERNELS,
	GRAPH_COPIES,
	GRAPH_SETS,
	GRAPH_WHOLE,
	GRAPH_COLUMNS,
};

static const struct ra_table_column graph_columns[GRAPH_COLUMNS] = {
	[GRAPH_ID] = { "graph", "Graph", RA_TABLE_COUNT, NULL },
	[GRAPH_LAUNCHES] = { "launches", "# of Launches", RA_TABLE_COUNT, NULL },
	[GRAPH_OPERATIONS] = { "operations", "# of Ops", RA_TABLE_COUNT, NULL },
	[GRAPH_TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[GRAPH_MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[GRAPH_KERNELS] = { "kernel_ns", "Kernels", RA_TABLE_TIME, NULL },
	[GRAPH_COPIES] = { "memcpy_ns", "Copies", RA_TABLE_TIME, NULL },
	[GRAPH_SETS] = { "memset_ns", "Memsets", RA_TABLE_TIME, NULL },
	[GRAPH_WHOLE] = { "graph_ns", "As a whole", RA_TABLE_TIME, NULL },
};

struct graph {
	uint32_t id;
	uint64_t launches;
	uint64_t operations;
	int64_t time_ns[RA_GPU_KINDS];
};

struct graphs {
	struct graph *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index; /* id of a graph → index of its row */
	struct ra_util_map seen;  /* (graph << 32 | correlation) of launches that were counted */
};

static void take_op(struct graphs *graphs, const struct ra_gpu_op *op)
{
	const uint64_t launch = (uint64_t) op->graph << 32 | op->corr;
	struct graph *graph;
	uint32_t place;

	ra_util_map_number(&graphs->index, op->graph, &place);
	if (place == graphs->count) { /* it is a new row */
		RA_UTIL_APPEND(graphs->rows, graphs->count, graphs->capacity,
		               (struct graph){ .id = op->graph });
	}
	graph = &graphs->rows[place];
	graph->operations++;
	graph->time_ns[op->kind] = ra_util_add_time(graph->time_ns[op->kind], op->dur_ns);
	if (ra_util_map_find(&graphs->seen, launch) == RA_UTIL_MAP_NONE) {
		graph->launches++;
		ra_util_map_put(&graphs->seen, launch, 0);
	}
}

static bool is_launch(const struct ra_model *model, const struct ra_gpu_api *api)
{
	return ra_graph_nodes_is_launch(ra_model_string(model, api->name));
}

/* Counts launches whose work is not known. Each call of the runtime makes a call of the driver, so
 * calls of the driver are counted only if there are none of the runtime. */
static void take_launches(struct graphs *graphs, const struct ra_model *model)
{
	uint64_t launches[2] = { 0 };

	for (size_t i = 0; i < model->gpu.api_count; i++) {
		if (is_launch(model, &model->gpu.apis[i])) {
			launches[model->gpu.apis[i].is_driver != 0]++;
		}
	}
	if (launches[0] + launches[1] == 0) {
		return;
	}
	graphs->rows = ra_alloc_zeros(1, sizeof(*graphs->rows));
	graphs->rows[0].launches = launches[0] > 0 ? launches[0] : launches[1];
	graphs->count = graphs->capacity = 1;
}

static void put_graph(const struct graph *graph, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	int64_t total_ns = 0;

	for (int kind = 0; kind < RA_GPU_KINDS; kind++) {
		total_ns = ra_util_add_time(total_ns, graph->time_ns[kind]);
	}
	if (graph->id != 0) { /* some traces have no ids of graphs */
		cells[GRAPH_ID] = ra_table_make_count(graph->id);
	}
	cells[GRAPH_LAUNCHES] = ra_table_make_count(graph->launches);
	cells[GRAPH_OPERATIONS] = ra_table_make_count(graph->operations);
	cells[GRAPH_TOTAL] = ra_table_make_number(total_ns);
	cells[GRAPH_MEAN] =
		ra_table_make_count(((uint64_t) total_ns + graph->launches / 2) / graph->launches);
	cells[GRAPH_KERNELS] = ra_table_make_number(graph->time_ns[RA_GPU_KERNEL]);
	cells[GRAPH_COPIES] = ra_table_make_number(graph->time_ns[RA_GPU_COPY]);
	cells[GRAPH_SETS] = ra_table_make_number(graph->time_ns[RA_GPU_SET]);
	cells[GRAPH_WHOLE] = ra_table_make_number(graph->time_ns[RA_GPU_GRAPH]);
}

static void fill_graphs(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	struct graphs graphs = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		if (ra_graph_nodes_has(input->model, &gpu->ops[i])) {
			take_op(&graphs, &gpu->ops[i]);
		}
	}
	if (graphs.count == 0) {
		take_launches(&graphs, input->model);
	}
	for (size_t i = 0; i < graphs.count; i++) {
		put_graph(&graphs.rows[i], table);
	}
	free(graphs.rows);
	ra_util_map_free(&graphs.index);
	ra_util_map_free(&graphs.seen);
}

const struct ra_report ra_report_graphs = {
	.name = "graphs",
	.title = "CUDA graphs",
	.summary = "CUDA graphs: launches, and what ran for them",
	.none = "no CUDA graphs",
	.is_gpu = true,
	.columns = graph_columns,
	.column_count = GRAPH_COLUMNS,
	.sort = "total",
	.fill = fill_graphs,
};

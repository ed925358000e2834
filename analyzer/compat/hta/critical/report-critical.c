/* SPDX-License-Identifier: MIT */
/* HTA's critical path: critical-path, critical-path-types, critical-path-graph,
 * critical-path-edges.
 */
#include "analyzer/compat/hta/reports.h"

#include "analyzer/compat/hta/critical/critical-bound.h"

static struct ra_hta_critical_setup make_setup(const struct ra_settings *settings)
{
	return (struct ra_hta_critical_setup){
		.annotation = settings->annotation,
		.first = settings->instance,
		.count = settings->instances,
		.has_launch_edges = settings->launch_edges != 0,
		.loading = settings->data_load,
	};
}

/* The data of a rank for the reports. */
struct view {
	struct ra_hta_critical_setup setup;
	const struct ra_hta_rank *rank;
	const struct ra_hta_full *full;
	const struct ra_hta_critical *critical;
	struct ra_table *table;
	struct ra_util_text name; /* owned */
};

typedef void add_rows(struct view *view);

static void for_ranks(struct ra_report_input *input, struct ra_table *table, add_rows *add)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		struct ra_hta_critical critical = { 0 };
		struct ra_hta_full full;
		struct view view = { .setup = make_setup(input->settings),
			             .rank = &input->hta->ranks[i],
			             .full = &full,
			             .critical = &critical,
			             .table = table };

		ra_hta_full_init(&full, view.rank);
		ra_hta_critical_find(&critical, &full, &view.setup);
		add(&view);
		ra_util_text_free(&view.name);
		ra_hta_critical_fini(&critical);
		ra_hta_full_fini(&full);
	}
}

static const struct ra_critical_edge *path_edge(const struct view *view, size_t i)
{
	return &view->critical->graph.edges[view->critical->path.edges[i]];
}

enum bound_column {
	BOUND_RANK,
	BOUND_NAME,
	BOUND_EDGES,
	BOUND_DURATION,
	BOUND_SHARE,
	BOUND_COLUMNS,
};

static const struct ra_table_column bound_columns[BOUND_COLUMNS] = {
	[BOUND_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[BOUND_NAME] = { "bound_by", "Bound by", RA_TABLE_TEXT, NULL },
	[BOUND_EDGES] = { "edges", "Edges", RA_TABLE_COUNT, NULL },
	[BOUND_DURATION] = { "duration_us", "Duration", RA_TABLE_REAL, NULL },
	[BOUND_SHARE] = { "share", "Share", RA_TABLE_REAL, NULL },
};

static void add_bounds(struct view *view)
{
	uint64_t edges[RA_HTA_BOUNDS] = { 0 };
	double sums[RA_HTA_BOUNDS] = { 0 };
	double whole = 0;

	for (size_t i = 0; i < view->critical->path.count; i++) {
		const struct ra_critical_edge *edge = path_edge(view, i);
		const enum ra_hta_bound bound =
			ra_hta_critical_bound_find(view->full, &view->setup, edge, &view->name);

		edges[bound]++;
		sums[bound] += edge->length;
		whole += edge->length;
	}
	for (int b = 0; b < RA_HTA_BOUNDS; b++) {
		struct ra_table_cell *cells;

		if (edges[b] == 0) {
			continue;
		}
		cells = ra_table_add_row(view->table);
		cells[BOUND_RANK] = ra_table_make_number(view->rank->rank);
		cells[BOUND_NAME] = ra_table_make_word(ra_hta_critical_bound_names[b]);
		cells[BOUND_EDGES] = ra_table_make_count(edges[b]);
		cells[BOUND_DURATION] = ra_table_make_real(sums[b]);
		if (whole != 0) {
			cells[BOUND_SHARE] = ra_table_make_real(sums[b] / whole);
		}
	}
}

static void fill_bounds(struct ra_report_input *input, struct ra_table *table)
{
	for_ranks(input, table, add_bounds);
}

#define NONE "no such path; --report critical-path-graph says why"

const struct ra_report ra_report_hta_critical = {
	.name = "critical-path",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.is_long = true,
	.title = "Critical path",
	.summary = "what bounds the longest chain of work and waits (--set annotation=NAME)",
	.none = NONE,
	.columns = bound_columns,
	.column_count = BOUND_COLUMNS,
	.fill = fill_bounds,
};

enum type_column {
	TYPE_RANK,
	TYPE_NAME,
	TYPE_GRAPH,
	TYPE_PATH,
	TYPE_DURATION,
	TYPE_COLUMNS,
};

static const struct ra_table_column type_columns[TYPE_COLUMNS] = {
	[TYPE_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[TYPE_NAME] = { "type", "Type", RA_TABLE_TEXT, NULL },
	[TYPE_GRAPH] = { "graph_edges", "In the graph", RA_TABLE_COUNT, NULL },
	[TYPE_PATH] = { "path_edges", "On the path", RA_TABLE_COUNT, NULL },
	[TYPE_DURATION] = { "duration_us", "Duration", RA_TABLE_REAL, NULL },
};

static void add_types(struct view *view)
{
	const struct ra_hta_critical *critical = view->critical;
	uint64_t in_graph[RA_CRITICAL_TYPES] = { 0 };
	uint64_t on_path[RA_CRITICAL_TYPES] = { 0 };
	double sums[RA_CRITICAL_TYPES] = { 0 };

	for (size_t i = 0; i < critical->graph.count && critical->has_graph; i++) {
		in_graph[critical->graph.edges[i].type]++;
	}
	for (size_t i = 0; i < critical->path.count; i++) {
		on_path[path_edge(view, i)->type]++;
		sums[path_edge(view, i)->type] += path_edge(view, i)->length;
	}
	for (int t = 0; t < RA_CRITICAL_TYPES; t++) {
		struct ra_table_cell *cells;

		if (in_graph[t] == 0) {
			continue;
		}
		cells = ra_table_add_row(view->table);
		cells[TYPE_RANK] = ra_table_make_number(view->rank->rank);
		cells[TYPE_NAME] = ra_table_make_word(ra_hta_critical_bound_types[t]);
		cells[TYPE_GRAPH] = ra_table_make_count(in_graph[t]);
		cells[TYPE_PATH] = ra_table_make_count(on_path[t]);
		cells[TYPE_DURATION] = ra_table_make_real(sums[t]);
	}
}

static void fill_types(struct ra_report_input *input, struct ra_table *table)
{
	for_ranks(input, table, add_types);
}

const struct ra_report ra_report_hta_critical_types = {
	.name = "critical-path-types",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.is_long = true,
	.title = "Edges of the critical path",
	.summary = "edges of the critical path and of its graph, by type",
	.none = NONE,
	.columns = type_columns,
	.column_count = TYPE_COLUMNS,
	.fill = fill_types,
};

enum graph_column {
	GRAPH_RANK,
	GRAPH_SUCCESS,
	GRAPH_NODES,
	GRAPH_EDGES,
	GRAPH_PATH_NODES,
	GRAPH_PATH_EVENTS,
	GRAPH_PATH_EDGES,
	GRAPH_DURATION,
	GRAPH_FAILURE,
	GRAPH_COLUMNS,
};

static const struct ra_table_column graph_columns[GRAPH_COLUMNS] = {
	[GRAPH_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[GRAPH_SUCCESS] = { "success", "Path", RA_TABLE_FLAG, NULL },
	[GRAPH_NODES] = { "graph_nodes", "Nodes", RA_TABLE_COUNT, NULL },
	[GRAPH_EDGES] = { "graph_edges", "Edges", RA_TABLE_COUNT, NULL },
	[GRAPH_PATH_NODES] = { "path_nodes", "Path nodes", RA_TABLE_COUNT, NULL },
	[GRAPH_PATH_EVENTS] = { "path_events", "Path events", RA_TABLE_COUNT, NULL },
	[GRAPH_PATH_EDGES] = { "path_edges", "Path edges", RA_TABLE_COUNT, NULL },
	[GRAPH_DURATION] = { "duration_us", "Duration", RA_TABLE_REAL, NULL },
	[GRAPH_FAILURE] = { "failure", "Why not", RA_TABLE_TEXT, NULL },
};

static void add_graph(struct view *view)
{
	const struct ra_hta_critical *critical = view->critical;
	struct ra_table_cell *cells = ra_table_add_row(view->table);
	double sum = 0;

	cells[GRAPH_RANK] = ra_table_make_number(view->rank->rank);
	cells[GRAPH_SUCCESS] = ra_table_make_number(critical->failure == NULL);
	if (critical->has_graph) {
		cells[GRAPH_NODES] = ra_table_make_count(critical->node_count);
		cells[GRAPH_EDGES] = ra_table_make_count(critical->graph.count);
	}
	if (critical->failure != NULL) {
		cells[GRAPH_FAILURE] = ra_table_make_word(critical->failure);
		return;
	}
	for (size_t i = 0; i < critical->path.count; i++) {
		sum += path_edge(view, i)->length;
	}
	cells[GRAPH_PATH_NODES] = ra_table_make_count(critical->path.count + 1);
	cells[GRAPH_PATH_EVENTS] = ra_table_make_count(ra_hta_critical_count_events(critical));
	cells[GRAPH_PATH_EDGES] = ra_table_make_count(critical->path.count);
	cells[GRAPH_DURATION] = ra_table_make_real(sum);
}

static void fill_graph(struct ra_report_input *input, struct ra_table *table)
{
	for_ranks(input, table, add_graph);
}

const struct ra_report ra_report_hta_critical_graph = {
	.name = "critical-path-graph",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.is_long = true,
	.title = "Graph of the critical path",
	.summary = "how large the graph and its critical path are, or why there is none",
	.none = "no trace in JSON",
	.columns = graph_columns,
	.column_count = GRAPH_COLUMNS,
	.fill = fill_graph,
};

enum edge_column {
	EDGE_RANK,
	EDGE_EVENT,
	EDGE_NAME,
	EDGE_START,
	EDGE_DURATION,
	EDGE_TYPE,
	EDGE_STREAM,
	EDGE_BOUND,
	EDGE_COLUMNS,
};

static const struct ra_table_column edge_columns[EDGE_COLUMNS] = {
	[EDGE_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[EDGE_EVENT] = { "event", "Event", RA_TABLE_COUNT, NULL },
	[EDGE_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[EDGE_START] = { "start_us", "Start", RA_TABLE_REAL, NULL },
	[EDGE_DURATION] = { "duration_us", "Duration", RA_TABLE_REAL, NULL },
	[EDGE_TYPE] = { "type", "Type", RA_TABLE_TEXT, NULL },
	[EDGE_STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[EDGE_BOUND] = { "bound_by", "Bound by", RA_TABLE_TEXT, NULL },
};

static void add_edge(struct view *view, const struct ra_critical_edge *edge)
{
	struct ra_table_cell *cells = ra_table_add_row(view->table);
	const enum ra_hta_bound bound =
		ra_hta_critical_bound_find(view->full, &view->setup, edge, &view->name);

	cells[EDGE_RANK] = ra_table_make_number(view->rank->rank);
	cells[EDGE_START] = ra_table_make_real(view->critical->nodes[edge->from].ts_us);
	cells[EDGE_DURATION] = ra_table_make_real(edge->length);
	cells[EDGE_TYPE] = ra_table_make_word(ra_hta_critical_bound_types[edge->type]);
	cells[EDGE_BOUND] = ra_table_make_word(ra_hta_critical_bound_names[bound]);
	if (edge->owner != RA_NONE && edge->type != RA_CRITICAL_LAUNCH) {
		const struct ra_hta_row *row = &view->full->rows[edge->owner];

		cells[EDGE_EVENT] = ra_table_make_count(row->event);
		cells[EDGE_NAME] = ra_table_make_text(
			ra_table_keep_text(view->table, view->name.bytes, view->name.length));
		if (row->stream != -1) {
			cells[EDGE_STREAM] = ra_table_make_number(row->stream);
		}
	}
}

static void add_edges(struct view *view)
{
	for (size_t i = 0; i < view->critical->path.count; i++) {
		add_edge(view, path_edge(view, i));
	}
}

static void fill_edges(struct ra_report_input *input, struct ra_table *table)
{
	for_ranks(input, table, add_edges);
}

const struct ra_report ra_report_hta_critical_edges = {
	.name = "critical-path-edges",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.is_long = true,
	.title = "Edges of the critical path in their order",
	.summary = "each edge of the critical path, with the event that its time belongs to",
	.none = NONE,
	.columns = edge_columns,
	.column_count = EDGE_COLUMNS,
	.fill = fill_edges,
};

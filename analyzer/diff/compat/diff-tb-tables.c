/* SPDX-License-Identifier: MIT */
/* Makes the tables of the TensorBoard plugin's comparison: nodes, and the operators below them. */
#include "analyzer/diff/compat/diff-tb-tables.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/summary-file/sum-texts.h"

enum {
	NODE_PATH,
	NODE_NAMES, /* two columns: names on both sides */
	NODE_TOTALS = NODE_NAMES + 2,
	NODE_CHANGE = NODE_TOTALS + 2,
	NODE_CHANGES, /* sum of the changes up to this node */
	NODE_HOSTS,
	NODE_DEVICES = NODE_HOSTS + 2,
	NODE_SUMS = NODE_DEVICES + 2,
	NODE_COLUMNS = NODE_SUMS + 2,
};

static const struct ra_table_column node_columns[NODE_COLUMNS] = {
	{ "path", "Path", RA_TABLE_TEXT, NULL },
	{ "baseline", "Baseline", RA_TABLE_TEXT, NULL },
	{ "exp", "Exp", RA_TABLE_TEXT, NULL },
	{ "baseline_total_duration_us", "Baseline total", RA_TABLE_REAL, NULL },
	{ "exp_total_duration_us", "Exp total", RA_TABLE_REAL, NULL },
	{ "diff_us", "Diff", RA_TABLE_REAL, NULL },
	{ "accumulated_diff_us", "Accumulated diff", RA_TABLE_REAL, NULL },
	{ "baseline_duration_us", "Baseline host", RA_TABLE_REAL, NULL },
	{ "exp_duration_us", "Exp host", RA_TABLE_REAL, NULL },
	{ "baseline_device_duration_us", "Baseline device", RA_TABLE_REAL, NULL },
	{ "exp_device_duration_us", "Exp device", RA_TABLE_REAL, NULL },
	{ "baseline_trend_us", "Baseline trend", RA_TABLE_REAL, NULL },
	{ "exp_trend_us", "Exp trend", RA_TABLE_REAL, NULL },
};

/* The figures of an operator that the plugin compares. */
enum figure {
	FIGURE_HOST,
	FIGURE_CALLS,
	FIGURE_SELF_HOST,
	FIGURE_DEVICE,
	FIGURE_SELF_DEVICE,
	FIGURES,
};

/* A figure has four columns: both sides, their difference, and the difference in per cent. */
enum {
	OPERATOR_PATH,
	OPERATOR_NAME,
	OPERATOR_FIGURES,
	OPERATOR_COLUMNS = OPERATOR_FIGURES + 4 * FIGURES,
};

#define FIGURE_OF_FOUR(key, title)                                                \
	{ "baseline_" key "_us", "Baseline " title, RA_TABLE_REAL, NULL },        \
		{ "exp_" key "_us", "Exp " title, RA_TABLE_REAL, NULL },          \
		{ "delta_" key "_us", "Delta " title, RA_TABLE_REAL, NULL },      \
	{                                                                         \
		"delta_" key "_percent", "Delta " title " %", RA_TABLE_REAL, NULL \
	}

static const struct ra_table_column operator_columns[OPERATOR_COLUMNS] = {
	{ "path", "Path", RA_TABLE_TEXT, NULL },
	{ "operator", "Operator", RA_TABLE_TEXT, NULL },
	FIGURE_OF_FOUR("host_duration", "host"),
	{ "baseline_calls", "Baseline calls", RA_TABLE_COUNT, NULL },
	{ "exp_calls", "Exp calls", RA_TABLE_COUNT, NULL },
	{ "delta_calls", "Delta calls", RA_TABLE_COUNT, NULL },
	{ "delta_calls_percent", "Delta calls %", RA_TABLE_REAL, NULL },
	FIGURE_OF_FOUR("self_host_duration", "self host"),
	FIGURE_OF_FOUR("device_duration", "device"),
	FIGURE_OF_FOUR("self_device_duration", "self device"),
};

struct tallied {
	size_t row; /* 1 + the number of the row to which the figures belong */
	double figures[2][FIGURES];
};

/* The figures of operators below a row, by their names. */
struct tally {
	struct ra_sum_texts names;
	struct tallied *rows; /* owned; indexed by name */
	size_t row_count;
	size_t row_capacity;
	uint32_t *order; /* owned; the names, in the order in which they first occur */
	size_t count;
	size_t capacity;
};

/* Finds or adds the figures of a name below a row. Valid until the next call. */
static struct tallied *find_tallied(struct tally *tally, struct rlog_string name, size_t row)
{
	struct tallied *found;
	uint32_t id;

	ra_sum_texts_find(&tally->names, name, &id);
	ra_util_grow(&tally->rows, &tally->row_capacity, tally->names.count, sizeof(*tally->rows));
	ra_util_grow(&tally->order, &tally->capacity, tally->count + 1, sizeof(*tally->order));
	found = &tally->rows[id];
	if (id == tally->row_count || found->row != row + 1) {
		tally->row_count += id == tally->row_count;
		tally->order[tally->count++] = id;
		*found = (struct tallied){ .row = row + 1 };
	}
	return found;
}

/* Sums the figures of the operators below a row, in the plugin's order, because sums of doubles
 * depend on the order. */
static void tally_below(struct tally *tally, const struct ra_diff_tb *diff, size_t row, int side)
{
	const struct ra_tb_nodes *nodes = diff->sides[side].nodes;
	const struct ra_diff_tb_part *part = &diff->rows[row].parts[side];

	for (size_t i = 0; i < part->count; i++) {
		const uint32_t top = diff->sides[side].list[part->first + i];
		uint32_t at = ra_tb_nodes_begin(nodes, top);

		for (; at != RA_KINETO_NONE; at = ra_tb_nodes_next(nodes, top, at)) {
			const struct ra_tb_node *node = &nodes->nodes[at];
			struct tallied *of;

			if (!ra_tb_nodes_is_operator(nodes, at)) {
				continue;
			}
			of = find_tallied(tally,
			                  ra_kineto_string(nodes->events->kineto, node->name), row);
			of->figures[side][FIGURE_CALLS]++;
			of->figures[side][FIGURE_HOST] += node->end - node->start;
			of->figures[side][FIGURE_SELF_HOST] += node->self_host;
			of->figures[side][FIGURE_DEVICE] += node->device_time;
			of->figures[side][FIGURE_SELF_DEVICE] += node->self_device;
		}
	}
}

static struct ra_table_cell make_figure(enum figure figure, double value)
{
	return figure == FIGURE_CALLS ? ra_table_make_number((int64_t) value)
	                              : ra_table_make_real(value);
}

static void add_operator(struct ra_table *table, const struct tally *tally, uint32_t name,
                         struct rlog_string path)
{
	const struct tallied *of = &tally->rows[name];
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[OPERATOR_PATH] = ra_table_make_text(path);
	cells[OPERATOR_NAME] = ra_table_make_text(tally->names.rows[name]);
	for (int i = 0; i < FIGURES; i++) {
		const double before = of->figures[0][i];
		const double change = of->figures[1][i] - before;
		struct ra_table_cell *four = &cells[OPERATOR_FIGURES + 4 * i];

		four[0] = make_figure(i, before);
		four[1] = make_figure(i, of->figures[1][i]);
		four[2] = make_figure(i, change);
		if (before != 0) { /* for 0 the plugin shows N/A or Infinity% */
			four[3] = ra_table_make_real(change / before * 100);
		}
	}
}

static void add_operators(struct ra_table *table, struct tally *tally,
                          const struct ra_diff_tb *diff, size_t row, struct rlog_string path)
{
	tally->count = 0;
	for (int side = 0; side < 2; side++) {
		tally_below(tally, diff, row, side);
	}
	for (size_t i = 0; i < tally->count; i++) {
		add_operator(table, tally, tally->order[i], path);
	}
}

/* Writes the name of a node: that of its event; for a backward pass that of its module and one more
 * word. */
static struct rlog_string name_part(struct ra_table *table, const struct ra_diff_tb *diff,
                                    size_t row, int side)
{
	const struct ra_tb_node *node = ra_diff_tb_node(diff, row, side);
	struct ra_util_text text = { 0 };
	struct rlog_string name;

	if (node == NULL) {
		return ra_util_string(diff->rows[row].parts[side].count == 0 ? "Blank"
		                                                             : "CompositeNodes");
	}
	name = ra_kineto_string(diff->sides[side].nodes->events->kineto, node->name);
	if (node->class != RA_TB_CLASS_BACKWARD) {
		return name;
	}
	ra_util_text_put(&text, name.bytes, name.length);
	ra_util_text_format(&text, ".backward");
	return ra_table_take_text(table, &text);
}

/* Writes the path of a row, such as "0-3-1": its places among siblings, from the root on. */
static struct rlog_string name_path(struct ra_table *table, const struct ra_diff_tb *diff,
                                    size_t row, const struct rlog_string *paths)
{
	const struct ra_diff_tb_row *parent = &diff->rows[diff->rows[row].parent];
	struct ra_util_text text = { 0 };

	if (row == 0) {
		return ra_util_string("0");
	}
	ra_util_text_put(&text, paths[diff->rows[row].parent].bytes,
	                 paths[diff->rows[row].parent].length);
	ra_util_text_format(&text, "-%zu", row - parent->first_child);
	return ra_table_take_text(table, &text);
}

static void add_node(struct ra_table *table, const struct ra_diff_tb *diff, size_t row,
                     struct rlog_string *paths)
{
	const struct ra_diff_tb_row *of = &diff->rows[row];
	struct ra_table_cell *cells = ra_table_add_row(table);

	paths[row] = name_path(table, diff, row, paths);
	cells[NODE_PATH] = ra_table_make_text(paths[row]);
	cells[NODE_CHANGE] = ra_table_make_real(of->parts[1].total - of->parts[0].total);
	for (int side = 0; side < 2; side++) {
		const struct ra_diff_tb_part *part = &of->parts[side];

		cells[NODE_NAMES + side] = ra_table_make_text(name_part(table, diff, row, side));
		cells[NODE_TOTALS + side] = ra_table_make_real(part->total);
		cells[NODE_HOSTS + side] = ra_table_make_real(part->host);
		cells[NODE_DEVICES + side] = ra_table_make_real(part->device);
		if (of->is_drawn) {
			cells[NODE_SUMS + side] = ra_table_make_real(of->sums[side]);
		}
	}
	if (of->is_drawn) {
		cells[NODE_CHANGES] = ra_table_make_real(of->sum_of_changes);
	}
}

void ra_diff_tb_tables_fill(struct ra_table tables[2], const struct ra_diff_tb *diff, bool is_whole)
{
	struct rlog_string *paths = ra_alloc_zeros(diff->count + 1, sizeof(*paths));
	struct tally tally = { 0 };

	ra_table_init(&tables[0], node_columns, NODE_COLUMNS);
	ra_table_init(&tables[1], operator_columns, OPERATOR_COLUMNS);
	for (size_t row = 0; row < diff->count; row = ra_diff_tb_next(diff, row)) {
		add_node(&tables[0], diff, row, paths);
		if (is_whole || row == 0) {
			add_operators(&tables[1], &tally, diff, row, paths[row]);
		}
	}
	if (!is_whole) {
		ra_table_hide(&tables[1], OPERATOR_PATH);
	}
	ra_sum_texts_fini(&tally.names);
	free(tally.rows);
	free(tally.order);
	free(paths);
}

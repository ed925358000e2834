/* SPDX-License-Identifier: MIT */
/* The report "sequences": in which order ranges of a name launch GPU work, and how often the order
 * is the same. */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/rank-names.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* Most bytes of a text. Names can have any length, and longer texts help nobody. */
#define LONGEST_TEXT 16384

enum column {
	RANK,
	PATTERN,
	OPERATIONS,
	COUNT,
	GPU,
	CPU,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, "0" },
	[PATTERN] = { "pattern", "Pattern", RA_TABLE_TEXT, NULL },
	[OPERATIONS] = { "operations", "GPU ops", RA_TABLE_COUNT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[GPU] = { "gpu_ns", "GPU", RA_TABLE_TIME, NULL },
	[CPU] = { "cpu_ns", "CPU", RA_TABLE_TIME, NULL },
};

/* An operation, and the range to which it is added. */
struct item {
	uint32_t root; /* slice of the range */
	uint32_t op;
	int64_t start_ns;
	uint64_t key; /* key of the operation's name */
};

/* Ranges that have the same name and the same work. */
struct sequence {
	size_t first; /* index of the first item of the first such range */
	size_t length;
	uint64_t count;
	int64_t gpu_ns;
	int64_t cpu_ns;
	uint32_t name; /* label of the range's name, or the name */
};

struct sequences {
	const struct ra_report_input *input;
	/* owned; by slice: the outermost matching range around it; RA_NONE: none */
	uint32_t *root_of;
	struct item *items; /* owned; ordered by range, then start */
	size_t item_count;
	struct sequence *rows; /* owned */
	size_t count;
	size_t capacity;
	/* hash → index of a row; rows with equal hashes have the next free keys */
	struct ra_util_map index;
};

static bool is_match(const struct ra_model *model, uint32_t slice, const char *part)
{
	const struct rlog_string name = ra_model_string(model, model->slices.name[slice]);

	return (model->slices.flags[slice] & RA_SLICE_WAIT) == 0 &&
	       memmem(name.bytes, name.length, part, strlen(part)) != NULL;
}

/* For each range, finds the outermost range around it whose name the user asked for; this may be
 * the range itself. Parents come before their children. */
static void find_roots(struct sequences *sequences)
{
	const struct ra_model *model = sequences->input->model;

	for (uint32_t i = 0; i < model->slices.count; i++) {
		const uint32_t parent = model->slices.parent[i];
		uint32_t root = parent == RA_NONE ? RA_NONE : sequences->root_of[parent];

		if (root == RA_NONE && is_match(model, i, sequences->input->settings->op)) {
			root = i;
		}
		sequences->root_of[i] = root;
	}
}

static int compare_items(const void *a, const void *b)
{
	const struct item *left = a;
	const struct item *right = b;
	int order = RA_ORDER_UP(left, right, root);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, op));
}

static void find_items(struct sequences *sequences)
{
	const struct ra_model *model = sequences->input->model;

	for (uint32_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		struct item *item = &sequences->items[sequences->item_count];

		if (op->slice == RA_NONE || sequences->root_of[op->slice] == RA_NONE) {
			continue;
		}
		*item = (struct item){ .root = sequences->root_of[op->slice],
			               .op = i,
			               .start_ns = op->start_ns,
			               .key = ra_op_names_find(sequences->input, op) };
		sequences->item_count++;
	}
	RA_SORT(sequences->items, sequences->item_count, compare_items);
}

static bool is_same(const struct sequences *sequences, const struct sequence *a,
                    const struct sequence *b)
{
	bool same = a->name == b->name && a->length == b->length;

	for (size_t i = 0; i < a->length && same; i++) {
		same = sequences->items[a->first + i].key == sequences->items[b->first + i].key;
	}
	return same;
}

/* Hashes the keys of a range's operations by FNV-1a. */
static uint64_t hash(const struct sequences *sequences, const struct sequence *row)
{
	uint64_t value = (UINT64_C(0xcbf29ce484222325) ^ row->name) * UINT64_C(0x100000001b3);

	for (size_t i = 0; i < row->length; i++) {
		value ^= sequences->items[row->first + i].key;
		value *= UINT64_C(0x100000001b3);
	}
	return value;
}

/* Adds a range to the row of ranges with the same work. Makes a new row if there is none. */
static void count_range(struct sequences *sequences, const struct sequence *row)
{
	uint64_t key = hash(sequences, row);
	uint32_t place = ra_util_map_find(&sequences->index, key);
	struct sequence *sum;

	while (place < sequences->count && !is_same(sequences, &sequences->rows[place], row)) {
		place = ra_util_map_find(&sequences->index, ++key);
	}
	if (place >= sequences->count) {
		place = (uint32_t) sequences->count;
		ra_util_grow(&sequences->rows, &sequences->capacity, sequences->count + 1,
		             sizeof(*sequences->rows));
		ra_util_map_put(&sequences->index, key, place);
		sequences->rows[sequences->count++] = *row;
		return;
	}
	sum = &sequences->rows[place];
	sum->count++;
	sum->gpu_ns = ra_util_add_time(sum->gpu_ns, row->gpu_ns);
	sum->cpu_ns = ra_util_add_time(sum->cpu_ns, row->cpu_ns);
}

static void count_ranges(struct sequences *sequences)
{
	const struct ra_report_input *input = sequences->input;
	const struct ra_model *model = input->model;

	for (size_t i = 0; i < sequences->item_count;) {
		const uint32_t root = sequences->items[i].root;
		struct sequence row = { .first = i,
			                .count = 1,
			                .cpu_ns = model->slices.dur_ns[root],
			                .name = model->slices.name[root] };

		for (; i < sequences->item_count && sequences->items[i].root == root; i++) {
			const struct ra_gpu_op *op = &model->gpu.ops[sequences->items[i].op];

			row.gpu_ns = ra_util_add_time(row.gpu_ns, op->dur_ns);
		}
		row.length = i - row.first;
		row.name = ra_labels_find(input->labels, row.name);
		if (row.length >= input->settings->op_kernels) {
			count_range(sequences, &row);
		}
	}
}

/* Makes a text such as "operator|kernel|kernel". */
static struct rlog_string name_pattern(const struct sequences *sequences,
                                       const struct sequence *row, struct ra_table *table)
{
	const struct ra_report_input *input = sequences->input;
	struct rlog_string name = ra_op_names_of_label(input, row->name);
	struct ra_util_text text = { 0 };

	ra_util_text_put(&text, name.bytes,
	                 name.length < LONGEST_TEXT ? name.length : LONGEST_TEXT);
	for (size_t i = 0; i < row->length; i++) {
		name = ra_op_names_text(input, sequences->items[row->first + i].key, table);
		if (text.length + name.length > LONGEST_TEXT) {
			ra_util_text_format(&text, "|(%zu more)", row->length - i);
			break;
		}
		ra_util_text_put_char(&text, '|');
		ra_util_text_put(&text, name.bytes, name.length);
	}
	return ra_table_take_text(table, &text);
}

static void put_rows(const struct sequences *sequences, int64_t rank, struct ra_table *table)
{
	for (size_t i = 0; i < sequences->count; i++) {
		const struct sequence *row = &sequences->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[RANK] = ra_table_make_number(rank);
		cells[OPERATIONS] = ra_table_make_count(row->length);
		cells[COUNT] = ra_table_make_count(row->count);
		cells[GPU] = ra_table_make_number(row->gpu_ns);
		cells[CPU] = ra_table_make_number(row->cpu_ns);
		cells[PATTERN] = ra_table_make_text(name_pattern(sequences, row, table));
	}
}

static void fill_file(const struct ra_report_input *file, int64_t rank, struct ra_table *table)
{
	const struct ra_model *model = file->model;
	struct sequences sequences = { .input = file };

	sequences.root_of = ra_alloc_zeros(model->slices.count + 1, sizeof(*sequences.root_of));
	sequences.items = ra_alloc_zeros(model->gpu.op_count + 1, sizeof(*sequences.items));
	find_roots(&sequences);
	find_items(&sequences);
	count_ranges(&sequences);
	put_rows(&sequences, rank, table);
	free(sequences.root_of);
	free(sequences.items);
	free(sequences.rows);
	ra_util_map_free(&sequences.index);
}

static void fill_sequences(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		struct ra_report_input file;

		ra_rank_names_input(&file, input, i);
		fill_file(&file, ra_report_file_rank(input, i), table);
	}
}

const struct ra_report ra_report_sequences = {
	.name = "sequences",
	.reads_several = true,
	.title = "Frequent sequences of GPU work",
	.summary = "sequences of GPU work below ranges (--set op=TEXT), and how often",
	.none = "no range of this name with so much GPU work (--set op=TEXT, --set op-kernels=N)",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "count",
	.fill = fill_sequences,
};

/* SPDX-License-Identifier: MIT */
/* The reports "categories" and "op-kernels": GPU time by category, and kernels by operator. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/compat/tb/tables.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/names/kernel-kinds.h"
#include "analyzer/report/op-names.h"
#include "analyzer/reports/reports.h"

/* The categories: first those of kernels, then those of other operations. */
#define FIRST_OTHER RA_KERNEL_KINDS

enum category_column {
	CATEGORY,
	CATEGORY_TYPE,
	CATEGORY_SHARE,
	CATEGORY_TOTAL,
	CATEGORY_CALLS,
	CATEGORY_RULE,
	CATEGORY_COLUMNS,
};

static const struct ra_table_column category_columns[CATEGORY_COLUMNS] = {
	[CATEGORY] = { "category", "Category", RA_TABLE_TEXT, NULL },
	[CATEGORY_TYPE] = { "data_type", "Data type", RA_TABLE_TEXT, NULL },
	[CATEGORY_SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[CATEGORY_TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[CATEGORY_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[CATEGORY_RULE] = { "rule", "By the words", RA_TABLE_TEXT, NULL },
};

/* A word in names that put operations into a row. */
struct word {
	const char *text; /* static text */
	int64_t total_ns;
	uint32_t row;
};

struct group {
	int64_t total_ns;
	int64_t min_ns;
	int64_t max_ns;
	uint64_t calls;
};

struct groups {
	struct ra_report_input *input;
	struct ra_kernel_kinds kinds;
	struct ra_tb_index index;
	struct group *rows; /* owned; by row of the index */
	size_t capacity;
	struct word *words; /* owned */
	size_t word_count;
	size_t word_capacity;
	int64_t whole_ns;
};

/* Adds an operation. Return: its row. */
static uint32_t add_op(struct groups *groups, const struct ra_tb_key *key,
                       const struct ra_gpu_op *op)
{
	const size_t before = groups->capacity;
	struct group *group;
	const uint32_t row = ra_tb_index_find(&groups->index, key);

	ra_util_grow(&groups->rows, &groups->capacity, groups->index.count, sizeof(*groups->rows));
	if (groups->capacity > before) {
		memset(groups->rows + before, 0,
		       (groups->capacity - before) * sizeof(*groups->rows));
	}
	group = &groups->rows[row];
	group->min_ns =
		group->calls == 0 || op->dur_ns < group->min_ns ? op->dur_ns : group->min_ns;
	group->max_ns = op->dur_ns > group->max_ns ? op->dur_ns : group->max_ns;
	group->total_ns = ra_util_add_time(group->total_ns, op->dur_ns);
	group->calls++;
	groups->whole_ns = ra_util_add_time(groups->whole_ns, op->dur_ns);
	return row;
}

static void fini_groups(struct groups *groups)
{
	ra_kernel_kinds_fini(&groups->kinds);
	ra_tb_index_fini(&groups->index);
	free(groups->rows);
	free(groups->words);
}

/* Adds a word to a row. Searches all words, because there are only as many as rules in
 * kernel-kinds.c. */
static void add_word(struct groups *groups, uint32_t row, const char *text, int64_t dur_ns)
{
	for (size_t i = 0; i < groups->word_count; i++) {
		struct word *word = &groups->words[i];

		if (word->row == row && (word->text == text || strcmp(word->text, text) == 0)) {
			word->total_ns = ra_util_add_time(word->total_ns, dur_ns);
			return;
		}
	}
	RA_UTIL_APPEND(groups->words, groups->word_count, groups->word_capacity,
	               (struct word){ text, dur_ns, row });
}

static void collect_categories(struct groups *groups)
{
	const struct ra_model *model = groups->input->model;
	const unsigned by = groups->input->group_by;

	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		struct ra_kernel_class kernel = { .kind = (uint8_t) (FIRST_OTHER + op->kind) };
		struct ra_tb_key key = { { 0 } };
		uint32_t row;

		if (op->kind == RA_GPU_KERNEL) {
			ra_kernel_kinds_find(&groups->kinds, model, op->name, &kernel);
		}
		if ((by & RA_GROUP_BY_DTYPE) == 0 || (by & RA_GROUP_BY_NAME) != 0) {
			key.part[0] = kernel.kind;
		}
		if ((by & RA_GROUP_BY_DTYPE) != 0) {
			key.part[1] = kernel.type;
		}
		row = add_op(groups, &key, op);
		if (kernel.kind_rule != NULL) {
			add_word(groups, row, kernel.kind_rule, op->dur_ns);
		}
	}
}

static int compare_words(const void *left, const void *right)
{
	const struct word *a = left;
	const struct word *b = right;
	const int order = RA_ORDER_THEN(RA_ORDER_UP(a, b, row), RA_ORDER_DOWN(a, b, total_ns));

	return RA_ORDER_THEN(order, strcmp(a->text, b->text));
}

/* Writes the words of a row, the word with the longest time first. */
static void put_words(const struct groups *groups, size_t row, struct ra_util_text *text,
                      struct ra_table *table, struct ra_table_cell *cell)
{
	ra_util_text_clear(text);
	for (size_t i = 0; i < groups->word_count; i++) {
		if (groups->words[i].row == row) {
			ra_util_text_format(text, "%s%s", text->length > 0 ? ", " : "",
			                    groups->words[i].text);
		}
	}
	if (text->length > 0) {
		*cell = ra_table_make_text(ra_table_keep_text(table, text->bytes, text->length));
	}
}

static const char *name_category(uint32_t kind)
{
	return kind < FIRST_OTHER ? ra_kernel_kinds_name((uint8_t) kind)
	                          : ra_gpu_kind_name((enum ra_gpu_kind)(kind - FIRST_OTHER));
}

static void put_categories(const struct groups *groups, struct ra_table *table)
{
	struct ra_util_text text = { 0 };

	for (size_t i = 0; i < groups->index.count; i++) {
		const uint32_t *key = groups->index.keys[i].part;
		const struct group *group = &groups->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[CATEGORY] = ra_table_make_word(name_category(key[0]));
		cells[CATEGORY_TYPE] = ra_table_make_word(ra_kernel_kinds_type((uint8_t) key[1]));
		cells[CATEGORY_SHARE] = ra_table_make_share(group->total_ns, groups->whole_ns);
		cells[CATEGORY_TOTAL] = ra_table_make_number(group->total_ns);
		cells[CATEGORY_CALLS] = ra_table_make_count(group->calls);
		put_words(groups, i, &text, table, &cells[CATEGORY_RULE]);
	}
	ra_util_text_free(&text);
}

static void fill_categories(struct ra_report_input *input, struct ra_table *table)
{
	struct groups groups = { .input = input };

	collect_categories(&groups);
	RA_SORT(groups.words, groups.word_count, compare_words);
	put_categories(&groups, table);
	if ((input->group_by & RA_GROUP_BY_DTYPE) == 0) {
		ra_table_hide(table, CATEGORY_TYPE);
	} else if ((input->group_by & RA_GROUP_BY_NAME) == 0) {
		ra_table_hide(table, CATEGORY);
	}
	fini_groups(&groups);
}

const struct ra_report ra_report_categories = {
	.name = "categories",
	.title = "Categories",
	.summary = "GPU time by kind of work: products of matrices, attention, copies, …",
	.none = "no GPU work",
	.is_gpu = true,
	.groups = RA_GROUP_BY_NAME | RA_GROUP_BY_DTYPE,
	.columns = category_columns,
	.column_count = CATEGORY_COLUMNS,
	.sort = "total",
	.fill = fill_categories,
};

enum op_column {
	OP_NAME,
	OP_KERNEL,
	OP_CATEGORY,
	OP_TYPE,
	OP_UNIT,
	OP_SHARE,
	OP_TOTAL,
	OP_CALLS,
	OP_MEAN,
	OP_MIN,
	OP_MAX,
	OP_COLUMNS,
};

static const struct ra_table_column op_columns[OP_COLUMNS] = {
	[OP_NAME] = { "operator", "Operator", RA_TABLE_TEXT, NULL },
	[OP_KERNEL] = { "name", "Kernel", RA_TABLE_TEXT, NULL },
	[OP_CATEGORY] = { "category", "Category", RA_TABLE_TEXT, NULL },
	[OP_TYPE] = { "data_type", "Data type", RA_TABLE_TEXT, "unknown" },
	[OP_UNIT] = { "matrix_unit", "Matrix unit", RA_TABLE_TEXT, NULL },
	[OP_SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[OP_TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[OP_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[OP_MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[OP_MIN] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[OP_MAX] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
};

/* The innermost operator around a launch; in logs every range is an operator. RA_NONE: none. */
static uint32_t find_operator(const struct ra_model *model, uint32_t slice)
{
	while (slice != RA_NONE && !ra_model_rows_is_operator(model, slice)) {
		slice = model->slices.parent[slice];
	}
	return slice;
}

#define UNIT_SHIFT 8 /* in a key, the unit is in the bits above the type */

/* Collects the rows of op-kernels. A key has these parts: operator (1 + its label; 0: none),
 * kernel, class, type and matrix unit. */
static void collect_kernels(struct groups *groups)
{
	const struct ra_report_input *input = groups->input;
	const struct ra_model *model = input->model;

	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		const uint32_t slice = find_operator(model, op->slice);
		struct ra_kernel_class kernel;
		struct ra_tb_key key = { { 0 } };

		if (op->kind != RA_GPU_KERNEL) {
			continue;
		}
		ra_kernel_kinds_find(&groups->kinds, model, op->name, &kernel);
		if (slice != RA_NONE) {
			key.part[0] = ra_labels_find(input->labels, model->slices.name[slice]) + 1;
		}
		key.part[1] = (uint32_t) ra_op_names_find(input, op);
		key.part[2] = kernel.kind;
		key.part[3] = kernel.type | (uint32_t) ra_kernel_kinds_unit(&kernel) << UNIT_SHIFT;
		add_op(groups, &key, op);
	}
}

static void put_kernel(const struct groups *groups, size_t row, struct ra_table *table)
{
	static const struct rlog_string outside = { "(outside any operator)", 22, 22 };
	static const char *const units[] = { [RA_KERNEL_UNIT_OTHER] = "",
		                             [RA_KERNEL_UNIT_NONE] = "none",
		                             [RA_KERNEL_UNIT_UNKNOWN] = "unknown",
		                             [RA_KERNEL_UNIT_TENSOR] = "tensor cores",
		                             [RA_KERNEL_UNIT_MFMA] = "MFMA" };
	const struct ra_report_input *input = groups->input;
	const uint32_t *key = groups->index.keys[row].part;
	const struct group *group = &groups->rows[row];
	struct ra_table_cell *cells = ra_table_add_row(table);
	const struct rlog_string name =
		ra_op_names_text(input, (uint64_t) RA_GPU_KERNEL << 32 | key[1], table);

	cells[OP_NAME] =
		ra_table_make_text(key[0] == 0 ? outside : ra_op_names_of_label(input, key[0] - 1));
	cells[OP_KERNEL] = ra_table_make_text(name);
	cells[OP_CATEGORY] = ra_table_make_word(name_category(key[2]));
	cells[OP_TYPE] = ra_table_make_word(ra_kernel_kinds_type((uint8_t) key[3]));
	if (key[3] >> UNIT_SHIFT != RA_KERNEL_UNIT_OTHER) {
		cells[OP_UNIT] = ra_table_make_word(units[key[3] >> UNIT_SHIFT]);
	}
	cells[OP_SHARE] = ra_table_make_share(group->total_ns, groups->whole_ns);
	cells[OP_TOTAL] = ra_table_make_number(group->total_ns);
	cells[OP_CALLS] = ra_table_make_count(group->calls);
	cells[OP_MEAN] = ra_table_make_number(
		(int64_t) (((uint64_t) group->total_ns + group->calls / 2) / group->calls));
	cells[OP_MIN] = ra_table_make_number(group->min_ns);
	cells[OP_MAX] = ra_table_make_number(group->max_ns);
}

/* Adds figures: how many kernels could use matrix units and do not, and their time. */
static void add_figures(struct ra_report_input *input, const struct groups *groups)
{
	int64_t time_ns = 0;
	uint64_t calls = 0;

	for (size_t i = 0; i < groups->index.count; i++) {
		if (groups->index.keys[i].part[3] >> UNIT_SHIFT == RA_KERNEL_UNIT_NONE) {
			time_ns = ra_util_add_time(time_ns, groups->rows[i].total_ns);
			calls = ra_util_add(calls, groups->rows[i].calls);
		}
	}
	if (calls > 0) {
		ra_report_add_figure(
			input, "no_matrix_unit_ns",
			"Products, convolutions and attention in FP32 without tensor cores or MFMA",
			RA_TABLE_TIME, ra_table_make_number(time_ns));
		ra_report_add_figure(input, "no_matrix_unit_calls", "Their kernels", RA_TABLE_COUNT,
		                     ra_table_make_count(calls));
	}
}

static void fill_kernels(struct ra_report_input *input, struct ra_table *table)
{
	struct groups groups = { .input = input };

	collect_kernels(&groups);
	for (size_t i = 0; i < groups.index.count; i++) {
		put_kernel(&groups, i, table);
	}
	add_figures(input, &groups);
	fini_groups(&groups);
}

const struct ra_report ra_report_op_kernels = {
	.name = "op-kernels",
	.title = "Kernels by operator",
	.summary = "kernels by the operator, or range, that launched them",
	.none = "no kernels",
	.is_gpu = true,
	.columns = op_columns,
	.column_count = OP_COLUMNS,
	.sort = "total",
	.fill = fill_kernels,
};

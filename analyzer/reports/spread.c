/* SPDX-License-Identifier: MIT */
/* The reports "spread", "copy-sizes" and "os-calls": how durations, and sizes of copies, are
 * distributed, by name. */
#include "analyzer/reports/reports.h"

#include "analyzer/figures/ranges/durations.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/range-names.h"

/* What is in the low bits of a key of durations. This number is in the bits above them. */
enum family {
	RANGES, /* index of a group */
	CALLS,  /* name of a call */
	WAITS,  /* kind of a wait */
	WORK,   /* key of ra_op_names_find() */
};

#define FAMILY_SHIFT 60

enum spread_column {
	SPREAD_NAME,
	SPREAD_DOMAIN,
	SPREAD_KIND,
	SPREAD_CALLS,
	SPREAD_TIMES,
	SPREAD_COLUMNS = SPREAD_TIMES + RA_DURATIONS_SPREAD,
};

static const struct ra_table_column spread_columns[SPREAD_COLUMNS] = {
	[SPREAD_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[SPREAD_DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[SPREAD_KIND] = { "kind", "Kind", RA_TABLE_TEXT, NULL },
	[SPREAD_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	RA_DURATIONS_SPREAD_LIST(SPREAD_TIMES, "", "", "Total"),
};

struct filling {
	const struct ra_report_input *input;
	struct ra_group group;         /* owned */
	struct ra_durations durations; /* owned */
};

static void add(struct filling *filling, enum family family, uint64_t key, int64_t dur_ns)
{
	ra_durations_add(&filling->durations, (uint64_t) family << FAMILY_SHIFT | key, dur_ns);
}

static void add_all(struct filling *filling)
{
	const struct ra_model *model = filling->input->model;
	const struct ra_gpu *gpu = &model->gpu;

	for (size_t i = 0; i < model->slices.count; i++) {
		add(filling, RANGES, filling->group.of_slice[i], model->slices.dur_ns[i]);
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		add(filling, CALLS, gpu->apis[i].name, gpu->apis[i].dur_ns);
	}
	for (size_t i = 0; i < gpu->sync_count; i++) {
		add(filling, WAITS, gpu->syncs[i].kind, gpu->syncs[i].dur_ns);
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		add(filling, WORK, ra_op_names_find(filling->input, &gpu->ops[i]),
		    gpu->ops[i].dur_ns);
	}
}

static void put_names(const struct filling *filling, uint64_t key, struct ra_table *table,
                      struct ra_table_cell *cells)
{
	const struct ra_report_input *input = filling->input;
	const uint64_t rest = key & ((UINT64_C(1) << FAMILY_SHIFT) - 1);
	struct rlog_string name = { NULL, 0, 0 };
	const char *kind = "";

	switch ((enum family)(key >> FAMILY_SHIFT)) {
	case RANGES:
		ra_range_names_put_plain(input, &filling->group.keys[rest], &cells[SPREAD_NAME]);
		return;
	case CALLS:
		name = ra_model_string(input->model, (uint32_t) rest);
		kind = "call";
		break;
	case WAITS:
		name = ra_util_string(ra_gpu_sync_name((uint8_t) rest));
		kind = "gpu wait";
		break;
	case WORK:
		name = ra_op_names_text(input, rest, table);
		kind = ra_gpu_kind_name(ra_op_names_kind(rest));
		break;
	}
	cells[SPREAD_NAME] = ra_table_make_text(name);
	cells[SPREAD_KIND] = ra_table_make_word(kind);
}

static void fill_spread(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input };
	const struct ra_durations *durations = &filling.durations;

	ra_group_init(&filling.group, input->model, RA_GROUP_BY_NAME, input->labels);
	add_all(&filling);
	ra_durations_finish(&filling.durations);
	ra_durations_find_medians(&filling.durations);
	for (size_t i = 0; i < durations->count; i++) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		put_names(&filling, durations->rows[i].key, table, cells);
		cells[SPREAD_CALLS] = ra_table_make_count(durations->rows[i].count);
		ra_durations_put_spread(&durations->rows[i], &cells[SPREAD_TIMES]);
	}
	ra_durations_fini(&filling.durations);
	ra_group_fini(&filling.group);
}

const struct ra_report ra_report_spread = {
	.name = "spread",
	.title = "Spread of durations",
	.summary = "median, extremes and deviation of ranges, calls, waits and GPU work by name",
	.none = "no ranges, calls or GPU work",
	.columns = spread_columns,
	.column_count = SPREAD_COLUMNS,
	.sort = "total_ns",
	.fill = fill_spread,
};

enum named_column {
	NAMED_NAME,
	NAMED_CALLS,
	NAMED_VALUES,
	NAMED_COLUMNS = NAMED_VALUES + RA_DURATIONS_SPREAD,
};

static const struct ra_table_column size_columns[NAMED_COLUMNS] = {
	[NAMED_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[NAMED_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[NAMED_VALUES] = { "total_bytes", "Bytes", RA_TABLE_COUNT, NULL },
	[NAMED_VALUES + 1] = { "mean_bytes", "Mean", RA_TABLE_COUNT, NULL },
	[NAMED_VALUES + 2] = { "median_bytes", "Median", RA_TABLE_COUNT, NULL },
	[NAMED_VALUES + 3] = { "min_bytes", "Min", RA_TABLE_COUNT, NULL },
	[NAMED_VALUES + 4] = { "max_bytes", "Max", RA_TABLE_COUNT, NULL },
	[NAMED_VALUES + 5] = { "std_bytes", "Std", RA_TABLE_COUNT, NULL },
};

static const struct ra_table_column os_columns[NAMED_COLUMNS] = {
	[NAMED_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[NAMED_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	RA_DURATIONS_SPREAD_LIST(NAMED_VALUES, "", "", "Total"),
};

/* Makes rows from the durations added. @is_work: keys are those of ra_op_names_find(); false: they
 * are names. */
static void put_named(const struct ra_report_input *input, struct ra_durations *durations,
                      bool is_work, struct ra_table *table)
{
	ra_durations_finish(durations);
	ra_durations_find_medians(durations);
	for (size_t i = 0; i < durations->count; i++) {
		const struct ra_durations_row *row = &durations->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[NAMED_NAME] = ra_table_make_text(
			is_work ? ra_op_names_text(input, row->key, table)
				: ra_model_string(input->model, (uint32_t) row->key));
		cells[NAMED_CALLS] = ra_table_make_count(row->count);
		ra_durations_put_spread(row, &cells[NAMED_VALUES]);
	}
}

static void fill_sizes(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	struct ra_durations sizes = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET) {
			ra_durations_add(&sizes, ra_op_names_find(input, op),
			                 op->bytes < INT64_MAX ? (int64_t) op->bytes : INT64_MAX);
		}
	}
	put_named(input, &sizes, true, table);
	ra_durations_fini(&sizes);
}

const struct ra_report ra_report_copy_sizes = {
	.name = "copy-sizes",
	.title = "Sizes of copies",
	.summary = "how many bytes copies and memsets moved: sum, median, extremes, deviation",
	.more_of = "memcpy",
	.none = "no copies or memsets",
	.is_gpu = true,
	.columns = size_columns,
	.column_count = NAMED_COLUMNS,
	.sort = "total_bytes",
	.fill = fill_sizes,
};

static void fill_os(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_model *model = input->model;
	struct ra_durations durations = { 0 };

	for (size_t i = 0; i < model->os_call_count; i++) {
		ra_durations_add(&durations, model->os_calls[i].name, model->os_calls[i].dur_ns);
	}
	put_named(input, &durations, false, table);
	ra_durations_fini(&durations);
}

const struct ra_report ra_report_os_calls = {
	.name = "os-calls",
	.title = "Calls of the operating system",
	.summary = "calls of the operating system's libraries, in exports of nsys that have them",
	.none = "no calls of the operating system: only exports of nsys have them",
	.columns = os_columns,
	.column_count = NAMED_COLUMNS,
	.sort = "total_ns",
	.fill = fill_os,
};

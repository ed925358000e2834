/* SPDX-License-Identifier: MIT */
/* HTA's figures of a run's ranks: temporal, overlap, kernel-types, breakdown, annotations. */
#include "analyzer/compat/hta/reports.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/order/describe.h"
#include "analyzer/compat/hta/shared.h"

/* Turns a percentage into a share. HTA gives per cent with a few digits; here a share is a part of
 * 1. */
static void put_share(struct ra_table_cell *cell, double part, int digits)
{
	ra_table_put_real(cell, ra_describe_round(100 * part, digits) / 100);
}

enum temporal_column {
	TEMPORAL_RANK,
	TEMPORAL_IDLE,
	TEMPORAL_COMPUTE,
	TEMPORAL_NON_COMPUTE,
	TEMPORAL_KERNEL_TIME,
	TEMPORAL_IDLE_SHARE,
	TEMPORAL_COMPUTE_SHARE,
	TEMPORAL_NON_COMPUTE_SHARE,
	TEMPORAL_EVENTS,
	TEMPORAL_GPU_EVENTS,
	TEMPORAL_COLUMNS,
};

static const struct ra_table_column temporal_columns[TEMPORAL_COLUMNS] = {
	[TEMPORAL_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[TEMPORAL_IDLE] = { "idle_us", "Idle", RA_TABLE_REAL, NULL },
	[TEMPORAL_COMPUTE] = { "compute_us", "Compute", RA_TABLE_REAL, NULL },
	[TEMPORAL_NON_COMPUTE] = { "non_compute_us", "Non-compute", RA_TABLE_REAL, NULL },
	[TEMPORAL_KERNEL_TIME] = { "kernel_time_us", "Kernel time", RA_TABLE_REAL, NULL },
	[TEMPORAL_IDLE_SHARE] = { "idle_share", "Idle", RA_TABLE_REAL, NULL },
	[TEMPORAL_COMPUTE_SHARE] = { "compute_share", "Compute", RA_TABLE_REAL, NULL },
	[TEMPORAL_NON_COMPUTE_SHARE] = { "non_compute_share", "Non-compute", RA_TABLE_REAL, NULL },
	[TEMPORAL_EVENTS] = { "events", "Events", RA_TABLE_COUNT, NULL },
	[TEMPORAL_GPU_EVENTS] = { "gpu_events", "GPU events", RA_TABLE_COUNT, NULL },
};

/* Counts the rows left by HTA's filter, and those on streams. */
static void put_events(struct ra_table_cell *cells, const struct ra_hta_rank *rank)
{
	cells[TEMPORAL_EVENTS] = ra_table_make_count(rank->count);
	cells[TEMPORAL_GPU_EVENTS] = ra_table_make_count(rank->gpu_count);
}

static void fill_temporal(struct ra_report_input *input, struct ra_table *table)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		struct ra_hta_rank *rank = &input->hta->ranks[i];
		struct ra_table_cell *cells = ra_table_add_row(table);
		struct ra_hta_temporal times;

		ra_hta_spans_temporal(&times, ra_hta_shared_spans(rank));
		cells[TEMPORAL_RANK] = ra_table_make_number(rank->rank);
		ra_table_put_real(&cells[TEMPORAL_IDLE], times.idle_us);
		ra_table_put_real(&cells[TEMPORAL_COMPUTE], times.compute_us);
		ra_table_put_real(&cells[TEMPORAL_NON_COMPUTE], times.non_compute_us);
		ra_table_put_real(&cells[TEMPORAL_KERNEL_TIME], times.kernel_time_us);
		put_share(&cells[TEMPORAL_IDLE_SHARE], times.idle_us / times.kernel_time_us, 2);
		put_share(&cells[TEMPORAL_COMPUTE_SHARE], times.compute_us / times.kernel_time_us,
		          2);
		put_share(&cells[TEMPORAL_NON_COMPUTE_SHARE],
		          times.non_compute_us / times.kernel_time_us, 2);
		put_events(cells, rank);
	}
}

const struct ra_report ra_report_hta_temporal = {
	.name = "temporal",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Temporal breakdown",
	.summary = "GPU time of each rank: computing, doing other things, idle",
	.none = "no GPU work of a trace in JSON",
	.columns = temporal_columns,
	.column_count = TEMPORAL_COLUMNS,
	.fill = fill_temporal,
};

enum overlap_column {
	OVERLAP_RANK,
	OVERLAP_SHARE,
	OVERLAP_COLUMNS,
};

static const struct ra_table_column overlap_columns[OVERLAP_COLUMNS] = {
	[OVERLAP_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[OVERLAP_SHARE] = { "overlap", "Overlap", RA_TABLE_REAL, NULL },
};

static void fill_overlap(struct ra_report_input *input, struct ra_table *table)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		struct ra_table_cell *cells = ra_table_add_row(table);
		const struct ra_hta_spans *spans = ra_hta_shared_spans(&input->hta->ranks[i]);

		cells[OVERLAP_RANK] = ra_table_make_number(input->hta->ranks[i].rank);
		put_share(&cells[OVERLAP_SHARE], ra_hta_spans_overlap(spans), 2);
	}
}

const struct ra_report ra_report_hta_overlap = {
	.name = "overlap",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Overlap of communication and computation",
	.summary = "part of each rank's communication in which it computes",
	.none = "no GPU work of a trace in JSON",
	.columns = overlap_columns,
	.column_count = OVERLAP_COLUMNS,
	.fill = fill_overlap,
};

enum type_column {
	TYPE_NAME,
	TYPE_SUM,
	TYPE_SHARE,
	TYPE_COLUMNS,
};

static const struct ra_table_column type_columns[TYPE_COLUMNS] = {
	[TYPE_NAME] = { "kernel_type", "Type", RA_TABLE_TEXT, NULL },
	[TYPE_SUM] = { "sum_us", "Sum", RA_TABLE_REAL, NULL },
	[TYPE_SHARE] = { "share", "Share", RA_TABLE_REAL, NULL },
};

static void fill_types(struct ra_report_input *input, struct ra_table *table)
{
	const unsigned types = input->settings->memory != 0 ? 3 : 2;
	double sums_us[8] = { 0 };
	bool has[8] = { false };
	double whole_us = 0;

	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		ra_hta_spans_kinds(sums_us, has, ra_hta_shared_spans(&input->hta->ranks[i]), types);
	}
	for (unsigned k = 0; k < 8; k++) {
		whole_us += sums_us[k];
	}
	for (unsigned k = 0; k < 8; k++) {
		struct ra_table_cell *cells;

		if (!has[k]) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[TYPE_NAME] = ra_table_make_word(ra_hta_names_kind(k));
		cells[TYPE_SUM] = ra_table_make_real(sums_us[k]);
		put_share(&cells[TYPE_SHARE], sums_us[k] / whole_us, 1);
	}
}

const struct ra_report ra_report_hta_types = {
	.name = "kernel-types",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Types of kernels",
	.summary = "time with kernels of one type, and with several types at once",
	.none = "no GPU work of a trace in JSON",
	.columns = type_columns,
	.column_count = TYPE_COLUMNS,
	.sort = "sum",
	.fill = fill_types,
};

enum kernel_column {
	KERNEL_RANK,
	KERNEL_TYPE,
	KERNEL_NAME,
	KERNEL_SUM,
	KERNEL_MAX,
	KERNEL_MIN,
	KERNEL_DEVIATION,
	KERNEL_MEAN,
	KERNEL_COLUMNS,
};

static const struct ra_table_column kernel_columns[KERNEL_COLUMNS] = {
	[KERNEL_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[KERNEL_TYPE] = { "kernel_type", "Type", RA_TABLE_TEXT, NULL },
	[KERNEL_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[KERNEL_SUM] = { "sum_us", "Sum", RA_TABLE_REAL, NULL },
	[KERNEL_MAX] = { "max_us", "Max", RA_TABLE_REAL, NULL },
	[KERNEL_MIN] = { "min_us", "Min", RA_TABLE_REAL, NULL },
	[KERNEL_DEVIATION] = { "std_us", "Std", RA_TABLE_REAL, NULL },
	[KERNEL_MEAN] = { "mean_us", "Mean", RA_TABLE_REAL, NULL },
};

static void add_kernels(const struct ra_hta_rank *rank, const struct ra_hta_choice *choice,
                        const char *type, struct ra_table *table)
{
	struct ra_hta_kernels kernels;

	ra_hta_kernels_sum(&kernels, rank, choice);
	for (size_t i = 0; i < kernels.count; i++) {
		const struct ra_hta_kernel *row = &kernels.rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[KERNEL_RANK] = ra_table_make_number(rank->rank);
		cells[KERNEL_TYPE] = ra_table_make_word(type);
		cells[KERNEL_NAME] = ra_table_make_text(row->name);
		ra_table_put_real(&cells[KERNEL_SUM], row->sum_us);
		ra_table_put_real(&cells[KERNEL_MAX], row->max_us);
		ra_table_put_real(&cells[KERNEL_MIN], row->min_us);
		ra_table_put_real(&cells[KERNEL_DEVIATION], row->deviation_us);
		ra_table_put_real(&cells[KERNEL_MEAN], row->mean_us);
	}
	free(kernels.rows);
}

static void fill_breakdown(struct ra_report_input *input, struct ra_table *table)
{
	static const enum ra_hta_kind kinds[] = { RA_HTA_COMPUTATION, RA_HTA_COMMUNICATION,
		                                  RA_HTA_MEMORY };
	const size_t kind_count = input->settings->memory != 0 ? 3 : 2;

	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		for (size_t k = 0; k < kind_count; k++) {
			const struct ra_hta_choice choice = {
				.kind = kinds[k],
				.limit = input->settings->kernels,
				.share = input->settings->kernel_share,
			};

			add_kernels(&input->hta->ranks[i], &choice, ra_hta_names_kind(kinds[k]),
			            table);
		}
	}
}

const struct ra_report ra_report_hta_breakdown = {
	.name = "breakdown",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Kernels of each rank",
	.summary = "the kernels of each rank and type that take the most time",
	.none = "no GPU work of a trace in JSON",
	.columns = kernel_columns,
	.column_count = KERNEL_COLUMNS,
	.fill = fill_breakdown,
};

static void fill_annotations(struct ra_report_input *input, struct ra_table *table)
{
	static const char *const categories[] = { "user_annotation", "gpu_user_annotation" };

	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		for (size_t c = 0; c < 2; c++) {
			const struct ra_hta_choice choice = {
				.category = categories[c],
				.limit = 1000,
				.share = input->settings->kernel_share
			};

			add_kernels(&input->hta->ranks[i], &choice, c == 0 ? "CPU" : "GPU", table);
		}
	}
}

static const struct ra_table_column annotation_columns[KERNEL_COLUMNS] = {
	[KERNEL_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[KERNEL_TYPE] = { "device_type", "Device", RA_TABLE_TEXT, NULL },
	[KERNEL_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[KERNEL_SUM] = { "sum_us", "Sum", RA_TABLE_REAL, NULL },
	[KERNEL_MAX] = { "max_us", "Max", RA_TABLE_REAL, NULL },
	[KERNEL_MIN] = { "min_us", "Min", RA_TABLE_REAL, NULL },
	[KERNEL_DEVIATION] = { "std_us", "Std", RA_TABLE_REAL, NULL },
	[KERNEL_MEAN] = { "mean_us", "Mean", RA_TABLE_REAL, NULL },
};

const struct ra_report ra_report_hta_annotations = {
	.name = "annotations",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Annotations",
	.summary = "user annotations of each rank, on the CPU and on the GPU",
	.none = "no annotations",
	.columns = annotation_columns,
	.column_count = KERNEL_COLUMNS,
	.fill = fill_annotations,
};

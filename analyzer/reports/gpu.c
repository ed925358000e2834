/* SPDX-License-Identifier: MIT */
/* The reports "kernels", "memcpy" and "api": work that ran on the GPU, and calls that launched
 * it. */
#include "analyzer/reports/reports.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/figures/throughput/rates.h"
#include "analyzer/report/op-names.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

static int64_t average(const struct ra_gpu_tally *row)
{
	return (int64_t) (((uint64_t) row->total_ns + row->calls / 2) / row->calls);
}

static int64_t sum_total(const struct ra_gpu_tallies *tallies)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < tallies->count; i++) {
		sum_ns = ra_util_add_time(sum_ns, tallies->rows[i].total_ns);
	}
	return sum_ns;
}

enum kernel_column {
	KERNEL_NAME,
	KERNEL_SHARE,
	KERNEL_TOTAL,
	KERNEL_CALLS,
	KERNEL_AVERAGE,
	KERNEL_MINIMUM,
	KERNEL_MAXIMUM,
	KERNEL_BLOCKS,
	KERNEL_OCCUPANCY,
	KERNEL_TENSOR,
	KERNEL_RATES,
	KERNEL_RATED = KERNEL_RATES + RA_RATE_COLUMNS,
	KERNEL_CLUSTER,
	KERNEL_TYPE,
	KERNEL_PRIORITY,
	KERNEL_COLUMNS,
};

static const struct ra_table_column kernel_columns[KERNEL_COLUMNS] = {
	[KERNEL_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[KERNEL_SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[KERNEL_TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[KERNEL_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[KERNEL_AVERAGE] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[KERNEL_MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[KERNEL_MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[KERNEL_BLOCKS] = { "mean_blocks_per_sm", "Blocks/SM", RA_TABLE_RATIO, NULL },
	[KERNEL_OCCUPANCY] = { "mean_est_achieved_occupancy", "Est. occupancy", RA_TABLE_SHARE,
	                       NULL },
	[KERNEL_TENSOR] = { "tensor_core_share", "TC %", RA_TABLE_SHARE, "0" },
	RA_RATE_TABLE_COLUMNS(KERNEL_RATES),
	[KERNEL_RATED] = { "rated_share", "Rated", RA_TABLE_SHARE, "1" },
	[KERNEL_CLUSTER] = { "cluster_blocks", "Cluster", RA_TABLE_COUNT, "" },
	[KERNEL_TYPE] = { "launch_type", "Type", RA_TABLE_TEXT, "" },
	[KERNEL_PRIORITY] = { "priority", "Priority", RA_TABLE_COUNT, "" },
};

/* The data from which rows of kernels are made. */
struct kernels {
	struct ra_gpu_tallies tallies; /* owned */
	struct ra_rate *rates;         /* owned; by key of the tallies; NULL: no rate is known */
	struct ra_rate known;
	int64_t whole_ns;
	bool has_tensor;
};

/* The time for which a row has rates: the shorter of those for FLOPs and for bytes. */
static int64_t find_rated(const struct ra_rate *rate)
{
	if (rate->flops_ns == 0 || rate->bytes_ns == 0) {
		return rate->flops_ns + rate->bytes_ns;
	}
	return rate->flops_ns < rate->bytes_ns ? rate->flops_ns : rate->bytes_ns;
}

/* Fills the columns about unusual settings of a kernel's launch. */
static void put_launch(const struct ra_gpu_tally *row, struct ra_table_cell *cells)
{
	if (row->cluster_blocks > 0) {
		cells[KERNEL_CLUSTER] = ra_table_make_count(row->cluster_blocks);
	}
	if (row->has_types || row->launch_type != 0) {
		cells[KERNEL_TYPE] = ra_table_make_word(
			row->has_types ? "several" : ra_gpu_launch_name(row->launch_type));
	}
	if (row->priority != 0) {
		cells[KERNEL_PRIORITY] = ra_table_make_number(row->priority);
	}
}

/* Hides those columns that are empty in all rows; most traces lack these settings. */
static void hide_launch(const struct ra_gpu_tallies *tallies, struct ra_table *table)
{
	bool has[3] = { false, false, false };

	for (size_t i = 0; i < tallies->count; i++) {
		has[0] |= tallies->rows[i].cluster_blocks > 0;
		has[1] |= tallies->rows[i].has_types || tallies->rows[i].launch_type != 0;
		has[2] |= tallies->rows[i].priority != 0;
	}
	for (size_t i = 0; i < 3; i++) {
		if (!has[i]) {
			ra_table_hide(table, KERNEL_CLUSTER + i);
		}
	}
}

static void add_kernel(const struct ra_report_input *input, struct kernels *kernels,
                       const struct ra_gpu_tally *row, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[KERNEL_NAME] = ra_table_make_text(
		ra_op_names_text(input, (uint64_t) RA_GPU_KERNEL << 32 | row->key, table));
	cells[KERNEL_SHARE] = ra_table_make_share(row->total_ns, kernels->whole_ns);
	cells[KERNEL_TOTAL] = ra_table_make_number(row->total_ns);
	cells[KERNEL_CALLS] = ra_table_make_count(row->calls);
	cells[KERNEL_AVERAGE] = ra_table_make_number(average(row));
	cells[KERNEL_MINIMUM] = ra_table_make_number(row->min_ns);
	cells[KERNEL_MAXIMUM] = ra_table_make_number(row->max_ns);
	put_launch(row, cells);
	if (row->shaped_ns > 0) {
		cells[KERNEL_BLOCKS] =
			ra_table_make_share(ra_gpu_metrics_round(row->blocks), row->shaped_ns);
	}
	if (row->occupancy_ns > 0) {
		cells[KERNEL_OCCUPANCY] = ra_table_make_share(ra_gpu_metrics_round(row->occupancy),
		                                              row->occupancy_ns);
	}
	if (kernels->has_tensor && (row->unsure_ns == 0 || row->unsure_ns < row->total_ns)) {
		cells[KERNEL_TENSOR] = ra_table_make_share(row->tensor_ns, row->total_ns);
	}
	if (kernels->rates != NULL) {
		const struct ra_rate *rate = &kernels->rates[row->key];
		const int64_t rated_ns = find_rated(rate);

		ra_rates_put(rate, &cells[KERNEL_RATES]);
		ra_rate_take_known(&kernels->known, rate);
		if (rated_ns > 0) {
			cells[KERNEL_RATED] = ra_table_make_share(rated_ns, row->total_ns);
		}
	}
}

#define NAMED_KERNELS 3 /* most names in the line on tensor cores */

/* The matrix kernels that do not use tensor cores, and the names of those with the most time. */
struct plain {
	const struct ra_gpu_tally *rows[NAMED_KERNELS];
	size_t count; /* number of rows */
	size_t names; /* number of names of all such kernels */
	size_t unsure_names;
	size_t triton_names; /* number of these names that are of Triton's kernels */
	bool has_tensor;
};

static void add_plain(struct plain *plain, const struct ra_gpu_tally *row)
{
	size_t at = plain->count < NAMED_KERNELS ? plain->count++ : NAMED_KERNELS;

	plain->names++;
	for (; at > 0 && plain->rows[at - 1]->plain_ns < row->plain_ns; at--) {
		if (at < NAMED_KERNELS) {
			plain->rows[at] = plain->rows[at - 1];
		}
	}
	if (at < NAMED_KERNELS) {
		plain->rows[at] = row;
	}
}

static void find_plain(struct plain *plain, const struct ra_report_input *input,
                       const struct ra_gpu_tallies *tallies, struct ra_table *table)
{
	*plain = (struct plain){ 0 };
	for (size_t i = 0; i < tallies->count; i++) {
		const struct ra_gpu_tally *row = &tallies->rows[i];

		plain->has_tensor = plain->has_tensor || row->tensor_ns > 0;
		if (row->unsure_ns > 0) {
			const uint64_t key = (uint64_t) RA_GPU_KERNEL << 32 | row->key;

			plain->unsure_names++;
			plain->triton_names +=
				ra_util_string_has(ra_op_names_text(input, key, table), "triton");
		}
		if (row->plain_calls > 0) {
			add_plain(plain, row);
		}
	}
}

static void put_plain(const struct ra_report_input *input, const struct kernels *kernels,
                      const struct plain *plain, struct ra_table *table, struct ra_util_text *text)
{
	for (size_t i = 0; i < plain->count; i++) {
		const struct ra_gpu_tally *row = plain->rows[i];
		const uint64_t key = (uint64_t) RA_GPU_KERNEL << 32 | row->key;
		const struct rlog_string name = ra_op_names_text(input, key, table);

		ra_util_text_format(text, "%s", i > 0 ? ", " : "");
		ra_util_text_put(text, name.bytes, name.length);
		ra_util_text_format(text, " (%llu call%s, ", (unsigned long long) row->plain_calls,
		                    row->plain_calls == 1 ? "" : "s");
		ra_util_text_put_time(text, row->plain_ns);
		ra_util_text_format(text, ", %.2f %%)",
		                    100 * (double) row->plain_ns / (double) kernels->whole_ns);
	}
	if (plain->names > plain->count) {
		ra_util_text_format(text, ", %zu others", plain->names - plain->count);
	}
}

/* Adds a line with the names of the matrix kernels that do not use tensor cores, or one that there
 * are no such kernels. */
static void tell_plain(struct ra_report_input *input, const struct kernels *kernels,
                       struct ra_table *table)
{
	struct ra_util_text text = { 0 };
	struct plain plain;

	find_plain(&plain, input, &kernels->tallies, table);
	if (!kernels->has_tensor || kernels->whole_ns == 0 ||
	    (plain.names == 0 && plain.unsure_names == 0 && !plain.has_tensor)) {
		return;
	}
	put_plain(input, kernels, &plain, table, &text);
	if (plain.names == 0) {
		ra_util_text_format(&text,
		                    plain.unsure_names == 0 ? "none, all use them" : "none known");
	}
	if (plain.unsure_names > 0) {
		ra_util_text_format(&text, "; not known for %zu %skernel%s whose name%s not tell",
		                    plain.unsure_names,
		                    plain.triton_names == plain.unsure_names ? "Triton " : "",
		                    plain.unsure_names == 1 ? "" : "s",
		                    plain.unsure_names == 1 ? " does" : "s do");
	}
	ra_util_text_put_char(&text, '\0');
	ra_report_keep(input, text.bytes, free);
	ra_report_add_figure(input, "no_tensor_cores", "Matrix kernels without tensor cores",
	                     RA_TABLE_TEXT, ra_table_make_word(text.bytes));
}

static void fill_kernels(struct ra_report_input *input, struct ra_table *table)
{
	struct kernels kernels = { .has_tensor = !ra_gpu_metrics_is_rocm(input->model) };
	struct ra_works works = { 0 };

	ra_gpu_metrics_kernels(&kernels.tallies, input->model, input->kernels);
	kernels.whole_ns = sum_total(&kernels.tallies);
	ra_works_init(&works, input->model);
	ra_rates_of_kernels(&works, input->kernels, &kernels.rates);
	for (size_t i = 0; i < kernels.tallies.count; i++) {
		add_kernel(input, &kernels, &kernels.tallies.rows[i], table);
	}
	tell_plain(input, &kernels, table);
	hide_launch(&kernels.tallies, table);
	ra_report_show_rates(input, &kernels.known, table, KERNEL_RATES);
	if (find_rated(&kernels.known) == 0) {
		ra_table_hide(table, KERNEL_RATED);
	}
	ra_works_fini(&works);
	free(kernels.rates);
	ra_gpu_metrics_fini(&kernels.tallies);
}

const struct ra_report ra_report_kernels = {
	.name = "kernels",
	.title = "Kernels",
	.summary = "GPU kernels by name: calls, times, occupancy",
	.none = "no kernels",
	.is_gpu = true,
	.columns = kernel_columns,
	.column_count = KERNEL_COLUMNS,
	.sort = "total",
	.fill = fill_kernels,
};

enum copy_column {
	COPY_NAME,
	COPY_SHARE,
	COPY_TOTAL,
	COPY_CALLS,
	COPY_AVERAGE,
	COPY_MINIMUM,
	COPY_MAXIMUM,
	COPY_BYTES,
	COPY_BANDWIDTH,
	COPY_COLUMNS,
};

static const struct ra_table_column copy_columns[COPY_COLUMNS] = {
	[COPY_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[COPY_SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[COPY_TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[COPY_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[COPY_AVERAGE] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[COPY_MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[COPY_MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[COPY_BYTES] = { "bytes", "Bytes", RA_TABLE_COUNT, NULL },
	[COPY_BANDWIDTH] = { "bytes_per_s", "Bytes/s", RA_TABLE_BYTE_RATE, NULL },
};

static void fill_copies(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_gpu_tallies tallies;

	ra_gpu_metrics_copies(&tallies, input->model);
	const int64_t whole = sum_total(&tallies);

	for (size_t i = 0; i < tallies.count; i++) {
		const struct ra_gpu_tally *row = &tallies.rows[i];
		const bool is_set = row->key >> 32 == RA_GPU_SET;
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[COPY_NAME] = ra_table_make_word(
			is_set ? "Memset" : ra_gpu_copy_name((uint8_t) row->key));
		cells[COPY_SHARE] = ra_table_make_share(row->total_ns, whole);
		cells[COPY_TOTAL] = ra_table_make_number(row->total_ns);
		cells[COPY_CALLS] = ra_table_make_count(row->calls);
		cells[COPY_AVERAGE] = ra_table_make_number(average(row));
		cells[COPY_MINIMUM] = ra_table_make_number(row->min_ns);
		cells[COPY_MAXIMUM] = ra_table_make_number(row->max_ns);
		cells[COPY_BYTES] = ra_table_make_count(row->bytes);
		if (row->total_ns > 0) {
			cells[COPY_BANDWIDTH] = ra_table_make_real(
				trunc((double) row->bytes * 1e9 / (double) row->total_ns));
		}
	}
	ra_gpu_metrics_fini(&tallies);
}

const struct ra_report ra_report_memcpy = {
	.name = "memcpy",
	.title = "Copies and memsets",
	.summary = "copies and memsets of GPU memory by kind: times, bytes, bandwidth",
	.none = "no copies or memsets",
	.is_gpu = true,
	.columns = copy_columns,
	.column_count = COPY_COLUMNS,
	.sort = "total",
	.fill = fill_copies,
};

enum api_column {
	API_NAME,
	API_SHARE,
	API_TOTAL,
	API_CALLS,
	API_AVERAGE,
	API_MINIMUM,
	API_MAXIMUM,
	API_ERRORS,
	API_COLUMNS,
};

static const struct ra_table_column api_columns[API_COLUMNS] = {
	[API_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[API_SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[API_TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[API_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[API_AVERAGE] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[API_MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[API_MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[API_ERRORS] = { "errors", "Errors", RA_TABLE_COUNT, "0" },
};

static void fill_apis(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_gpu_tallies tallies;

	ra_gpu_metrics_apis(&tallies, input->model);
	const int64_t whole = sum_total(&tallies);

	for (size_t i = 0; i < tallies.count; i++) {
		const struct ra_gpu_tally *row = &tallies.rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[API_NAME] =
			ra_table_make_text(ra_model_string(input->model, (uint32_t) row->key));
		cells[API_SHARE] = ra_table_make_share(row->total_ns, whole);
		cells[API_TOTAL] = ra_table_make_number(row->total_ns);
		cells[API_CALLS] = ra_table_make_count(row->calls);
		cells[API_AVERAGE] = ra_table_make_number(average(row));
		cells[API_MINIMUM] = ra_table_make_number(row->min_ns);
		cells[API_MAXIMUM] = ra_table_make_number(row->max_ns);
		cells[API_ERRORS] = ra_table_make_count(row->errors);
	}
	ra_gpu_metrics_fini(&tallies);
}

const struct ra_report ra_report_api = {
	.name = "api",
	.title = "API calls",
	.summary = "calls of CUDA's runtime and driver by name",
	.none = "no calls of CUDA",
	.is_gpu = true,
	.columns = api_columns,
	.column_count = API_COLUMNS,
	.sort = "total",
	.fill = fill_apis,
};

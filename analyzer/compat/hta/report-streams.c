/* SPDX-License-Identifier: MIT */
/* HTA's figures of streams and launches: idle, idle-gaps, queue, bandwidth, launch,
 * launch-outliers.
 */
#include "analyzer/compat/hta/reports.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/compat/hta/shared.h"

static void put_rounded(struct ra_table_cell *cell, double real)
{
	ra_table_put_real(cell, ra_describe_round(real, 2));
}

/* Fills the columns from mean to max. */
static void put_stats(struct ra_table_cell *cells, const struct ra_describe *stats,
                      void (*put)(struct ra_table_cell *cell, double real))
{
	double figures[RA_DESCRIBE_FIGURES];

	ra_describe_list(stats, figures);
	for (size_t i = 0; i < RA_DESCRIBE_FIGURES; i++) {
		put(&cells[i], figures[i]);
	}
}

enum idle_column {
	IDLE_RANK,
	IDLE_STREAM,
	IDLE_HOST,
	IDLE_KERNEL,
	IDLE_OTHER,
	IDLE_HOST_SHARE,
	IDLE_KERNEL_SHARE,
	IDLE_OTHER_SHARE,
	IDLE_COLUMNS,
};

static const struct ra_table_column idle_columns[IDLE_COLUMNS] = {
	[IDLE_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[IDLE_STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[IDLE_HOST] = { "host_wait_us", "Host wait", RA_TABLE_REAL, NULL },
	[IDLE_KERNEL] = { "kernel_wait_us", "Kernel wait", RA_TABLE_REAL, NULL },
	[IDLE_OTHER] = { "other_us", "Other", RA_TABLE_REAL, NULL },
	[IDLE_HOST_SHARE] = { "host_wait_share", "Host wait", RA_TABLE_REAL, NULL },
	[IDLE_KERNEL_SHARE] = { "kernel_wait_share", "Kernel wait", RA_TABLE_REAL, NULL },
	[IDLE_OTHER_SHARE] = { "other_share", "Other", RA_TABLE_REAL, NULL },
};

static void add_idle(const struct ra_hta_rank *rank, const struct ra_hta_stream *stream,
                     struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[IDLE_RANK] = ra_table_make_number(rank->rank);
	cells[IDLE_STREAM] = ra_table_make_number(stream->stream);
	for (int c = 0; c < RA_HTA_IDLES; c++) {
		if (stream->has[c]) {
			put_rounded(&cells[IDLE_HOST + c], stream->idle[c].sum);
			put_rounded(&cells[IDLE_HOST_SHARE + c],
			            stream->idle[c].sum / stream->idle_us);
		}
	}
}

/* Fills the table with one row for each stream and cause. */
static void add_gaps(const struct ra_hta_rank *rank, const struct ra_hta_stream *stream,
                     struct ra_table *table);

typedef void add_stream(const struct ra_hta_rank *rank, const struct ra_hta_stream *stream,
                        struct ra_table *table);

static void for_idle_streams(struct ra_report_input *input, struct ra_table *table, add_stream *add)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		struct ra_hta_rank *rank = &input->hta->ranks[i];
		const struct ra_hta_streams *streams =
			ra_hta_shared_idle(rank, input->settings->idle_delay_us);

		for (size_t s = 0; s < streams->count; s++) {
			add(rank, &streams->rows[s], table);
		}
	}
}

static void fill_idle(struct ra_report_input *input, struct ra_table *table)
{
	for_idle_streams(input, table, add_idle);
}

const struct ra_report ra_report_hta_idle = {
	.name = "idle",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Idle time of streams",
	.summary = "why each stream was idle: host wait, kernel wait, other",
	.none = "no GPU work of a trace in JSON",
	.columns = idle_columns,
	.column_count = IDLE_COLUMNS,
	.fill = fill_idle,
};

enum gap_column {
	GAP_RANK,
	GAP_STREAM,
	GAP_CAUSE,
	GAP_SUM,
	GAP_SHARE,
	GAP_COUNT,
	GAP_MEAN,
	GAP_DEVIATION,
	GAP_MIN,
	GAP_P25,
	GAP_P50,
	GAP_P75,
	GAP_MAX,
	GAP_COLUMNS,
};

static const struct ra_table_column gap_columns[GAP_COLUMNS] = {
	[GAP_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[GAP_STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[GAP_CAUSE] = { "idle_category", "Cause", RA_TABLE_TEXT, NULL },
	[GAP_SUM] = { "idle_us", "Idle", RA_TABLE_REAL, NULL },
	[GAP_SHARE] = { "idle_share", "Share", RA_TABLE_REAL, NULL },
	[GAP_COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[GAP_MEAN] = { "mean_us", "Mean", RA_TABLE_REAL, NULL },
	[GAP_DEVIATION] = { "std_us", "Std", RA_TABLE_REAL, NULL },
	[GAP_MIN] = { "min_us", "Min", RA_TABLE_REAL, NULL },
	[GAP_P25] = { "p25_us", "25 %", RA_TABLE_REAL, NULL },
	[GAP_P50] = { "p50_us", "50 %", RA_TABLE_REAL, NULL },
	[GAP_P75] = { "p75_us", "75 %", RA_TABLE_REAL, NULL },
	[GAP_MAX] = { "max_us", "Max", RA_TABLE_REAL, NULL },
};

static void add_gaps(const struct ra_hta_rank *rank, const struct ra_hta_stream *stream,
                     struct ra_table *table)
{
	for (int c = 0; c < RA_HTA_IDLES; c++) {
		const struct ra_describe *gaps = &stream->idle[c];
		struct ra_table_cell *cells;

		if (!stream->has[c]) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[GAP_RANK] = ra_table_make_number(rank->rank);
		cells[GAP_STREAM] = ra_table_make_number(stream->stream);
		cells[GAP_CAUSE] = ra_table_make_word(ra_hta_streams_idle_names[c]);
		put_rounded(&cells[GAP_SUM], gaps->sum);
		put_rounded(&cells[GAP_SHARE], gaps->sum / stream->idle_us);
		cells[GAP_COUNT] = ra_table_make_count(gaps->count);
		put_stats(&cells[GAP_MEAN], gaps, put_rounded);
	}
}

static void fill_gaps(struct ra_report_input *input, struct ra_table *table)
{
	for_idle_streams(input, table, add_gaps);
}

const struct ra_report ra_report_hta_gaps = {
	.name = "idle-gaps",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Gaps of streams",
	.summary = "how long the gaps of each stream were, by cause",
	.none = "no GPU work of a trace in JSON",
	.columns = gap_columns,
	.column_count = GAP_COLUMNS,
	.fill = fill_gaps,
};

/* The columns of `queue` and `bandwidth` differ only in the second one. */
enum stat_column {
	STAT_RANK,
	STAT_KEY,
	STAT_COUNT,
	STAT_MEAN,
	STAT_DEVIATION,
	STAT_MIN,
	STAT_P25,
	STAT_P50,
	STAT_P75,
	STAT_MAX,
	STAT_COLUMNS,
};

/* clang-format off */
#define STAT_COLUMNS_BEHIND_KEY \
	[STAT_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL }, \
	[STAT_COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL }, \
	[STAT_MEAN] = { "mean", "Mean", RA_TABLE_REAL, NULL }, \
	[STAT_DEVIATION] = { "std", "Std", RA_TABLE_REAL, NULL }, \
	[STAT_MIN] = { "min", "Min", RA_TABLE_REAL, NULL }, \
	[STAT_P25] = { "p25", "25 %", RA_TABLE_REAL, NULL }, \
	[STAT_P50] = { "p50", "50 %", RA_TABLE_REAL, NULL }, \
	[STAT_P75] = { "p75", "75 %", RA_TABLE_REAL, NULL }, \
	[STAT_MAX] = { "max", "Max", RA_TABLE_REAL, NULL }
/* clang-format on */

static const struct ra_table_column queue_columns[STAT_COLUMNS] = {
	STAT_COLUMNS_BEHIND_KEY,
	[STAT_KEY] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
};

static const struct ra_table_column bandwidth_columns[STAT_COLUMNS] = {
	STAT_COLUMNS_BEHIND_KEY,
	[STAT_KEY] = { "name", "Name", RA_TABLE_TEXT, NULL },
};

static void add_stats(const struct ra_hta_rank *rank, const struct ra_describe *stats,
                      struct ra_table_cell key, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[STAT_RANK] = ra_table_make_number(rank->rank);
	cells[STAT_KEY] = key;
	cells[STAT_COUNT] = ra_table_make_count(stats->count);
	put_stats(&cells[STAT_MEAN], stats, ra_table_put_real);
}

static void fill_queue(struct ra_report_input *input, struct ra_table *table)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		const struct ra_hta_rank *rank = &input->hta->ranks[i];
		struct ra_hta_streams streams;

		ra_hta_streams_queue(&streams, rank);
		for (size_t s = 0; s < streams.count; s++) {
			add_stats(rank, &streams.rows[s].queue,
			          ra_table_make_number(streams.rows[s].stream), table);
		}
		ra_hta_streams_fini(&streams);
	}
}

const struct ra_report ra_report_hta_queue = {
	.name = "queue",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Queue length of streams",
	.summary = "work launched and not yet begun, at each change",
	.none = "no GPU work of a trace in JSON",
	.columns = queue_columns,
	.column_count = STAT_COLUMNS,
	.fill = fill_queue,
};

static void fill_bandwidth(struct ra_report_input *input, struct ra_table *table)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		const struct ra_hta_rank *rank = &input->hta->ranks[i];
		struct ra_hta_bandwidths copies;

		ra_hta_streams_bandwidth(&copies, rank);
		for (size_t c = 0; c < copies.count; c++) {
			/* HTA leaves out kinds that never had a value. */
			if (copies.rows[c].gb_s.count > 0) {
				add_stats(rank, &copies.rows[c].gb_s,
				          ra_table_make_text(copies.rows[c].name), table);
			}
		}
		free(copies.rows);
	}
}

const struct ra_report ra_report_hta_bandwidth = {
	.name = "bandwidth",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Bandwidth of copies (GB/s)",
	.summary = "bandwidth of copies and memsets (GB/s) by kind, at each change",
	.none = "no GPU work of a trace in JSON",
	.columns = bandwidth_columns,
	.column_count = STAT_COLUMNS,
	.fill = fill_bandwidth,
};

enum launch_column {
	LAUNCH_RANK,
	LAUNCH_CORRELATION,
	LAUNCH_NAME,
	LAUNCH_CPU,
	LAUNCH_GPU,
	LAUNCH_DELAY,
	LAUNCH_COLUMNS,
};

static const struct ra_table_column launch_columns[LAUNCH_COLUMNS] = {
	[LAUNCH_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[LAUNCH_CORRELATION] = { "correlation", "Corr. ID", RA_TABLE_COUNT, NULL },
	[LAUNCH_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[LAUNCH_CPU] = { "cpu_duration_us", "CPU", RA_TABLE_REAL, NULL },
	[LAUNCH_GPU] = { "gpu_duration_us", "GPU", RA_TABLE_REAL, NULL },
	[LAUNCH_DELAY] = { "launch_delay_us", "Delay", RA_TABLE_REAL, NULL },
};

typedef void add_rank(const struct ra_settings *settings, const struct ra_hta_rank *rank,
                      const struct ra_hta_launches *launches, struct ra_table *table);

static void for_launches(struct ra_report_input *input, struct ra_table *table, add_rank *add)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		const struct ra_hta_launches *launches =
			ra_hta_shared_launches(&input->hta->ranks[i], input->settings->memory != 0);

		add(input->settings, &input->hta->ranks[i], launches, table);
	}
}

static void add_launches(const struct ra_settings *settings, const struct ra_hta_rank *rank,
                         const struct ra_hta_launches *launches, struct ra_table *table)
{
	(void) settings;
	for (size_t i = 0; i < launches->count; i++) {
		const struct ra_hta_launch *row = &launches->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[LAUNCH_RANK] = ra_table_make_number(rank->rank);
		cells[LAUNCH_CORRELATION] = ra_table_make_number(row->call->corr);
		cells[LAUNCH_NAME] = ra_table_make_text(ra_hta_name(rank, row->op->event));
		ra_table_put_real(&cells[LAUNCH_CPU], row->call->dur_us);
		ra_table_put_real(&cells[LAUNCH_GPU], row->op->dur_us);
		ra_table_put_real(&cells[LAUNCH_DELAY], ra_hta_kernels_delay(row));
	}
}

static void fill_launches(struct ra_report_input *input, struct ra_table *table)
{
	for_launches(input, table, add_launches);
}

const struct ra_report ra_report_hta_launch = {
	.name = "launch",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Launches",
	.summary = "each launch: how long the call, the GPU's work, the delay between them",
	.none = "no GPU work of a trace in JSON",
	.columns = launch_columns,
	.column_count = LAUNCH_COLUMNS,
	.fill = fill_launches,
};

enum outlier_column {
	OUTLIER_RANK,
	OUTLIER_COUNT,
	OUTLIER_CPU,
	OUTLIER_GPU,
	OUTLIER_DELAY,
	OUTLIER_DELAY_MAX,
	OUTLIER_SHORT,
	OUTLIER_CALLS,
	OUTLIER_DELAYS,
	OUTLIER_COLUMNS,
};

static const struct ra_table_column outlier_columns[OUTLIER_COLUMNS] = {
	[OUTLIER_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[OUTLIER_COUNT] = { "count", "Launches", RA_TABLE_COUNT, NULL },
	[OUTLIER_CPU] = { "cpu_sum_us", "CPU", RA_TABLE_REAL, NULL },
	[OUTLIER_GPU] = { "gpu_sum_us", "GPU", RA_TABLE_REAL, NULL },
	[OUTLIER_DELAY] = { "delay_sum_us", "Delay", RA_TABLE_REAL, NULL },
	[OUTLIER_DELAY_MAX] = { "delay_max_us", "Max delay", RA_TABLE_REAL, NULL },
	[OUTLIER_SHORT] = { "short_kernels", "Short kernels", RA_TABLE_COUNT, NULL },
	[OUTLIER_CALLS] = { "runtime_outliers", "Long calls", RA_TABLE_COUNT, NULL },
	[OUTLIER_DELAYS] = { "launch_delay_outliers", "Long delays", RA_TABLE_COUNT, NULL },
};

static void add_outliers(const struct ra_settings *settings, const struct ra_hta_rank *rank,
                         const struct ra_hta_launches *launches, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	uint64_t counts[3] = { 0 };
	double sums[3] = { 0 };
	double max_us = NAN;

	for (size_t i = 0; i < launches->count; i++) {
		const struct ra_hta_launch *row = &launches->rows[i];
		const double delay_us = ra_hta_kernels_delay(row);

		sums[0] += row->call->dur_us;
		sums[1] += row->op->dur_us;
		sums[2] += delay_us;
		max_us = fmax(max_us, delay_us);
		counts[0] += row->call->dur_us <= settings->short_cutoff_us &&
		             row->op->dur_us < row->call->dur_us;
		counts[1] += row->call->dur_us > settings->short_cutoff_us;
		counts[2] += delay_us > settings->delay_cutoff_us;
	}
	cells[OUTLIER_RANK] = ra_table_make_number(rank->rank);
	cells[OUTLIER_COUNT] = ra_table_make_count(launches->count);
	for (int c = 0; c < 3; c++) {
		cells[OUTLIER_CPU + c] = ra_table_make_real(sums[c]);
		cells[OUTLIER_SHORT + c] = ra_table_make_count(counts[c]);
	}
	ra_table_put_real(&cells[OUTLIER_DELAY_MAX], max_us);
}

static void fill_outliers(struct ra_report_input *input, struct ra_table *table)
{
	for_launches(input, table, add_outliers);
}

const struct ra_report ra_report_hta_outliers = {
	.name = "launch-outliers",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Launches of each rank",
	.summary = "launches of each rank: sums, short kernels, long calls and delays",
	.none = "no GPU work of a trace in JSON",
	.columns = outlier_columns,
	.column_count = OUTLIER_COLUMNS,
	.fill = fill_outliers,
};

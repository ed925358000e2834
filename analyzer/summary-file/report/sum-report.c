/* SPDX-License-Identifier: MIT */
/* The reports "ranges", "kernels", "memcpy" and "api" on summaries. */
#include "analyzer/summary-file/report/sum-report.h"

#include "analyzer/base/util.h"
#include "analyzer/names/group.h"

enum column {
	NAME,
	DOMAIN,
	KIND,
	RANK,
	SELF_SHARE,
	SELF,
	TOTAL_SHARE,
	TOTAL,
	AVERAGE,
	GPU_SELF_SHARE,
	GPU_SELF,
	GPU_TOTAL,
	PROJECTED,
	CALLS,
	MINIMUM,
	MEDIAN,
	P90,
	P99,
	MAXIMUM,
	BYTES,
	ERRORS,
	PARTS,
	PART_MINIMUM,
	PART_MEAN,
	PART_MEDIAN,
	PART_P90,
	PART_P99,
	PART_MAXIMUM,
	IMBALANCE,
	PART_WHICH,
	SINCE_CALL,
	SINCE_STEP,
	SINCE_RATIO,
	COLUMNS,
};

/* The columns of all four reports; each report hides those that it lacks. For ranges, columns have
 * the same names as in `analyzer stats`. */
#define COLUMNS_OF(total, total_title, mean, mean_title)                                       \
	{                                                                                      \
		[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },                              \
		[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },                 \
		[KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },                        \
		[RANK] = { "rank", "Rank", RA_TABLE_TEXT, NULL },                              \
		[SELF_SHARE] = { "self_cpu_share", "Self CPU %", RA_TABLE_SHARE, NULL },       \
		[SELF] = { "self_cpu_ns", "Self CPU", RA_TABLE_TIME, NULL },                   \
		[TOTAL_SHARE] = { total "_share", total_title " %", RA_TABLE_SHARE, NULL },    \
		[TOTAL] = { total "_ns", total_title, RA_TABLE_TIME, NULL },                   \
		[AVERAGE] = { mean "_ns", mean_title, RA_TABLE_TIME, NULL },                   \
		[GPU_SELF_SHARE] = { "self_cuda_share", "Self CUDA %", RA_TABLE_SHARE, NULL }, \
		[GPU_SELF] = { "self_cuda_ns", "Self CUDA", RA_TABLE_TIME, NULL },             \
		[GPU_TOTAL] = { "cuda_total_ns", "CUDA total", RA_TABLE_TIME, NULL },          \
		[PROJECTED] = { "projected_total_ns", "Projected", RA_TABLE_TIME, NULL },      \
		[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },                     \
		[MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },                          \
		[MEDIAN] = { "p50_ns", "p50", RA_TABLE_TIME, NULL },                           \
		[P90] = { "p90_ns", "p90", RA_TABLE_TIME, NULL },                              \
		[P99] = { "p99_ns", "p99", RA_TABLE_TIME, NULL },                              \
		[MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },                          \
		[BYTES] = { "bytes", "Bytes", RA_TABLE_COUNT, NULL },                          \
		[ERRORS] = { "errors", "Errors", RA_TABLE_COUNT, "0" },                        \
		[PARTS] = { "ranks", "Ranks", RA_TABLE_COUNT, NULL },                          \
		[PART_MINIMUM] = { "rank_min_ns", "Min of ranks", RA_TABLE_TIME, NULL },       \
		[PART_MEAN] = { "rank_mean_ns", "Mean of ranks", RA_TABLE_TIME, NULL },        \
		[PART_MEDIAN] = { "rank_p50_ns", "p50 of ranks", RA_TABLE_TIME, NULL },        \
		[PART_P90] = { "rank_p90_ns", "p90 of ranks", RA_TABLE_TIME, NULL },           \
		[PART_P99] = { "rank_p99_ns", "p99 of ranks", RA_TABLE_TIME, NULL },           \
		[PART_MAXIMUM] = { "rank_max_ns", "Max of ranks", RA_TABLE_TIME, NULL },       \
		[IMBALANCE] = { "imbalance", "Max/mean", RA_TABLE_RATIO, NULL },               \
		[PART_WHICH] = { "slowest", "Slowest", RA_TABLE_TEXT, NULL },                  \
		[SINCE_CALL] = { "since_call", "Since call", RA_TABLE_COUNT, "" },             \
		[SINCE_STEP] = { "since_step", "Since step", RA_TABLE_TEXT, "" },              \
		[SINCE_RATIO] = { "since_ratio", "Then/before", RA_TABLE_RATIO, "" },          \
	}

static const struct ra_table_column range_columns[COLUMNS] =
	COLUMNS_OF("cpu_total", "CPU total", "cpu_time_avg", "CPU time avg");
static const struct ra_table_column columns[COLUMNS] = COLUMNS_OF("total", "Total", "mean", "Mean");

static int64_t divide(int64_t whole, uint64_t count)
{
	return count == 0 ? 0 : (int64_t) (((uint64_t) whole + count / 2) / count);
}

/* The mean of the single durations. For a range that nests in itself, total_ns is less than their
 * sum, so it can't be used. */
static int64_t find_mean(const struct ra_sum_stat *stat)
{
	return stat->count == 0
	               ? 0
	               : (int64_t) (stat->sum_ns / stat->count +
	                            (stat->sum_ns % stat->count + stat->count / 2) / stat->count);
}

static void put_source(const struct ra_sum_set *set, uint32_t part, struct ra_table *table,
                       struct ra_table_cell *cell)
{
	struct ra_util_text text = { 0 };

	ra_sum_set_put_source(&text, &set->sources[part]);
	*cell = ra_table_make_text(ra_table_take_text(table, &text));
}

static const char *name_kind(const struct ra_sum_row *row)
{
	return row->kind == RA_TRACK_START_END ? "start/end"
	       : row->kind == RA_GROUP_WAIT    ? "wait"
	                                       : "push/pop";
}

/* The wholes of which shares are parts: for ranges the sum of self times, for all else the sum of
 * durations. */
struct wholes {
	int64_t total_ns;
	int64_t gpu_ns;
};

static void put_range(const struct ra_sum_set *set, const struct ra_sum_total *total,
                      const struct wholes *wholes, struct ra_table_cell *cells)
{
	const struct ra_sum_row *row = &total->row;

	cells[DOMAIN] = ra_table_make_text(set->texts.rows[row->domain]);
	cells[KIND] = ra_table_make_word(name_kind(row));
	if (row->kind != RA_TRACK_START_END) {
		cells[SELF_SHARE] = ra_table_make_share(row->self_ns, wholes->total_ns);
	}
	cells[SELF] = ra_table_make_number(row->self_ns);
	cells[GPU_SELF_SHARE] = ra_table_make_share(row->gpu_self_ns, wholes->gpu_ns);
	cells[GPU_SELF] = ra_table_make_number(row->gpu_self_ns);
	cells[GPU_TOTAL] = ra_table_make_number(row->gpu_total_ns);
	if (total->has_projected) {
		cells[PROJECTED] = ra_table_make_number(total->projected.total_ns);
	}
}

/* Fills how the ranks' totals differ. A rank without the row counts as 0, as in the mean over
 * ranks. */
static void put_spread(const struct ra_sum_set *set, const struct ra_sum_total *total,
                       struct ra_table_cell *cells)
{
	static const struct {
		enum column column;
		unsigned permille;
	} figures[] = {
		{ PART_MINIMUM, 0 },
		{ PART_MEDIAN, 500 },
		{ PART_P90, 900 },
		{ PART_P99, 990 },
	};

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		cells[figures[i].column] = ra_table_make_number(ra_sum_spread_quantile(
			&total->spread, set->source_count, figures[i].permille));
	}
}

static void put_parts(const struct ra_sum_set *set, const struct ra_sum_total *total,
                      struct ra_table *table, struct ra_table_cell *cells)
{
	if (set->by_part) {
		put_source(set, total->part, table, &cells[RANK]);
		return;
	}
	cells[PARTS] = ra_table_make_count(total->parts);
	cells[PART_MEAN] = ra_table_make_number(divide(total->row.total_ns, set->source_count));
	put_spread(set, total, cells);
	cells[PART_MAXIMUM] = ra_table_make_number(total->part_max_ns);
	if (total->row.total_ns > 0) {
		/* the maximum / (total / sources); the mean is not rounded before */
		cells[IMBALANCE] = ra_table_make_share(
			total->part_max_ns < INT64_MAX / (int64_t) set->source_count
				? total->part_max_ns * (int64_t) set->source_count
				: INT64_MAX,
			total->row.total_ns);
	}
	put_source(set, total->part_max, table, &cells[PART_WHICH]);
}

/* Fills when calls began to take longer, on the slowest rank or on the row's rank. */
static void put_change(const struct ra_sum_set *set, const struct ra_sum_change *change,
                       struct ra_table_cell *cells)
{
	if (change->calls == 0) {
		return;
	}
	cells[SINCE_CALL] = ra_table_make_count(change->calls);
	if (change->before_ns > 0) {
		cells[SINCE_RATIO] = ra_table_make_share(change->after_ns, change->before_ns);
	}
	if (set->texts.rows[change->step].length > 0) {
		cells[SINCE_STEP] = ra_table_make_text(set->texts.rows[change->step]);
	}
}

static void add_row(const struct ra_sum_set *set, const struct ra_sum_total *total,
                    const struct wholes *wholes, struct ra_table *table)
{
	const struct ra_sum_row *row = &total->row;
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[NAME] = ra_table_make_text(set->texts.rows[row->name]);
	if (row->table == RA_SUM_RANGES) {
		put_range(set, total, wholes, cells);
	}
	if (row->table != RA_SUM_RANGES || row->kind != RA_TRACK_START_END) {
		cells[TOTAL_SHARE] = ra_table_make_share(row->total_ns, wholes->total_ns);
	}
	cells[TOTAL] = ra_table_make_number(row->total_ns);
	cells[AVERAGE] = ra_table_make_number(find_mean(&row->stat));
	cells[CALLS] = ra_table_make_count(row->stat.count);
	cells[MINIMUM] = ra_table_make_number(row->stat.min_ns);
	cells[MEDIAN] = ra_table_make_number(ra_sum_stat_quantile(&row->stat, 500));
	cells[P90] = ra_table_make_number(ra_sum_stat_quantile(&row->stat, 900));
	cells[P99] = ra_table_make_number(ra_sum_stat_quantile(&row->stat, 990));
	cells[MAXIMUM] = ra_table_make_number(row->stat.max_ns);
	cells[BYTES] = ra_table_make_count(row->bytes);
	cells[ERRORS] = ra_table_make_count(row->errors);
	put_change(set, &total->change, cells);
	put_parts(set, total, table, cells);
}

static struct wholes find_wholes(const struct ra_sum_set *set, uint32_t wanted)
{
	struct wholes wholes = { 0, set->outside_ns };

	for (size_t i = 0; i < set->total_count; i++) {
		const struct ra_sum_row *row = &set->totals[i].row;

		if (row->table == wanted) {
			wholes.total_ns = ra_util_add_time(wholes.total_ns,
			                                   wanted == RA_SUM_RANGES ? row->self_ns
			                                                           : row->total_ns);
			wholes.gpu_ns = ra_util_add_time(wholes.gpu_ns, row->gpu_self_ns);
		}
	}
	return wholes;
}

static void hide(struct ra_table *table, size_t first, size_t last)
{
	for (size_t column = first; column <= last; column++) {
		ra_table_hide(table, column);
	}
}

static bool has_projected(const struct ra_sum_set *set)
{
	for (size_t i = 0; i < set->total_count; i++) {
		if (set->totals[i].has_projected && set->totals[i].projected.ranges > 0) {
			return true;
		}
	}
	return false;
}

/* Hides columns for which these inputs have no data. */
static void hide_columns(const struct ra_sum_set *set, bool has_gpu, struct ra_table *table)
{
	if (!has_gpu) {
		hide(table, GPU_SELF_SHARE, GPU_TOTAL);
	}
	if (!has_projected(set)) {
		ra_table_hide(table, PROJECTED);
	}
	if (!set->by_part) {
		ra_table_hide(table, RANK);
	}
	if (set->by_part || set->source_count < 2) {
		hide(table, PARTS, PART_WHICH);
	}
}

/* Adds a row for GPU work in no range, so that the column adds up. */
static void add_outside(const struct ra_sum_set *set, const struct wholes *wholes,
                        struct ra_table *table)
{
	struct ra_table_cell *cells;

	if (set->outside_ops == 0 || set->by_part) {
		return;
	}
	cells = ra_table_add_row(table);
	cells[NAME] = ra_table_make_word("(outside any range)");
	cells[GPU_SELF_SHARE] = ra_table_make_share(set->outside_ns, wholes->gpu_ns);
	cells[GPU_SELF] = ra_table_make_number(set->outside_ns);
	cells[GPU_TOTAL] = ra_table_make_number(set->outside_ns);
}

#define BIT(column) (UINT64_C(1) << (column))

/* The columns that only ranges have. */
#define OF_RANGES                                                                              \
	(BIT(DOMAIN) | BIT(KIND) | BIT(SELF_SHARE) | BIT(SELF) | BIT(GPU_SELF_SHARE) |         \
	 BIT(GPU_SELF) | BIT(GPU_TOTAL) | BIT(PROJECTED) | BIT(SINCE_CALL) | BIT(SINCE_STEP) | \
	 BIT(SINCE_RATIO))

/* The columns that the rows of a table never have. */
#define NEVER_RANGES  (BIT(BYTES) | BIT(ERRORS))
#define NEVER_KERNELS (OF_RANGES | BIT(BYTES) | BIT(ERRORS))
#define NEVER_COPIES  (OF_RANGES | BIT(ERRORS))
#define NEVER_APIS    (OF_RANGES | BIT(BYTES))

static void fill(const struct ra_sum_set *set, uint32_t wanted, uint64_t never,
                 struct ra_table *table)
{
	const struct wholes wholes = find_wholes(set, wanted);

	table->absent |= never;
	hide_columns(set, wanted == RA_SUM_RANGES && wholes.gpu_ns > 0, table);
	for (size_t i = 0; i < set->total_count; i++) {
		if (set->totals[i].row.table == wanted) {
			add_row(set, &set->totals[i], &wholes, table);
		}
	}
	if (wanted == RA_SUM_RANGES) {
		add_outside(set, &wholes, table);
	}
	ra_table_sort(table, TOTAL, true);
}

static void fill_ranges(const struct ra_sum_set *set, struct ra_table *table)
{
	fill(set, RA_SUM_RANGES, NEVER_RANGES, table);
}

static void fill_kernels(const struct ra_sum_set *set, struct ra_table *table)
{
	fill(set, RA_SUM_KERNELS, NEVER_KERNELS, table);
}

static void fill_memcpy(const struct ra_sum_set *set, struct ra_table *table)
{
	fill(set, RA_SUM_COPIES, NEVER_COPIES, table);
}

static void fill_api(const struct ra_sum_set *set, struct ra_table *table)
{
	fill(set, RA_SUM_APIS, NEVER_APIS, table);
}

const struct ra_sum_report ra_sum_report_ranges = {
	.name = "ranges",
	.title = "Ranges",
	.none = "no ranges",
	.columns = range_columns,
	.column_count = COLUMNS,
	.never = NEVER_RANGES,
	.first_of_ranks = PARTS,
	.last_of_ranks = SINCE_RATIO,
	.row_columns = RANK,
	.sort = "cpu_total_share", /* start/end ranges have no such share and come last */
	.fill = fill_ranges,
};

const struct ra_sum_report ra_sum_report_kernels = {
	.name = "kernels",
	.title = "Kernels",
	.none = "no kernels",
	.columns = columns,
	.column_count = COLUMNS,
	.never = NEVER_KERNELS,
	.first_of_ranks = PARTS,
	.last_of_ranks = SINCE_RATIO,
	.row_columns = RANK,
	.fill = fill_kernels,
};

const struct ra_sum_report ra_sum_report_memcpy = {
	.name = "memcpy",
	.title = "Copies and memsets",
	.none = "no copies and memsets",
	.columns = columns,
	.column_count = COLUMNS,
	.never = NEVER_COPIES,
	.first_of_ranks = PARTS,
	.last_of_ranks = SINCE_RATIO,
	.row_columns = RANK,
	.fill = fill_memcpy,
};

const struct ra_sum_report ra_sum_report_api = {
	.name = "api",
	.title = "CUDA calls",
	.none = "no calls of CUDA",
	.columns = columns,
	.column_count = COLUMNS,
	.never = NEVER_APIS,
	.first_of_ranks = PARTS,
	.last_of_ranks = SINCE_RATIO,
	.row_columns = RANK,
	.fill = fill_api,
};

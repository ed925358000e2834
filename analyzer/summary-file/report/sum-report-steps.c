/* SPDX-License-Identifier: MIT */
/* The reports "overview" and "ranks" on summaries: steps over ranks, and one row for each rank. */
#include "analyzer/summary-file/report/sum-report.h"

#include <stdlib.h>

#include "analyzer/base/util.h"
#include "analyzer/summary-file/report/sum-waits.h"

#define OVERVIEW_FIRST   1
#define OVERVIEW_SPREAD  (OVERVIEW_FIRST + RA_ROLES)
#define OVERVIEW_MAX     (OVERVIEW_SPREAD + 4)
#define OVERVIEW_SLOWEST (OVERVIEW_MAX + 1)

static const struct ra_table_column overview_columns[] = {
	{ "step", "Step", RA_TABLE_TEXT, NULL },
	{ "kernel_ns", "Kernel", RA_TABLE_TIME, "0" },
	{ "memcpy_ns", "Memcpy", RA_TABLE_TIME, "0" },
	{ "memset_ns", "Memset", RA_TABLE_TIME, "0" },
	{ "communication_ns", "Communication", RA_TABLE_TIME, NULL },
	{ "runtime_ns", "Runtime", RA_TABLE_TIME, "0" },
	{ "dataloader_ns", "DataLoader", RA_TABLE_TIME, NULL },
	{ "cpu_exec_ns", "CPU Exec", RA_TABLE_TIME, NULL },
	{ "other_ns", "Other", RA_TABLE_TIME, NULL },
	{ "total_ns", "Total", RA_TABLE_TIME, NULL },
	{ "rank_min_ns", "Shortest", RA_TABLE_TIME, NULL },
	{ "rank_p50_ns", "p50", RA_TABLE_TIME, NULL },
	{ "rank_p90_ns", "p90", RA_TABLE_TIME, NULL },
	{ "rank_p99_ns", "p99", RA_TABLE_TIME, NULL },
	{ "rank_max_ns", "Longest", RA_TABLE_TIME, NULL },
	{ "slowest", "Slowest", RA_TABLE_TEXT, NULL },
};

static int64_t divide(int64_t whole, uint64_t count)
{
	return count == 0 ? 0 : (int64_t) (((uint64_t) whole + count / 2) / count);
}

static void put_source(const struct ra_sum_source *source, struct ra_table *table,
                       struct ra_table_cell *cell)
{
	struct ra_util_text text = { 0 };

	ra_sum_set_put_source(&text, source);
	*cell = ra_table_make_text(ra_table_take_text(table, &text));
}

/* Adds a row with means over the ranks that have the step. */
static void add_steps(const struct ra_sum_set *set, struct rlog_string name,
                      const struct ra_sum_steps *steps, struct ra_table *table)
{
	static const unsigned permilles[] = { 0, 500, 900, 990 };
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[0] = ra_table_make_text(name);
	for (size_t role = 0; role < RA_ROLES; role++) {
		cells[OVERVIEW_FIRST + role] =
			ra_table_make_number(divide(steps->role_ns[role], steps->count));
	}
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		cells[OVERVIEW_SPREAD + i] = ra_table_make_number(
			ra_sum_spread_quantile(&steps->spread, 0, permilles[i]));
	}
	cells[OVERVIEW_MAX] = ra_table_make_number(steps->max_ns);
	put_source(&set->sources[steps->part_max], table, &cells[OVERVIEW_SLOWEST]);
}

static void fill_overview(const struct ra_sum_set *set, struct ra_table *table)
{
	for (size_t c = OVERVIEW_SPREAD; c <= OVERVIEW_SLOWEST && set->source_count < 2; c++) {
		ra_table_hide(table, c);
	}
	for (size_t i = 0; i < set->step_count; i++) {
		const struct ra_sum_steps *steps = &set->steps[i];

		add_steps(set, set->texts.rows[steps->name], steps, table);
	}
}

const struct ra_sum_report ra_sum_report_overview = {
	.name = "overview",
	.title = "Overview",
	.none = "no ranges and no GPU work",
	.columns = overview_columns,
	.column_count = sizeof(overview_columns) / sizeof(overview_columns[0]),
	.first_of_ranks = OVERVIEW_SPREAD,
	.last_of_ranks = OVERVIEW_SLOWEST,
	.row_columns = 1,
	.fill = fill_overview,
};

enum rank_column {
	RUN,
	RANK,
	HOST,
	SOURCE,
	LENGTH,
	STEPS,
	STEP_MEAN,
	STEP_RATIO,
	BUSY,
	WAITS,
	OTHERS_WAIT,
	FIRST_WAIT,
	SLOWER,
	COMPUTATION,
	COMMUNICATION,
	EXPOSED,
	EVENTS,
	LOST,
	COLUMNS,
};

static const struct ra_table_column rank_columns[COLUMNS] = {
	[RUN] = { "run", "Run", RA_TABLE_TEXT, "" },
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[HOST] = { "host", "Host", RA_TABLE_TEXT, "" },
	[SOURCE] = { "input", "Input", RA_TABLE_TEXT, NULL },
	[LENGTH] = { "length_ns", "Length", RA_TABLE_TIME, NULL },
	[STEPS] = { "steps", "Steps", RA_TABLE_COUNT, NULL },
	[STEP_MEAN] = { "step_mean_ns", "Step mean", RA_TABLE_TIME, NULL },
	[STEP_RATIO] = { "step_ratio", "of all", RA_TABLE_RATIO, NULL },
	[BUSY] = { "gpu_busy_share", "Busy/GPU span", RA_TABLE_SHARE, NULL },
	[WAITS] = { "wait_ns", "Waits", RA_TABLE_TIME, NULL },
	[OTHERS_WAIT] = { "others_wait_ns", "Others wait", RA_TABLE_TIME, NULL },
	[FIRST_WAIT] = { "first_wait_ns", "First wait", RA_TABLE_TIME, NULL },
	[SLOWER] = { "slower_ns", "Slower by", RA_TABLE_TIME, "0" },
	[COMPUTATION] = { "computation_ns", "Computation", RA_TABLE_TIME, NULL },
	[COMMUNICATION] = { "communication_ns", "Communication", RA_TABLE_TIME, NULL },
	[EXPOSED] = { "exposed_communication_ns", "Exposed comm.", RA_TABLE_TIME, NULL },
	[EVENTS] = { "events", "Events", RA_TABLE_COUNT, NULL },
	[LOST] = { "lost", "Lost", RA_TABLE_COUNT, NULL },
};

static void add_rank(const struct ra_sum_source *source, const struct ra_sum_wait *wait,
                     int64_t mean_ns, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[RUN] = ra_table_make_text(source->run);
	if (source->rank >= 0) {
		cells[RANK] = ra_table_make_number(source->rank);
	}
	cells[HOST] = ra_table_make_text(source->host);
	cells[SOURCE] = ra_table_make_text(source->source);
	cells[LENGTH] = ra_table_make_number(source->length_ns);
	if (source->steps.count > 0) {
		const int64_t own_ns =
			divide(source->steps.role_ns[RA_ROLE_TOTAL], source->steps.count);

		cells[STEPS] = ra_table_make_count(source->is_whole ? 0 : source->steps.count);
		cells[STEP_MEAN] = ra_table_make_number(own_ns);
		cells[STEP_RATIO] = ra_table_make_share(own_ns, mean_ns);
	}
	if (source->device_ns > 0) {
		cells[BUSY] = ra_table_make_share(source->busy_ns, source->device_ns);
		cells[COMPUTATION] = ra_table_make_number(
			ra_rank_gpu_time(source->gpu_exactly_ns, RA_RANK_COMPUTATION));
		cells[COMMUNICATION] = ra_table_make_number(
			ra_rank_gpu_time(source->gpu_exactly_ns, RA_RANK_COMMUNICATION));
		cells[EXPOSED] = ra_table_make_number(ra_rank_gpu_exposed(source->gpu_exactly_ns));
	}
	if (wait->is_known) {
		cells[WAITS] = ra_table_make_number(wait->wait_ns);
		cells[OTHERS_WAIT] = ra_table_make_number(wait->others_ns);
		cells[FIRST_WAIT] = ra_table_make_number(wait->first_ns);
	}
	if (wait->is_known && wait->usual_ns > 0) {
		cells[SLOWER] =
			ra_table_make_number(ra_sum_wait_is_slow(wait) ? wait->slower_ns : 0);
	}
	cells[EVENTS] = ra_table_make_count(source->events);
	cells[LOST] = ra_table_make_count(source->lost);
}

static void fill_ranks(const struct ra_sum_set *set, struct ra_table *table)
{
	int64_t sum_ns = 0;
	uint64_t count = 0;
	bool has_gpu = false;
	bool has_waits = false;
	struct ra_sum_wait *waits = ra_sum_waits_find(set);

	for (size_t i = 0; i < set->source_count; i++) {
		const struct ra_sum_source *source = &set->sources[i];

		sum_ns = ra_util_add_time(sum_ns, source->steps.role_ns[RA_ROLE_TOTAL]);
		count += source->steps.count;
		has_gpu = has_gpu || source->device_ns > 0;
		has_waits = has_waits || waits[i].is_known;
	}
	for (size_t column = BUSY; column <= EXPOSED && !has_gpu; column++) {
		ra_table_hide(table, column);
	}
	for (size_t column = WAITS; column <= SLOWER && !has_waits; column++) {
		ra_table_hide(table, column);
	}
	for (size_t i = 0; i < set->source_count; i++) {
		add_rank(&set->sources[i], &waits[i], divide(sum_ns, count), table);
	}
	free(waits);
}

const struct ra_sum_report ra_sum_report_ranks = {
	.name = "ranks",
	.title = "Ranks",
	.summary = "ranks side by side: steps, GPU, communication",
	.columns = rank_columns,
	.column_count = COLUMNS,
	.fill = fill_ranks,
	.put_finding = ra_sum_waits_put,
};

/* SPDX-License-Identifier: MIT */
/* Makes two tables of the summary from tables of reports: a step's time by role, threads by
 * name. */
#include "analyzer/commands/analyze/summary-parts.h"

#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/base/util-map.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/reports/reports.h"

#define SMALL_PARTS 100 /* a thread with less than this part of the events has few events */

/* ---- steps ---- */

enum part_column {
	PART_NAME,
	PART_MEAN,
	PART_SHARE,
	PART_BAR,
	PART_COLUMNS,
};

static const struct ra_table_column part_columns[PART_COLUMNS] = {
	[PART_NAME] = { "part", "Part", RA_TABLE_TEXT, NULL },
	[PART_MEAN] = { "mean_ns", "In a step", RA_TABLE_TIME, NULL },
	[PART_SHARE] = { "share", "Share", RA_TABLE_SHARE, NULL },
	[PART_BAR] = { "bar", "", RA_TABLE_TEXT, "" },
};

/* Makes a bar: a number of blocks in proportion to the part of the whole, rounded. */
static struct ra_table_cell make_bar(struct ra_table *table, const struct ra_table_cell *share)
{
	static const char block[] = "█";
	const size_t size = sizeof(block) - 1;
	const double part = (double) share->u.share.part / (double) share->u.share.whole;
	const size_t count = (size_t) (part * RA_SUMMARY_PARTS_BAR + 0.5);
	char bar[RA_SUMMARY_PARTS_BAR * sizeof(block)];

	for (size_t i = 0; i < count && i < RA_SUMMARY_PARTS_BAR; i++) {
		memcpy(bar + i * size, block, size);
	}
	return ra_table_make_text(ra_table_keep_text(table, bar, count * size));
}

/* Makes a row from each column of the single row of `average`. Its last column is the total. */
static void put_parts(const struct ra_table *average, bool has_bars, struct ra_table *table)
{
	const size_t total = average->column_count - 1;

	for (size_t c = 1; c < total; c++) {
		const int64_t mean_ns = average->cells[c].u.number;
		struct ra_table_cell *cells;

		if (mean_ns == 0) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[PART_NAME] = ra_table_make_word(average->columns[c].title);
		cells[PART_MEAN] = ra_table_make_number(mean_ns);
		cells[PART_SHARE] = ra_table_make_share(mean_ns, average->cells[total].u.number);
		if (has_bars) {
			cells[PART_BAR] = make_bar(table, &cells[PART_SHARE]);
		}
	}
	ra_table_sort(table, PART_MEAN, true);
}

/* Writes the longest step. "advice" names the same step. */
static void put_slowest(struct ra_util_text *text, const struct ra_steps *steps)
{
	const size_t slowest = ra_steps_longest(steps);
	const struct ra_table_cell number = ra_report_steps_number(&steps->times.steps[slowest]);

	if (steps->times.step_count > 1 && number.has_value) {
		ra_util_text_format(text, "; the slowest, %lld, took ",
		                    (long long) number.u.number);
		ra_util_text_put_time(text, ra_steps_length(steps, slowest));
	}
	if (ra_report_steps_is_first_longest(steps) && slowest == 0) {
		const struct ra_step *first = &steps->times.steps[0];

		ra_util_text_format(text, " by its range (");
		ra_util_text_put_time(text, (int64_t) (first->end - first->start));
		ra_util_text_format(text, " to the end of its GPU work)");
	} else if (ra_report_steps_is_first_longest(steps)) {
		const struct ra_step *first = &steps->times.steps[0];

		ra_util_text_format(text, "; the first, of ");
		ra_util_text_put_time(text, (int64_t) (first->end - first->start));
		ra_util_text_format(text, ", is compared by its range of ");
		ra_util_text_put_time(text, ra_steps_length(steps, 0));
	}
}

void ra_summary_parts_steps(struct ra_report_input *input, bool has_bars, struct ra_util_text *text,
                            struct ra_table *table)
{
	const struct ra_query all = { .limit = 0 };
	struct ra_table average;

	ra_report_make(&ra_report_step_average, input, &all, &average);
	const struct ra_report_steps *steps = ra_report_steps_find(input);

	ra_table_init(table, part_columns, PART_COLUMNS);
	table->weight = 1 + PART_MEAN;
	if (average.row_count == 1 && !ra_report_steps_is_whole(input)) {
		ra_util_text_format(text, "%lld, ", (long long) average.cells[0].u.number);
		ra_util_text_put_time(text, average.cells[average.column_count - 1].u.number);
		ra_util_text_format(
			text, " on average%s",
			input->model->gpu.op_count > 0 ? ", each to the end of its GPU work" : "");
		put_slowest(text, &steps->steps);
		if (steps->steps.guess != NULL) {
			ra_util_text_format(text, "; ranges %s are taken as steps (--step-range)",
			                    steps->steps.guess);
		}
		put_parts(&average, has_bars, table);
	}
	ra_table_fini(&average);
}

/* ---- threads ---- */

enum thread_column {
	THREAD_NAME,
	THREAD_TID,
	THREAD_COUNT,
	THREAD_EVENTS,
	THREAD_RANGES,
	THREAD_MARKS,
	THREAD_LOST,
	THREAD_FIRST,
	THREAD_LAST,
	THREAD_COVERED,
	THREAD_COLUMNS,
};

static const struct ra_table_column thread_columns[THREAD_COLUMNS] = {
	[THREAD_NAME] = { "thread", "Thread", RA_TABLE_TEXT, "" },
	[THREAD_TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[THREAD_COUNT] = { "threads", "Threads", RA_TABLE_COUNT, "1" },
	[THREAD_EVENTS] = { "events", "Events", RA_TABLE_COUNT, NULL },
	[THREAD_RANGES] = { "ranges", "Ranges", RA_TABLE_COUNT, NULL },
	[THREAD_MARKS] = { "marks", "Marks", RA_TABLE_COUNT, "0" },
	[THREAD_LOST] = { "lost", "Lost", RA_TABLE_COUNT, "0" },
	[THREAD_FIRST] = { "first_ns", "First event", RA_TABLE_TIME, NULL },
	[THREAD_LAST] = { "last_ns", "Last event", RA_TABLE_TIME, NULL },
	[THREAD_COVERED] = { "covered_ns", "In ranges", RA_TABLE_TIME, NULL },
};

static void add_number(struct ra_table_cell *sum, const struct ra_table_cell *cell)
{
	if (cell->has_value) {
		sum->u.number = sum->has_value ? ra_util_add_time(sum->u.number, cell->u.number)
		                               : cell->u.number;
		sum->has_value = true;
	}
}

/* Adds a thread to the row of its name. @of_report: for each column of the row, the index of the
 * report's column. */
static void add_thread(struct ra_table_cell *row, const struct ra_table_cell *thread,
                       const size_t of_report[THREAD_COLUMNS])
{
	const struct ra_table_cell *first = &thread[of_report[THREAD_FIRST]];
	const struct ra_table_cell *last = &thread[of_report[THREAD_LAST]];

	row[THREAD_TID] = thread[of_report[THREAD_TID]];
	row[THREAD_TID].has_value = row[THREAD_COUNT].u.number == 0;
	row[THREAD_COUNT] = ra_table_make_number(row[THREAD_COUNT].u.number + 1);
	for (size_t c = THREAD_EVENTS; c < THREAD_COLUMNS; c++) {
		if (c != THREAD_FIRST && c != THREAD_LAST) {
			add_number(&row[c], &thread[of_report[c]]);
		}
	}
	if (first->has_value &&
	    (!row[THREAD_FIRST].has_value || first->u.number < row[THREAD_FIRST].u.number)) {
		row[THREAD_FIRST] = *first;
	}
	if (last->has_value &&
	    (!row[THREAD_LAST].has_value || last->u.number > row[THREAD_LAST].u.number)) {
		row[THREAD_LAST] = *last;
	}
}

/* Makes a row for each name. Equal names have equal addresses, because they are strings of the
 * model. */
static void merge_threads(const struct ra_table *threads, struct ra_table *table)
{
	struct ra_util_map rows = { 0 };
	size_t of_report[THREAD_COLUMNS];

	for (size_t c = 0; c < THREAD_COLUMNS; c++) {
		of_report[c] = ra_table_find_column(threads->columns, threads->column_count,
		                                    thread_columns[c].key);
	}
	for (size_t r = 0; r < threads->row_count; r++) {
		const struct ra_table_cell *thread = &threads->cells[r * threads->column_count];
		const struct ra_table_cell *name = &thread[of_report[THREAD_NAME]];
		const uint64_t key = (uint64_t) (uintptr_t) name->u.text.bytes;
		uint32_t row = name->has_value ? ra_util_map_find(&rows, key) : RA_UTIL_MAP_NONE;

		if (row == RA_UTIL_MAP_NONE) {
			struct ra_table_cell *cells = ra_table_add_row(table);

			row = (uint32_t) table->row_count - 1;
			if (name->has_value) {
				ra_util_map_put(&rows, key, row);
			}
			cells[THREAD_NAME] = *name;
		}
		add_thread(&table->cells[row * table->column_count], thread, of_report);
	}
	ra_util_map_free(&rows);
}

void ra_summary_parts_threads(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_query all = { .limit = 0 };
	struct ra_table threads;

	ra_report_make(&ra_report_threads, input, &all, &threads);
	ra_table_init(table, thread_columns, THREAD_COLUMNS);
	merge_threads(&threads, table);
	ra_table_fini(&threads);
}

void ra_summary_parts_rank_threads(struct ra_table *threads)
{
	uint64_t events = 0;
	size_t kept = 0;

	for (size_t row = 0; row < threads->row_count; row++) {
		events += (uint64_t) threads->cells[row * THREAD_COLUMNS + THREAD_EVENTS].u.number;
	}
	ra_table_sort(threads, THREAD_EVENTS, true);
	ra_table_sort(threads, THREAD_LOST, true); /* equal threads keep their order */
	for (; kept < threads->row_count; kept++) {
		const struct ra_table_cell *cells = &threads->cells[kept * THREAD_COLUMNS];

		if (kept > 0 && cells[THREAD_LOST].u.number == 0 &&
		    (uint64_t) cells[THREAD_EVENTS].u.number < events / SMALL_PARTS) {
			break;
		}
	}
	ra_table_cut(threads, kept);
}

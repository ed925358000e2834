/* SPDX-License-Identifier: MIT */
/* The report "idle-gaps": how long each stream's gaps were, by cause. */
#include "analyzer/reports/reports.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/figures/gpu/gpu-gaps.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/base/util.h"

enum column {
	RANK,
	DEVICE,
	CONTEXT,
	STREAM,
	NAME,
	CAUSE,
	TOTAL,
	SHARE,
	COUNT,
	MEAN,
	COLUMNS = MEAN + RA_DESCRIBE_FIGURES,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, "0" },
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[CONTEXT] = { "context", "Context", RA_TABLE_COUNT, NULL },
	[STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, "" },
	[CAUSE] = { "cause", "Cause", RA_TABLE_TEXT, NULL },
	[TOTAL] = { "idle_ns", "Idle", RA_TABLE_TIME, NULL },
	[SHARE] = { "idle_share", "Share", RA_TABLE_SHARE, NULL },
	[COUNT] = { "count", "# of Gaps", RA_TABLE_COUNT, NULL },
	[MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[MEAN + 1] = { "std_ns", "Std", RA_TABLE_TIME, NULL },
	[MEAN + 2] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[MEAN + 3] = { "p25_ns", "25 %", RA_TABLE_TIME, NULL },
	[MEAN + 4] = { "p50_ns", "50 %", RA_TABLE_TIME, NULL },
	[MEAN + 5] = { "p75_ns", "75 %", RA_TABLE_TIME, NULL },
	[MEAN + 6] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
};

/* The causes of gaps between operations. The time before the first operation and after the last is
 * no gap. */
#define CAUSES (RA_GPU_GAPS_OTHER + 1)

/* The gaps of one stream that have one cause. */
struct gaps {
	double *values; /* owned: durations in ns */
	size_t count;
	size_t capacity;
	int64_t sum_ns;
};

/* The stream and the cause of some gaps. */
struct place {
	const struct ra_model *model;
	const struct ra_gpu_queue *queue;
	int64_t rank;
	int64_t idle_ns; /* sum over all causes */
};

static void add_gap(struct gaps *gaps, int64_t dur_ns)
{
	RA_UTIL_APPEND(gaps->values, gaps->count, gaps->capacity, (double) dur_ns);
	gaps->sum_ns = ra_util_add_time(gaps->sum_ns, dur_ns);
}

static void put_gaps(const struct place *place, struct gaps *gaps, enum ra_gpu_gaps_cause cause,
                     struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	struct ra_describe stats;
	double figures[RA_DESCRIBE_FIGURES];

	cells[RANK] = ra_table_make_number(place->rank);
	cells[DEVICE] = ra_table_make_id(place->queue->device);
	cells[CONTEXT] = ra_table_make_count(place->queue->context);
	cells[STREAM] = ra_table_make_id(place->queue->stream);
	if (place->queue->name != 0) {
		cells[NAME] = ra_table_make_text(ra_model_string(place->model, place->queue->name));
	}
	cells[CAUSE] = ra_table_make_word(ra_gpu_gaps_name(cause));
	cells[TOTAL] = ra_table_make_number(gaps->sum_ns);
	cells[SHARE] = ra_table_make_share(gaps->sum_ns, place->idle_ns);
	cells[COUNT] = ra_table_make_count(gaps->count);
	ra_describe_values(&stats, gaps->values, gaps->count);
	ra_describe_list(&stats, figures);
	for (size_t i = 0; i < RA_DESCRIBE_FIGURES; i++) {
		if (fabs(figures[i]) < 9e18) { /* false for NaN */
			cells[MEAN + i] = ra_table_make_number(llround(figures[i]));
		}
	}
}

static void put_queue(const struct ra_report_input *input, const struct ra_gpu_order *order,
                      size_t queue, struct place *place, struct ra_table *table)
{
	struct gaps gaps[CAUSES] = { { 0 } };
	struct ra_gpu_gaps walk;
	struct ra_gpu_gap gap;

	place->queue = &place->model->gpu.queues[queue];
	place->idle_ns = 0;
	ra_gpu_gaps_begin_queue(&walk, &place->model->gpu, order, queue);
	walk.short_ns = (int64_t) (input->settings->idle_delay_us * 1000);
	while (ra_gpu_gaps_next(&walk, &gap)) {
		if (gap.cause < CAUSES) {
			add_gap(&gaps[gap.cause], gap.dur_ns);
			place->idle_ns = ra_util_add_time(place->idle_ns, gap.dur_ns);
		}
	}
	for (int c = 0; c < CAUSES; c++) {
		if (gaps[c].count > 0) {
			put_gaps(place, &gaps[c], (enum ra_gpu_gaps_cause) c, table);
		}
		free(gaps[c].values);
	}
}

static void fill_idle_gaps(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		struct place place = { .model = ra_report_file_model(input, i),
			               .rank = ra_report_file_rank(input, i) };
		struct ra_gpu_order order;

		ra_gpu_order_init(&order, place.model);
		for (size_t q = 0; q < place.model->gpu.queue_count; q++) {
			put_queue(input, &order, q, &place, table);
		}
		ra_gpu_order_fini(&order);
	}
}

const struct ra_report ra_report_idle_gaps = {
	.name = "idle-gaps",
	.reads_several = true,
	.scope = RA_REPORT_OF_TIME,
	.title = "Gaps of streams",
	.summary = "how long the gaps of each stream were, by cause",
	.more_of = "gaps",
	.none = "no gaps between the operations of a stream",
	.is_gpu = true,
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_idle_gaps,
};

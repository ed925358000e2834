/* SPDX-License-Identifier: MIT */
/* The reports "gpu-sync" and "overhead": waits for the GPU, and the overhead of CUDA and CUPTI. */
#include "analyzer/reports/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/report/op-names.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* A sum of durations with one key. */
struct sum {
	uint64_t key;
	uint64_t calls;
	int64_t total_ns;
	int64_t min_ns;
	int64_t max_ns;
	struct rlog_string range; /* bytes NULL: none */
};

struct sums {
	struct sum *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index;
	int64_t whole_ns;
};

/* Finds or makes the row of a key. Return: the row, valid until the next one is added. */
static struct sum *add(struct sums *sums, uint64_t key, int64_t dur_ns)
{
	uint32_t place = ra_util_map_find(&sums->index, key);
	struct sum *sum;

	if (place >= sums->count) { /* there was none */
		place = (uint32_t) sums->count;
		ra_util_grow(&sums->rows, &sums->capacity, sums->count + 1, sizeof(*sum));
		ra_util_map_put(&sums->index, key, place);
		sums->rows[sums->count++] = (struct sum){ .key = key, .min_ns = INT64_MAX };
	}
	sum = &sums->rows[place];
	sum->calls++;
	sum->total_ns = ra_util_add_time(sum->total_ns, dur_ns);
	sum->min_ns = dur_ns < sum->min_ns ? dur_ns : sum->min_ns;
	sum->max_ns = dur_ns > sum->max_ns ? dur_ns : sum->max_ns;
	sums->whole_ns = ra_util_add_time(sums->whole_ns, dur_ns);
	return sum;
}

static void free_sums(struct sums *sums)
{
	free(sums->rows);
	ra_util_map_free(&sums->index);
}

/* The figures that both reports have. */
enum figure {
	SHARE,
	TOTAL,
	CALLS,
	MEAN,
	MINIMUM,
	MAXIMUM
};

static void put_figures(const struct sums *sums, const struct sum *sum, struct ra_table_cell *cells)
{
	cells[SHARE] = ra_table_make_share(sum->total_ns, sums->whole_ns);
	cells[TOTAL] = ra_table_make_number(sum->total_ns);
	cells[CALLS] = ra_table_make_count(sum->calls);
	cells[MEAN] = ra_table_make_count(((uint64_t) sum->total_ns + sum->calls / 2) / sum->calls);
	cells[MINIMUM] = ra_table_make_number(sum->min_ns);
	cells[MAXIMUM] = ra_table_make_number(sum->max_ns);
}

enum sync_column {
	SYNC_KIND,
	SYNC_RANGE,
	SYNC_FIGURES,
	SYNC_COLUMNS = SYNC_FIGURES + 6
};

static const struct ra_table_column sync_columns[SYNC_COLUMNS] = {
	[SYNC_KIND] = { "kind", "Kind", RA_TABLE_TEXT, NULL },
	[SYNC_RANGE] = { "range", "Range", RA_TABLE_TEXT, NULL },
	[SYNC_FIGURES + SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[SYNC_FIGURES + TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[SYNC_FIGURES + CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[SYNC_FIGURES + MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[SYNC_FIGURES + MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[SYNC_FIGURES + MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
};

/* The innermost range that was open when the call of the wait began; RA_NONE: none. */
static uint32_t find_range(const struct ra_gpu *gpu, const struct ra_gpu_sync *sync)
{
	return sync->api != RA_NONE ? gpu->apis[sync->api].slice : RA_NONE;
}

static void add_sync(struct sums *sums, const struct ra_report_input *input,
                     const struct ra_gpu_sync *sync)
{
	const uint32_t slice = find_range(&input->model->gpu, sync);
	struct rlog_string range = { NULL, 0, 0 };
	uint32_t label = RA_NONE;

	if (slice != RA_NONE) {
		range = ra_op_names_range(input, slice);
		label = ra_labels_find(input->labels, input->model->slices.name[slice]);
	}
	add(sums, (uint64_t) sync->kind << 32 | label, sync->dur_ns)->range = range;
}

/* Finds out by its name for what a call waits; 0: it does not wait. */
static uint8_t find_wait(struct rlog_string name)
{
	static const struct {
		const char *word;
		uint8_t kind; /* kind, as in struct ra_gpu_sync */
	} words[] = {
		{ "EventSynchronize", 1 },
		{ "StreamSynchronize", 3 },
		{ "DeviceSynchronize", 4 },
		{ "CtxSynchronize", 4 },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && name.bytes != NULL; i++) {
		if (memmem(name.bytes, name.length, words[i].word, strlen(words[i].word)) != NULL) {
			return words[i].kind;
		}
	}
	return 0;
}

bool ra_report_lacks_waits(const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;

	for (size_t i = 0; i < gpu->api_count && gpu->sync_count == 0; i++) {
		if (find_wait(ra_model_string(model, gpu->apis[i].name)) != 0) {
			return true;
		}
	}
	return false;
}

/* If there are no records of waits, adds the calls that wait. Each call of the runtime makes a call
 * of the driver, so calls of the driver are added only if there are none of the runtime. */
static void add_calls(struct sums *sums, struct ra_report_input *input)
{
	const struct ra_gpu *gpu = &input->model->gpu;

	for (int is_driver = 0; is_driver < 2 && sums->count == 0; is_driver++) {
		for (size_t i = 0; i < gpu->api_count; i++) {
			const struct ra_gpu_api *api = &gpu->apis[i];
			const struct ra_gpu_sync sync = {
				.start_ns = api->start_ns,
				.dur_ns = api->dur_ns,
				.api = (uint32_t) i,
				.kind = find_wait(ra_model_string(input->model, api->name)),
			};

			if ((api->is_driver != 0) == is_driver && sync.kind != 0) {
				add_sync(sums, input, &sync);
			}
		}
	}
	if (sums->count > 0) {
		ra_report_add_note(input, "Waits for the GPU: there are no cuda_sync records; "
		                          "these are the synchronizing calls");
	}
}

static void fill_syncs(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	struct sums sums = { 0 };

	for (size_t i = 0; i < gpu->sync_count; i++) {
		add_sync(&sums, input, &gpu->syncs[i]);
	}
	if (gpu->sync_count == 0) {
		add_calls(&sums, input);
	}
	for (size_t i = 0; i < sums.count; i++) {
		const struct sum *sum = &sums.rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[SYNC_KIND] = ra_table_make_word(ra_gpu_sync_name((uint8_t) (sum->key >> 32)));
		if (sum->range.bytes != NULL) {
			cells[SYNC_RANGE] = ra_table_make_text(sum->range);
		}
		put_figures(&sums, sum, cells + SYNC_FIGURES);
	}
	free_sums(&sums);
}

const struct ra_report ra_report_gpu_sync = {
	.name = "gpu-sync",
	.title = "Waits for the GPU",
	.summary = "CUDA's waits by kind and range: event, stream, context",
	.none = "no waits for the GPU",
	.is_gpu = true,
	.columns = sync_columns,
	.column_count = SYNC_COLUMNS,
	.sort = "total",
	.fill = fill_syncs,
};

enum overhead_column {
	OVERHEAD_NAME,
	OVERHEAD_FIGURES,
	OVERHEAD_COLUMNS = OVERHEAD_FIGURES + 6
};

static const struct ra_table_column overhead_columns[OVERHEAD_COLUMNS] = {
	[OVERHEAD_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[OVERHEAD_FIGURES + SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[OVERHEAD_FIGURES + TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[OVERHEAD_FIGURES + CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[OVERHEAD_FIGURES + MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[OVERHEAD_FIGURES + MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[OVERHEAD_FIGURES + MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
};

static void fill_overheads(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	struct sums sums = { 0 };

	for (size_t i = 0; i < gpu->overhead_count; i++) {
		add(&sums, gpu->overheads[i].kind, gpu->overheads[i].dur_ns);
	}
	for (size_t i = 0; i < sums.count; i++) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[OVERHEAD_NAME] =
			ra_table_make_word(ra_gpu_overhead_name((uint32_t) sums.rows[i].key));
		put_figures(&sums, &sums.rows[i], cells + OVERHEAD_FIGURES);
	}
	free_sums(&sums);
}

const struct ra_report ra_report_overhead = {
	.name = "overhead",
	.title = "Overheads",
	.summary = "time that CUDA and CUPTI spent on their own work",
	.none = "no overheads of CUDA and CUPTI",
	.is_gpu = true,
	.columns = overhead_columns,
	.column_count = OVERHEAD_COLUMNS,
	.sort = "total",
	.fill = fill_overheads,
};

/* SPDX-License-Identifier: MIT */
/* Writes details for rows of ranges and kernels: histograms of durations, single calls. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"
#include "analyzer/page/page-calls.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/page/page-rows.h"
#include "analyzer/report/op-names.h"
#include "analyzer/reports/reports.h"

#define BUCKETS 256

_Static_assert(RA_GPU_KERNEL == 0, "keys of kernels are those of their labels");

/* Finds the bucket of a duration. There are four buckets for each factor of 2; see page-parts.h. */
static uint32_t find_bucket(int64_t dur_ns)
{
	const uint64_t value = dur_ns > 0 ? (uint64_t) dur_ns : 0;
	unsigned power;

	if (value < 4) {
		return (uint32_t) value;
	}
	power = 63 - (unsigned) __builtin_clzll(value);
	return (power - 1) * 4 + (uint32_t) (value >> (power - 2) & 3);
}

struct shapes {
	struct ra_util_map row_of; /* key of a name → row of the table */
	uint64_t *counts;          /* owned: for each row, BUCKETS numbers of durations */
	struct ra_page_calls calls;
};

static void count_one(struct shapes *shapes, uint64_t key, int64_t start_ns, int64_t dur_ns)
{
	const uint32_t row = ra_util_map_find(&shapes->row_of, key);

	if (row != RA_UTIL_MAP_NONE) {
		shapes->counts[(size_t) row * BUCKETS + find_bucket(dur_ns)]++;
		ra_page_calls_add(&shapes->calls, row, start_ns, dur_ns);
	}
}

static bool is_same(const struct ra_table_cell *cell, struct rlog_string text)
{
	return cell->has_value && cell->u.text.length == text.length &&
	       memcmp(cell->u.text.bytes, text.bytes, text.length) == 0;
}

/* Finds the first row with a name. RA_NONE: there is none. */
static uint32_t find_row(const struct ra_table *table, struct rlog_string name)
{
	for (size_t r = 0; r < table->row_count; r++) {
		if (is_same(&table->cells[r * table->column_count], name)) {
			return (uint32_t) r;
		}
	}
	return RA_NONE;
}

/* Maps the key of a label to a row, if the row's name is that label. The key for kernels is that of
 * op-names.h, with kind 0. */
static void map_rows(struct shapes *shapes, const struct ra_labels *labels,
                     const struct ra_table *table)
{
	for (size_t i = 0; i < labels->count; i++) {
		const uint32_t row = find_row(table, ra_labels_name(labels, (uint32_t) i));

		if (row != RA_NONE) {
			ra_util_map_put(&shapes->row_of, i, row);
		}
	}
}

/* True if all durations counted belong to the row. They are counted by name, but a name may have
 * rows in several domains. */
static bool is_whole(const struct shapes *shapes, const struct ra_table *table, size_t row)
{
	const size_t calls = ra_table_find_column(table->columns, table->column_count, "calls");
	uint64_t count = 0;

	for (size_t b = 0; b < BUCKETS; b++) {
		count += shapes->counts[row * BUCKETS + b];
	}
	return calls < table->column_count && count > 0 &&
	       (uint64_t) table->cells[row * table->column_count + calls].u.number == count;
}

/* The ranges of a walk, which are counted when they come. */
struct ranges {
	struct shapes *shapes;
	struct ra_labels *labels;
};

/* Counts the ranges of a part of a track. Called as ra_page_rows_also. */
static void take_ranges(void *context, const struct ra_model *part, uint32_t track_number)
{
	const struct ranges *ranges = context;
	const struct ra_track *track = &part->tracks[track_number];
	const struct ra_slices *s = &part->slices;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		count_one(ranges->shapes, ra_labels_find(ranges->labels, s->name[i]),
		          s->start_ns[i], s->dur_ns[i]);
	}
}

/* Counts ranges. Also makes the rows of the timeline, which need the same ranges, so that these are
 * read once. */
static void count_ranges(struct shapes *shapes, struct ra_page *page)
{
	struct ranges ranges = { .shapes = shapes, .labels = page->input.labels };

	ra_page_rows_make(page, take_ranges, &ranges);
}

static void count_kernels(struct shapes *shapes, const struct ra_report_input *input)
{
	const struct ra_gpu *gpu = &input->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		if (gpu->ops[i].kind == RA_GPU_KERNEL) {
			count_one(shapes, ra_op_names_find(input, &gpu->ops[i]),
			          gpu->ops[i].start_ns, gpu->ops[i].dur_ns);
		}
	}
}

static void put_shapes(struct ra_util_text *json, const struct shapes *shapes, const char *name,
                       const struct ra_table *table)
{
	bool is_first = true;

	ra_util_text_format(json, "%s\"%s\":[", json->length == 0 ? "" : ",\n", name);
	for (size_t r = 0; r < table->row_count; r++) {
		if (!is_whole(shapes, table, r)) {
			continue;
		}
		ra_util_text_format(json, "%s[%zu", is_first ? "" : ",\n", r);
		is_first = false;
		for (size_t b = 0; b < BUCKETS; b++) {
			const uint64_t count = shapes->counts[r * BUCKETS + b];

			if (count > 0) {
				ra_util_text_format(json, ",%zu,%llu", b,
				                    (unsigned long long) count);
			}
		}
		ra_util_text_put_char(json, ']');
	}
	ra_util_text_put_char(json, ']');
}

static void put_calls(struct ra_util_text *json, const struct shapes *shapes, const char *name,
                      const struct ra_table *table)
{
	const char *before = "";

	ra_util_text_format(json, "%s\"%s\":{\"end_ns\":%lld,\"parts\":%zu,\"rows\":[",
	                    json->length == 0 ? "" : ",\n", name, (long long) shapes->calls.end_ns,
	                    ra_page_calls_parts);
	for (size_t r = 0; r < table->row_count; r++) {
		if (is_whole(shapes, table, r) &&
		    ra_page_calls_put(&shapes->calls, r, before, json)) {
			before = ",\n";
		}
	}
	ra_util_text_format(json, "]}");
}

void ra_page_shapes_put(struct ra_page *page, const struct ra_report *report,
                        const struct ra_table *table)
{
	const bool is_ranges = report == &ra_report_ranges;
	struct ra_report_input input =
		page->input; /* with --steps, this is the view from which the table is made */
	struct shapes shapes = { 0 };

	if ((!is_ranges && report != &ra_report_kernels) ||
	    ra_report_file_count(&page->input) > 1) {
		return;
	}
	if (page->options->select != NULL) {
		input.model = &page->options->select->things;
	}
	shapes.counts = ra_alloc_zeros(table->row_count * BUCKETS + 1, sizeof(*shapes.counts));
	ra_page_calls_init(&shapes.calls, table->row_count, input.model->end_ns);
	map_rows(&shapes, is_ranges ? input.labels : input.kernels, table);
	if (is_ranges) {
		count_ranges(&shapes, page);
	} else {
		count_kernels(&shapes, &input);
	}
	put_shapes(&page->file.shapes, &shapes, report->name, table);
	put_calls(&page->file.calls, &shapes, report->name, table);
	ra_page_calls_fini(&shapes.calls);
	ra_util_map_free(&shapes.row_of);
	free(shapes.counts);
}

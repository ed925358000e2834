/* SPDX-License-Identifier: MIT */
/* Computes HTA's figures of streams: why they were idle, how much was queued, and the bandwidth of
 * copies. */
#include "analyzer/compat/hta/streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

const char *const ra_hta_streams_idle_names[RA_HTA_IDLES] = { "host_wait", "kernel_wait", "other" };

/* A change of a value of a stream or kind of copy, which `key` identifies. */
struct point {
	double at_us;
	double value;
	uint32_t key;
	uint32_t row; /* index of its row, in the order of the function that adds points */
};

struct points {
	struct point *points; /* owned */
	size_t count;
	size_t capacity;
};

static void add_point(struct points *points, double at_us, double value, uint32_t key, size_t row)
{
	RA_UTIL_APPEND(points->points, points->count, points->capacity,
	               (struct point){ at_us, value, key, (uint32_t) row });
}

/* Sorts by time. Equal times are in pandas' order. */
static void sort_points(struct points *points)
{
	const size_t count = points->count;
	struct point *sorted = ra_alloc_bytes(count * sizeof(*sorted) + 1);
	uint32_t *order = ra_alloc_bytes(count * sizeof(*order) + 1);
	double *values = ra_alloc_zeros(count + 1, sizeof(*values));

	for (size_t i = 0; i < count; i++) {
		values[i] = points->points[i].at_us;
	}
	ra_numpy_sort_order(order, values, count);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = points->points[order[i]];
	}
	free(points->points);
	points->points = sorted;
	points->capacity = count;
	free(order);
	free(values);
}

void ra_hta_streams_fini(struct ra_hta_streams *streams)
{
	free(streams->rows);
	*streams = (struct ra_hta_streams){ 0 };
}

#define NEAR 256 /* streams with numbers below this are found without the map */

/* Finds the index of a stream by its number. */
struct stream_index {
	struct ra_util_map map;
	uint32_t near[NEAR]; /* for each number: index + 1 */
};

/* Finds the index of a stream, which is added if it is new. */
static uint32_t find_stream(struct ra_hta_streams *streams, struct stream_index *index,
                            int64_t stream)
{
	const bool is_near = stream >= 0 && stream < NEAR;
	uint32_t place = is_near ? index->near[stream] - 1
	                         : ra_util_map_find(&index->map, (uint64_t) stream);

	if (place != RA_UTIL_MAP_NONE) {
		return place;
	}
	place = (uint32_t) streams->count;
	if (is_near) {
		index->near[stream] = place + 1;
	} else {
		ra_util_map_put(&index->map, (uint64_t) stream, place);
	}
	RA_UTIL_APPEND(streams->rows, streams->count, streams->capacity,
	               (struct ra_hta_stream){ .stream = stream });
	return place;
}

/* True for kernels, copies and memsets as HTA selects them: by category, without waits. */
static bool is_work(const struct ra_hta_rank *rank, const struct ra_hta_row *row)
{
	return (ra_hta_category(rank, row->event) & RA_HTA_CATEGORY_WORK) != 0;
}

/* Sorts by time. Equal times are in pandas' order. If there are none, any sort gives the same
 * order. */
static void sort_rows(uint32_t *rows, size_t count, const struct ra_hta_rank *rank)
{
	uint32_t *before = ra_alloc_bytes(count * sizeof(*before) + 1);
	uint32_t *order = ra_alloc_bytes(count * sizeof(*order) + 1);
	double *values = ra_alloc_bytes(count * sizeof(*values) + 1);
	bool has_ties = false;

	memcpy(before, rows, count * sizeof(*rows));
	ra_run_sort_indices(rows, count, ra_hta_compare_starts, rank->linked);
	for (size_t i = 1; i < count && !has_ties; i++) {
		has_ties = rank->linked[rows[i - 1]].ts_us == rank->linked[rows[i]].ts_us;
	}
	if (has_ties) {
		for (size_t i = 0; i < count; i++) {
			values[i] = rank->linked[before[i]].ts_us;
		}
		ra_numpy_sort_order(order, values, count);
		for (size_t i = 0; i < count; i++) {
			rows[i] = before[order[i]];
		}
	}
	free(before);
	free(order);
	free(values);
}

/* Classifies the gaps of one stream, whose rows are in HTA's order. */
static void sort_out_gaps(struct ra_hta_stream *stream, const struct ra_hta_rank *rank,
                          uint32_t *rows, size_t count, double delay_us)
{
	double *gaps[RA_HTA_IDLES] = { 0 };
	size_t counts[RA_HTA_IDLES] = { 0 };

	sort_rows(rows, count, rank);
	for (int c = 0; c < RA_HTA_IDLES; c++) {
		gaps[c] = ra_alloc_bytes(count * sizeof(*gaps[c]) + 1);
	}
	for (size_t i = 0; i < count; i++) {
		const struct ra_hta_row *row = &rank->linked[rows[i]];
		enum ra_hta_idle cause = RA_HTA_IDLE_OTHER;

		if (i > 0) {
			const struct ra_hta_row *before = &rank->linked[rows[i - 1]];
			const double end_us = before->ts_us + before->dur_us;
			const double gap_us = row->ts_us - end_us;
			double launch_us;

			if (ra_hta_find_partner_ts(rank, row, &launch_us) && launch_us > end_us) {
				cause = RA_HTA_IDLE_HOST;
			} else if (gap_us < delay_us) {
				cause = RA_HTA_IDLE_KERNEL;
			}
			gaps[cause][counts[cause]++] = gap_us;
			stream->idle_us += gap_us;
		}
		stream->has[cause] = true;
	}
	for (int c = 0; c < RA_HTA_IDLES; c++) {
		ra_describe_values(&stream->idle[c], gaps[c], counts[c]);
		free(gaps[c]);
	}
}

/* The rows of GPU work, grouped by stream. */
struct work {
	uint32_t *rows;   /* owned: indices into linked */
	uint32_t *places; /* owned: for each GPU row, the index of its stream; RA_NONE: it is no
	                     work */
	size_t *begins;   /* owned: for each stream and one more, where its rows begin */
};

static void find_places(struct work *work, struct ra_hta_streams *streams,
                        const struct ra_hta_rank *rank)
{
	struct stream_index index = { 0 };

	work->rows = ra_alloc_bytes(rank->gpu_count * sizeof(*work->rows) + 1);
	work->places = ra_alloc_bytes(rank->gpu_count * sizeof(*work->places) + 1);
	for (size_t i = 0; i < rank->gpu_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->gpu[i]];

		work->places[i] = RA_NONE;
		if (is_work(rank, row)) {
			work->places[i] = find_stream(streams, &index, row->stream);
		}
	}
	ra_util_map_free(&index.map);
	work->begins = ra_alloc_zeros(streams->count + 2, sizeof(*work->begins));
}

void ra_hta_streams_idle(struct ra_hta_streams *streams, const struct ra_hta_rank *rank,
                         double delay_us)
{
	struct work work = { 0 };

	*streams = (struct ra_hta_streams){ 0 };
	find_places(&work, streams, rank);
	for (size_t i = 0; i < rank->gpu_count; i++) {
		work.begins[work.places[i] == RA_NONE ? 0 : work.places[i] + 2]++;
	}
	work.begins[0] = 0;
	for (size_t s = 2; s < streams->count + 2; s++) {
		work.begins[s] += work.begins[s - 1];
	}
	for (size_t i = 0; i < rank->gpu_count; i++) {
		if (work.places[i] != RA_NONE) {
			work.rows[work.begins[work.places[i] + 1]++] = rank->gpu[i];
		}
	}
	for (size_t s = 0; s < streams->count; s++) {
		sort_out_gaps(&streams->rows[s], rank, work.rows + work.begins[s],
		              work.begins[s + 1] - work.begins[s], delay_us);
	}
	free(work.rows);
	free(work.places);
	free(work.begins);
}

/* Computes the running sums of each key's points, in order. out[key] gets the statistics of those
 * above `floor`. */
static void describe_sums(const struct points *points, size_t key_count, double floor,
                          struct ra_describe *out)
{
	double *sums = ra_alloc_zeros(key_count + 1, sizeof(*sums));
	size_t *begins =
		ra_alloc_zeros(key_count + 1, sizeof(*begins)); /* where a key's values begin */
	size_t *counts = ra_alloc_zeros(key_count + 1, sizeof(*counts));
	double *values = ra_alloc_zeros(points->count + 1, sizeof(*values));

	for (size_t i = 0; i < points->count; i++) {
		begins[points->points[i].key + 1]++;
	}
	for (size_t k = 1; k <= key_count; k++) {
		begins[k] += begins[k - 1];
	}
	for (size_t i = 0; i < points->count; i++) {
		const uint32_t key = points->points[i].key;

		sums[key] += points->points[i].value;
		if (sums[key] > floor) {
			values[begins[key] + counts[key]++] = sums[key];
		}
	}
	for (size_t k = 0; k < key_count; k++) {
		ra_describe_values(&out[k], values + begins[k], counts[k]);
	}
	free(sums);
	free(begins);
	free(counts);
	free(values);
}

/* The most points per row. A join of calls and operations in a hostile trace can give the square of
 * the number of rows. No real trace has this many. */
#define MOST_PER_ROW 2

/* Rows by correlation, to find what calls launched. */
struct launched {
	struct ra_hta_streams *streams;
	struct stream_index *index;
	const struct ra_hta_rank *rank;
	uint32_t *work;       /* owned: for each place in by_corr, the next place whose row has a
	                         stream */
	uint8_t *is_launched; /* owned: for the first place of each correlation, whether a call
	                         launched it */
};

static void find_launched(struct launched *launched)
{
	const struct ra_hta_rank *rank = launched->rank;
	uint32_t work = (uint32_t) rank->by_corr_count;

	launched->work = ra_alloc_bytes(rank->by_corr_count * sizeof(*launched->work) + 1);
	launched->is_launched =
		ra_alloc_zeros(rank->by_corr_count + 1, sizeof(*launched->is_launched));
	for (size_t i = rank->by_corr_count; i-- > 0;) {
		if (rank->linked[rank->by_corr[i]].stream != -1) {
			work = (uint32_t) i;
		}
		launched->work[i] = work;
	}
}

/* Adds a point with +1 for each operation that a call launched. */
static void add_launched(struct points *points, const struct launched *launched, size_t at)
{
	const struct ra_hta_rank *rank = launched->rank;
	const size_t most = MOST_PER_ROW * rank->count;
	const struct ra_hta_row *call = &rank->linked[rank->ordered[at]];

	for (size_t i = rank->first_of[rank->ordered[at]];
	     i < rank->by_corr_count && points->count < most; i++) {
		const struct ra_hta_row *row;

		i = launched->work[i];
		row = i < rank->by_corr_count ? &rank->linked[rank->by_corr[i]] : NULL;
		if (row == NULL || row->corr != call->corr) {
			break;
		}
		add_point(points, call->ts_us, 1,
		          find_stream(launched->streams, launched->index, row->stream), at);
	}
}

/* Adds a point with +1 for each launch of an operation, then a point with -1 for each start. */
static void add_queue_points(struct points *points, struct ra_hta_streams *streams,
                             struct stream_index *index, const struct ra_hta_rank *rank)
{
	struct launched launched = { streams, index, rank, NULL, NULL };

	find_launched(&launched);
	for (size_t i = 0; i < rank->ordered_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->ordered[i]];

		if (row->partner > 0 && row->corr >= 0 &&
		    (ra_hta_class(rank, row->event) & RA_HTA_CLASS_LAUNCH) != 0) {
			launched.is_launched[rank->first_of[rank->ordered[i]]] = 1;
			add_launched(points, &launched, i);
		}
	}
	for (size_t i = 0; i < rank->ordered_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->ordered[i]];

		if (row->stream != -1 && row->corr >= 0 &&
		    launched.is_launched[rank->first_of[rank->ordered[i]]]) {
			add_point(points, row->ts_us, -1, find_stream(streams, index, row->stream),
			          i);
		}
	}
	free(launched.work);
	free(launched.is_launched);
}

static int compare_streams(const void *a, const void *b)
{
	const struct ra_hta_stream *left = a;
	const struct ra_hta_stream *right = b;

	return RA_ORDER_UP(left, right, stream);
}

/* Adds the points of all queues, in order of time, and fills in the streams. */
static void make_queue_points(struct points *points, struct ra_hta_streams *streams,
                              const struct ra_hta_rank *rank)
{
	struct stream_index index = { 0 };

	*points = (struct points){ 0 };
	*streams = (struct ra_hta_streams){ 0 };
	add_queue_points(points, streams, &index, rank);
	sort_points(points);
	ra_util_map_free(&index.map);
}

void ra_hta_streams_queue(struct ra_hta_streams *streams, const struct ra_hta_rank *rank)
{
	struct points points;
	struct ra_describe *queues;

	make_queue_points(&points, streams, rank);
	queues = ra_alloc_zeros(streams->count + 1, sizeof(*queues));
	describe_sums(&points, streams->count, -INFINITY, queues);
	for (size_t s = 0; s < streams->count; s++) {
		streams->rows[s].queue = queues[s];
	}
	RA_SORT(streams->rows, streams->count, compare_streams);
	free(queues);
	free(points.points);
}

void ra_hta_streams_changes(struct ra_hta_changes *out, const struct ra_hta_rank *rank)
{
	struct ra_hta_streams streams;
	struct points points;
	double *sums;
	double difference = 0;

	*out = (struct ra_hta_changes){ 0 };
	make_queue_points(&points, &streams, rank);
	sums = ra_alloc_zeros(streams.count + 1, sizeof(*sums));
	out->changes = ra_alloc_bytes(points.count * sizeof(*out->changes) + 1);
	for (size_t i = 0; i < points.count; i++) {
		const struct point *point = &points.points[i];

		sums[point->key] += point->value;
		difference += point->value;
		out->changes[out->count++] = (struct ra_hta_change){ point->row, sums[point->key] };
	}
	out->is_even = difference == 0;
	free(sums);
	free(points.points);
	ra_hta_streams_fini(&streams);
}

/* most kinds of copies; no real trace has more, and further kinds count as the first one */
#define MAX_COPIES 256

/* Finds the kind of a copy: "Memset", or the part of its name that is like "Memcpy DtoH". */
static struct rlog_string copy_name(struct rlog_string name)
{
	if (name.length >= 6 && memcmp(name.bytes, "Memset", 6) == 0) {
		return (struct rlog_string){ name.bytes, 6, 6 };
	}
	if (name.length < 6 || memcmp(name.bytes, "Memcpy", 6) != 0) {
		return (struct rlog_string){ "Memcpy Unknown", 14, 14 };
	}
	name.length = name.length < 11 ? name.length : 11;
	name.full_length = name.length;
	return name;
}

static uint32_t find_copy(struct ra_hta_bandwidths *out, struct rlog_string name)
{
	for (uint32_t place = 0; place < out->count; place++) {
		if (ra_util_string_is_same(out->rows[place].name, name)) {
			return place;
		}
	}
	if (out->count == MAX_COPIES) {
		return 0;
	}
	out->rows = ra_alloc_resize(out->rows, out->count + 1, sizeof(*out->rows));
	out->rows[out->count] = (struct ra_hta_bandwidth){ .name = name };
	return (uint32_t) out->count++;
}

/* Adds points for the starts, then for the ends. The bandwidth of each is read only once. */
static void add_copy_points(struct points *points, struct ra_hta_bandwidths *out,
                            const struct ra_hta_rank *rank)
{
	size_t count;

	for (size_t i = 0; i < rank->gpu_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->gpu[i]];
		double gb_s = 0;
		uint32_t place;

		if (row->kind != RA_HTA_MEMORY) {
			continue;
		}
		(void) ra_kineto_get_real(rank->kineto, row->event, RA_KINETO_ARG_BANDWIDTH, &gb_s);
		place = find_copy(out, copy_name(ra_hta_name(rank, row->event)));
		add_point(points, row->ts_us, gb_s, place, rank->gpu[i]);
	}
	count = points->count;
	for (size_t i = 0; i < count; i++) {
		const struct point start = points->points[i];
		const struct ra_hta_row *row = &rank->linked[start.row];

		add_point(points, row->ts_us + (row->dur_us == 0 ? 1 : row->dur_us), -start.value,
		          start.key, start.row);
	}
}

void ra_hta_streams_bandwidth(struct ra_hta_bandwidths *out, const struct ra_hta_rank *rank)
{
	struct points points = { 0 };
	struct ra_describe *sums;

	*out = (struct ra_hta_bandwidths){ 0 };
	add_copy_points(&points, out, rank);
	sort_points(&points);
	sums = ra_alloc_zeros(out->count + 1, sizeof(*sums));
	describe_sums(&points, out->count, 0, sums);
	for (size_t i = 0; i < out->count; i++) {
		out->rows[i].gb_s = sums[i];
	}
	RA_SORT(out->rows, out->count, ra_util_string_compare_first);
	free(sums);
	free(points.points);
}

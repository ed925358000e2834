/* SPDX-License-Identifier: MIT */
/* HTA's figures per stream: why it was idle, how much was queued, and the bandwidth of copies. */
#include "analyzer/hta-streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/numpy-sort.h"
#include "analyzer/util-map.h"
#include "analyzer/util.h"
#include "format/error.h"

const char *const ra_hta_streams_idle_names[RA_HTA_IDLES] = { "host_wait", "kernel_wait", "other" };

/* Something that happened on a stream or to a kind of copy: `key` tells which. */
struct point {
	double at_us;
	double value;
	uint32_t key;
	uint32_t row;
};

struct points {
	struct point *points; /* owned */
	size_t count;
	size_t capacity;
};

static int add_point(struct points *points, double at_us, double value, uint32_t key, size_t row)
{
	const int rc = ra_util_grow(&points->points, &points->capacity, points->count + 1,
	                            sizeof(*points->points));

	if (rc == 0) {
		points->points[points->count++] =
			(struct point){ at_us, value, key, (uint32_t) row };
	}
	return rc;
}

/* Sorts by time, ties as pandas leaves them. */
static int sort_points(struct points *points)
{
	const size_t count = points->count;
	struct point *sorted = malloc(count * sizeof(*sorted) + 1);
	uint32_t *order = malloc(count * sizeof(*order) + 1);
	double *values = calloc(count + 1, sizeof(*values));
	int rc = -RLOG_E_NO_MEMORY;

	if (sorted != NULL && order != NULL && values != NULL) {
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
		sorted = NULL;
		rc = 0;
	}
	free(sorted);
	free(order);
	free(values);
	return rc;
}

void ra_hta_streams_fini(struct ra_hta_streams *streams)
{
	free(streams->rows);
	*streams = (struct ra_hta_streams){ 0 };
}

/* Index of a stream, added if it is new. */
static int find_stream(struct ra_hta_streams *streams, struct ra_util_map *index, int64_t stream,
                       uint32_t *place)
{
	int rc;

	*place = ra_util_map_find(index, (uint64_t) stream);
	if (*place != RA_UTIL_MAP_NONE) {
		return 0;
	}
	*place = (uint32_t) streams->count;
	rc = ra_util_grow(&streams->rows, &streams->capacity, streams->count + 1,
	                  sizeof(*streams->rows));
	if (rc == 0) {
		rc = ra_util_map_put(index, (uint64_t) stream, *place);
	}
	if (rc == 0) {
		streams->rows[streams->count++] = (struct ra_hta_stream){ .stream = stream };
	}
	return rc;
}

/* Kernels, copies and sets as HTA finds them: by category, waits apart. */
static bool is_work(const struct ra_hta_rank *rank, const struct ra_hta_row *row)
{
	static const char *const categories[] = { "kernel",     "Kernel", "gpu_memset", "Memset",
		                                  "gpu_memcpy", "Memcpy", NULL };
	const struct ra_kineto *k = rank->kineto;
	const uint32_t name = k->categories[k->category[row->event]].name;

	for (size_t i = 0; row->stream != -1 && categories[i] != NULL; i++) {
		if (ra_kineto_is_text(k, name, categories[i])) {
			return true;
		}
	}
	return false;
}

/* The gaps of one stream, whose points are in the order of rows. */
static int sort_out_gaps(struct ra_hta_stream *stream, const struct ra_hta_rank *rank,
                         struct points *points, double delay_us)
{
	double *gaps[RA_HTA_IDLES] = { 0 };
	size_t counts[RA_HTA_IDLES] = { 0 };
	int rc = sort_points(points);

	for (int c = 0; c < RA_HTA_IDLES && rc == 0; c++) {
		gaps[c] = malloc(points->count * sizeof(*gaps[c]) + 1);
		rc = gaps[c] == NULL ? -RLOG_E_NO_MEMORY : 0;
	}
	for (size_t i = 0; i < points->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[points->points[i].row];
		const struct ra_hta_row *launch = ra_hta_find(rank, row->partner);
		const struct ra_hta_row *before =
			i == 0 ? NULL : &rank->rows[points->points[i - 1].row];
		enum ra_hta_idle cause = RA_HTA_IDLE_OTHER;

		if (before != NULL) {
			const double end_us = before->ts_us + before->dur_us;
			const double gap_us = row->ts_us - end_us;

			if (launch != NULL && launch->ts_us > end_us) {
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
		if (rc == 0) {
			ra_describe_values(&stream->idle[c], gaps[c], counts[c]);
		}
		free(gaps[c]);
	}
	return rc;
}

int ra_hta_streams_idle(struct ra_hta_streams *streams, const struct ra_hta_rank *rank,
                        double delay_us)
{
	struct ra_util_map index = { 0 };
	struct points *points = NULL;
	int rc = 0;

	*streams = (struct ra_hta_streams){ 0 };
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		uint32_t place;

		if (is_work(rank, &rank->rows[i])) {
			rc = find_stream(streams, &index, rank->rows[i].stream, &place);
		}
	}
	points = calloc(streams->count + 1, sizeof(*points));
	rc = points == NULL ? -RLOG_E_NO_MEMORY : rc;
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];

		if (is_work(rank, row)) {
			const uint32_t place = ra_util_map_find(&index, (uint64_t) row->stream);

			rc = add_point(&points[place], row->ts_us, 0, place, i);
		}
	}
	for (size_t s = 0; points != NULL && s < streams->count; s++) {
		if (rc == 0) {
			rc = sort_out_gaps(&streams->rows[s], rank, &points[s], delay_us);
		}
		free(points[s].points);
	}
	free(points);
	ra_util_map_free(&index);
	return rc;
}

/* Running sums of the points of each key, in their order: out[key] gets those above `floor`. */
static int describe_sums(const struct points *points, size_t key_count, double floor,
                         struct ra_describe *out)
{
	double *sums = calloc(key_count + 1, sizeof(*sums));
	size_t *begins = calloc(key_count + 1, sizeof(*begins)); /* of a key's values */
	size_t *counts = calloc(key_count + 1, sizeof(*counts));
	double *values = calloc(points->count + 1, sizeof(*values));
	int rc = -RLOG_E_NO_MEMORY;

	if (sums != NULL && begins != NULL && counts != NULL && values != NULL) {
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
		rc = 0;
	}
	free(sums);
	free(begins);
	free(counts);
	free(values);
	return rc;
}

static const char *const launches[] = {
	"cudaLaunchKernel", "cudaLaunchKernelExC",      "cuLaunchKernel",
	"cuLaunchKernelEx", "cudaMemcpyAsync",          "cudaMemsetAsync",
	"hipLaunchKernel",  "hipExtModuleLaunchKernel", "hipMemcpyAsync",
	"hipMemsetAsync",   "hipMemcpyWithStream",      NULL,
};

bool ra_hta_streams_is_launch(const struct ra_hta_rank *rank, const struct ra_hta_row *row)
{
	return ra_hta_is_named(rank, row, launches);
}

/* A join of calls and operations can be as large as the square of the rows: a hostile trace's, no
 * other's. */
#define MOST_PER_ROW 2

/* GPU rows by correlation, as lists. */
struct by_corr {
	struct ra_util_map first; /* correlation → row */
	uint32_t *next; /* owned: row → row of the same correlation, RA_NONE behind the last */
};

static int index_gpu_rows(struct by_corr *by_corr, const struct ra_hta_rank *rank)
{
	int rc = 0;

	by_corr->next = malloc(rank->count * sizeof(*by_corr->next) + 1);
	if (by_corr->next == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = rank->count; i-- > 0 && rc == 0;) {
		const struct ra_hta_row *row = &rank->rows[i];

		if (row->stream != -1 && row->corr >= 0) {
			by_corr->next[i] = ra_util_map_find(&by_corr->first, (uint64_t) row->corr);
			rc = ra_util_map_put(&by_corr->first, (uint64_t) row->corr, (uint32_t) i);
		}
	}
	return rc;
}

/* +1 where an operation is launched, then -1 where it starts, the calls' rows first. */
static int add_queue_points(struct points *points, struct ra_hta_streams *streams,
                            struct ra_util_map *index, const struct ra_hta_rank *rank,
                            const struct by_corr *by_corr)
{
	const size_t most = MOST_PER_ROW * rank->count;
	struct ra_util_map launched = { 0 };
	uint32_t place = 0;
	int rc = 0;

	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		uint32_t gpu;

		if (row->partner <= 0 || row->corr < 0 || !ra_hta_is_named(rank, row, launches)) {
			continue;
		}
		rc = ra_util_map_put(&launched, (uint64_t) row->corr, 1);
		gpu = ra_util_map_find(&by_corr->first, (uint64_t) row->corr);
		for (; gpu != RA_NONE && rc == 0 && points->count < most;
		     gpu = by_corr->next[gpu]) {
			rc = find_stream(streams, index, rank->rows[gpu].stream, &place);
			if (rc == 0) {
				rc = add_point(points, row->ts_us, 1, place, i);
			}
		}
	}
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];

		if (row->stream == -1 ||
		    ra_util_map_find(&launched, (uint64_t) row->corr) == RA_UTIL_MAP_NONE) {
			continue;
		}
		rc = find_stream(streams, index, row->stream, &place);
		if (rc == 0) {
			rc = add_point(points, row->ts_us, -1, place, i);
		}
	}
	ra_util_map_free(&launched);
	return rc;
}

static int compare_streams(const void *a, const void *b)
{
	const int64_t left = ((const struct ra_hta_stream *) a)->stream;
	const int64_t right = ((const struct ra_hta_stream *) b)->stream;

	return left < right ? -1 : left > right;
}

/* All changes of all queues, by time; streams gets the streams. */
static int make_queue_points(struct points *points, struct ra_hta_streams *streams,
                             const struct ra_hta_rank *rank)
{
	struct by_corr by_corr = { 0 };
	struct ra_util_map index = { 0 };
	int rc = index_gpu_rows(&by_corr, rank);

	*points = (struct points){ 0 };
	*streams = (struct ra_hta_streams){ 0 };
	if (rc == 0) {
		rc = add_queue_points(points, streams, &index, rank, &by_corr);
	}
	if (rc == 0) {
		rc = sort_points(points);
	}
	free(by_corr.next);
	ra_util_map_free(&by_corr.first);
	ra_util_map_free(&index);
	return rc;
}

int ra_hta_streams_queue(struct ra_hta_streams *streams, const struct ra_hta_rank *rank)
{
	struct points points;
	struct ra_describe *queues = NULL;
	int rc = make_queue_points(&points, streams, rank);

	queues = calloc(streams->count + 1, sizeof(*queues));
	rc = queues == NULL ? -RLOG_E_NO_MEMORY : rc;
	if (rc == 0) {
		rc = describe_sums(&points, streams->count, -INFINITY, queues);
	}
	for (size_t s = 0; s < streams->count && rc == 0; s++) {
		streams->rows[s].queue = queues[s];
	}
	if (streams->count > 0) {
		qsort(streams->rows, streams->count, sizeof(*streams->rows), compare_streams);
	}
	free(queues);
	free(points.points);
	return rc;
}

int ra_hta_streams_changes(struct ra_hta_changes *out, const struct ra_hta_rank *rank)
{
	struct ra_hta_streams streams;
	struct points points;
	double *sums = NULL;
	double difference = 0;
	int rc;

	*out = (struct ra_hta_changes){ 0 };
	rc = make_queue_points(&points, &streams, rank);
	sums = calloc(streams.count + 1, sizeof(*sums));
	out->changes = malloc(points.count * sizeof(*out->changes) + 1);
	rc = sums == NULL || out->changes == NULL ? -RLOG_E_NO_MEMORY : rc;
	for (size_t i = 0; i < points.count && rc == 0; i++) {
		const struct point *point = &points.points[i];

		sums[point->key] += point->value;
		difference += point->value;
		out->changes[out->count++] = (struct ra_hta_change){ point->row, sums[point->key] };
	}
	out->is_even = difference == 0;
	free(sums);
	free(points.points);
	ra_hta_streams_fini(&streams);
	return rc;
}

#define MAX_COPIES 256 /* kinds; no trace has as many: what comes later counts as the first */

/* "Memset", or as much of a copy's name as "Memcpy DtoH" has. */
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

static int compare_names(struct rlog_string a, struct rlog_string b)
{
	const size_t common = a.length < b.length ? a.length : b.length;
	const int order = memcmp(a.bytes, b.bytes, common);

	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_bandwidths(const void *a, const void *b)
{
	return compare_names(((const struct ra_hta_bandwidth *) a)->name,
	                     ((const struct ra_hta_bandwidth *) b)->name);
}

static int find_copy(struct ra_hta_bandwidths *out, struct rlog_string name, uint32_t *place)
{
	struct ra_hta_bandwidth *rows;

	for (*place = 0; *place < out->count; (*place)++) {
		if (compare_names(out->rows[*place].name, name) == 0) {
			return 0;
		}
	}
	if (out->count == MAX_COPIES) {
		*place = 0;
		return 0;
	}
	rows = realloc(out->rows, (out->count + 1) * sizeof(*rows));
	if (rows == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	out->rows = rows;
	memset(&rows[out->count], 0, sizeof(*rows));
	rows[out->count++].name = name;
	return 0;
}

static int add_copy_points(struct points *points, struct ra_hta_bandwidths *out,
                           const struct ra_hta_rank *rank, bool is_end)
{
	int rc = 0;

	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		double at_us = row->ts_us;
		double gb_s = 0;
		uint32_t place;

		if (row->stream == -1 || row->kind != RA_HTA_MEMORY) {
			continue;
		}
		if (is_end) {
			at_us += row->dur_us == 0 ? 1 : row->dur_us;
		}
		(void) ra_kineto_get_real(rank->kineto, row->event, RA_KINETO_ARG_BANDWIDTH, &gb_s);
		rc = find_copy(out, copy_name(ra_hta_name(rank, row)), &place);
		if (rc == 0) {
			rc = add_point(points, at_us, is_end ? -gb_s : gb_s, place, i);
		}
	}
	return rc;
}

int ra_hta_streams_bandwidth(struct ra_hta_bandwidths *out, const struct ra_hta_rank *rank)
{
	struct points points = { 0 };
	struct ra_describe *sums = NULL;
	int rc;

	*out = (struct ra_hta_bandwidths){ 0 };
	rc = add_copy_points(&points, out, rank, false);
	if (rc == 0) {
		rc = add_copy_points(&points, out, rank, true);
	}
	if (rc == 0) {
		rc = sort_points(&points);
	}
	sums = calloc(out->count + 1, sizeof(*sums));
	rc = sums == NULL ? -RLOG_E_NO_MEMORY : rc;
	if (rc == 0) {
		rc = describe_sums(&points, out->count, 0, sums);
	}
	for (size_t i = 0; i < out->count && rc == 0; i++) {
		out->rows[i].gb_s = sums[i];
	}
	if (out->count > 0) {
		qsort(out->rows, out->count, sizeof(*out->rows), compare_bandwidths);
	}
	free(sums);
	free(points.points);
	return rc;
}

/* SPDX-License-Identifier: MIT */
/* Finds HTA's stragglers: ranks that come late to the collective whose duration varies most. */
#include "analyzer/compat/hta/stragglers.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/order/describe.h"
#include "analyzer/compat/hta/shared.h"
#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* Collectives that take a smaller part of a step are ignored, because no rank waits noticeably for
 * them. */
#define LEAST_PART 0.01

/* The last long run of a collective in a step of a rank. */
struct run {
	struct rlog_string name;
	int64_t stream;
	int64_t step;
	double start_us;
	double dur_us;
	size_t rank; /* index of the rank */
	uint32_t event;
};

struct runs {
	struct run *runs; /* owned; ordered by stream, name, step, rank */
	size_t count;
	size_t capacity;
};

struct whole {
	double start_us; /* of all rows in a step */
	double end_us;
	size_t step_count; /* number of different steps */
};

static int compare_collectives(const struct run *a, const struct run *b)
{
	const int order = RA_ORDER_UP(a, b, stream);

	return RA_ORDER_THEN(order, ra_util_string_compare(a->name, b->name));
}

static int compare_steps(const struct run *a, const struct run *b)
{
	const int order = compare_collectives(a, b);

	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, step));
}

/* Compares by collective, step, rank and place. Here `event` is the index among the rank's GPU
 * rows. */
static int compare_runs(const void *a, const void *b)
{
	const struct run *left = a;
	const struct run *right = b;
	int order = compare_steps(left, right);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, rank));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, event));
}

/* Reads the collectives of a rank, and the time that all its rows cover. */
static void read_rank(struct runs *runs, struct whole *whole, const struct ra_hta *hta,
                      size_t index, const struct ra_hta_steps *steps)
{
	const struct ra_hta_rank *rank = &hta->ranks[index];

	whole->start_us = fmin(whole->start_us, steps->start_us);
	whole->end_us = fmax(whole->end_us, steps->end_us);
	for (size_t i = 0; i < rank->gpu_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->gpu[i]];
		uint32_t step;

		if (row->stream <= 0 ||
		    (ra_hta_class(rank, row->event) & RA_HTA_CLASS_COLLECT) == 0) {
			continue;
		}
		step = ra_hta_steps_find(steps, rank, row);
		if (step != RA_NONE && steps->steps[step].number > 0) {
			const struct run run = { ra_hta_name(rank, row->event),
				                 row->stream,
				                 steps->steps[step].number,
				                 row->ts_us,
				                 row->dur_us,
				                 index,
				                 (uint32_t) i };

			RA_UTIL_APPEND(runs->runs, runs->count, runs->capacity, run);
		}
	}
}

static void read_ranks(struct runs *runs, struct whole *whole, struct ra_hta *hta)
{
	struct ra_util_map numbers = { 0 };

	for (size_t r = 0; r < hta->count; r++) {
		const struct ra_hta_steps *steps = ra_hta_shared_steps(&hta->ranks[r]);

		for (size_t s = 0; s < steps->count; s++) {
			ra_util_map_put(&numbers, (uint64_t) steps->steps[s].number, 1);
		}
		read_rank(runs, whole, hta, r, steps);
	}
	whole->step_count = numbers.count < RA_HTA_STEPS_MOST ? numbers.count : RA_HTA_STEPS_MOST;
	ra_util_map_free(&numbers);
}

/* Keeps the long runs of collectives: for each rank and step, the last one. */
static void keep_last(struct runs *runs, double least_us)
{
	size_t kept = 0;

	for (size_t i = 0; i < runs->count; i++) {
		if (runs->runs[i].dur_us >= least_us) {
			runs->runs[kept++] = runs->runs[i];
		}
	}
	runs->count = kept;
	RA_SORT(runs->runs, kept, compare_runs);
	kept = 0;
	for (size_t i = 0; i < runs->count; i++) {
		const bool is_last = i + 1 == runs->count ||
		                     compare_steps(&runs->runs[i], &runs->runs[i + 1]) != 0 ||
		                     runs->runs[i].rank != runs->runs[i + 1].rank;

		if (is_last) {
			runs->runs[kept++] = runs->runs[i];
		}
	}
	runs->count = kept;
}

/* Finds where the runs end that are equal to the first by this comparison. */
static size_t find_end(const struct runs *runs, size_t first,
                       int (*compare)(const struct run *, const struct run *))
{
	size_t end = first + 1;

	while (end < runs->count && compare(&runs->runs[first], &runs->runs[end]) == 0) {
		end++;
	}
	return end;
}

/* Computes the deviation of durations across ranks, averaged over steps; NaN: no step has two
 * ranks. */
static double find_spread(const struct runs *runs, size_t first, size_t end, double *values)
{
	double sum = 0;
	size_t steps = 0;

	for (size_t i = first; i < end;) {
		const size_t next = find_end(runs, i, compare_steps);
		struct ra_describe stats;

		for (size_t j = i; j < next; j++) {
			values[j - i] = runs->runs[j].dur_us;
		}
		ra_describe_values(&stats, values, next - i);
		if (next - i > 1) {
			sum += stats.deviation;
			steps++;
		}
		i = next;
	}
	return steps == 0 ? NAN : sum / (double) steps;
}

/* Counts a hit for the ranks that start last in a step: `most` ranks, and those that start at the
 * same time as one of these. */
static void count_hits(struct ra_hta_straggler *rows, const struct runs *runs, size_t first,
                       size_t end, uint64_t most)
{
	double *starts = ra_alloc_zeros(end - first + 1, sizeof(*starts));
	struct ra_describe stats;
	double threshold;

	for (size_t i = first; i < end; i++) {
		starts[i - first] = runs->runs[i].start_us;
	}
	ra_describe_values(&stats, starts, end - first); /* sorts the values */
	threshold = most < end - first ? starts[end - first - most] : starts[0];
	for (size_t i = first; i < end; i++) {
		if (runs->runs[i].start_us >= threshold) {
			rows[runs->runs[i].rank].hits++;
		}
	}
	free(starts);
}

static uint32_t find_event(const struct ra_hta *hta, const struct run *run)
{
	const struct ra_hta_rank *rank = &hta->ranks[run->rank];

	return rank->linked[rank->gpu[run->event]].event;
}

static void fill(struct ra_hta_stragglers *out, const struct ra_hta *hta, const struct runs *runs,
                 const struct whole *whole, uint64_t most)
{
	const double step_us = (whole->end_us - whole->start_us) / (double) whole->step_count;
	double *values = ra_alloc_zeros(runs->count + 1, sizeof(*values));
	double widest = -1;
	size_t first = 0;
	size_t end = 0;

	for (size_t i = 0; i < runs->count;) {
		const size_t next = find_end(runs, i, compare_collectives);
		const double spread = find_spread(runs, i, next, values);

		if (spread > widest) {
			widest = spread;
			first = i;
			end = next;
		}
		i = next;
	}
	for (size_t i = first; i < end;) {
		const size_t next = find_end(runs, i, compare_steps);

		count_hits(out->rows, runs, i, next, most);
		for (size_t j = i; j < next; j++) {
			struct ra_hta_straggler *row = &out->rows[runs->runs[j].rank];

			row->start = (runs->runs[j].start_us - whole->start_us) / step_us;
			row->event = find_event(hta, &runs->runs[j]);
			row->of = runs->runs[j].rank;
		}
		i = next;
	}
	free(values);
}

/* Sorts by hits, most first; equal ones are in pandas' order. Leaves out ranks that did not take
 * part in the collective. */
static void order_by_hits(struct ra_hta_stragglers *out, size_t rank_count, uint64_t most)
{
	struct ra_hta_straggler *sorted = ra_alloc_zeros(rank_count + 1, sizeof(*sorted));
	uint32_t *order = ra_alloc_zeros(rank_count + 1, sizeof(*order));
	double *hits = ra_alloc_zeros(rank_count + 1, sizeof(*hits));
	size_t count = 0;

	for (size_t i = 0; i < rank_count; i++) {
		if (out->rows[i].event != RA_NONE) {
			out->rows[count] = out->rows[i];
			hits[count] = (double) out->rows[i].hits;
			count++;
		}
	}
	ra_numpy_sort_descending(order, hits, count);
	for (size_t i = 0; i < count && i < most; i++) {
		sorted[out->count++] = out->rows[order[i]];
	}
	free(order);
	free(hits);
	free(out->rows);
	out->rows = sorted;
}

void ra_hta_stragglers_find(struct ra_hta_stragglers *out, struct ra_hta *hta, uint64_t most)
{
	struct whole whole = { INFINITY, -INFINITY, 0 };
	struct runs runs = { 0 };

	read_ranks(&runs, &whole, hta);
	*out = (struct ra_hta_stragglers){ ra_alloc_zeros(hta->count + 1, sizeof(*out->rows)), 0 };
	for (size_t i = 0; i < hta->count; i++) {
		out->rows[i].rank = hta->ranks[i].rank;
		out->rows[i].event = RA_NONE;
	}
	most = most == 0 ? 1 : most;
	if (whole.step_count > 0) {
		keep_last(&runs,
		          (whole.end_us - whole.start_us) / (double) whole.step_count * LEAST_PART);
		fill(out, hta, &runs, &whole, most);
	}
	order_by_hits(out, hta->count, most);
	free(runs.runs);
}

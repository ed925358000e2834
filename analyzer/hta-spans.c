/* SPDX-License-Identifier: MIT */
/* HTA's unions of GPU work and what it sums over them: temporal, kinds of kernels, overlap. */
#include "analyzer/hta-spans.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/numpy-sort.h"
#include "format/error.h"

#define ANY_KIND 0xffu

struct span {
	double start_us;
	double end_us;
};

struct spans {
	struct span *spans; /* owned */
	size_t count;
};

/* A border of a span in a sweep. */
struct border {
	double at_us;
	int change; /* + the kind's bit, or - */
};

struct sweep {
	struct border *borders; /* owned */
	size_t count;
};

static bool is_chosen(const struct ra_hta_row *row, unsigned kind)
{
	return row->stream != -1 && (kind == ANY_KIND || row->kind == kind);
}

/* Rows whose ts is not above all ends before them are one span. Durations may be negative, and then
 * the order of rows with equal ts matters. */
static void merge(struct spans *out, const struct ra_hta_rank *rank, const uint32_t *rows,
                  const uint32_t *order, size_t count)
{
	double end_us = 0;

	for (size_t i = 0; i < count; i++) {
		const struct ra_hta_row *row = &rank->rows[rows[order[i]]];
		const double row_end_us = row->ts_us + row->dur_us;

		if (i == 0 || row->ts_us > end_us) {
			out->spans[out->count++] = (struct span){ row->ts_us, row_end_us };
		} else {
			struct span *span = &out->spans[out->count - 1];

			span->end_us = fmax(span->end_us, row_end_us);
		}
		end_us = i == 0 ? row_end_us : fmax(end_us, row_end_us);
	}
}

/* The union of a kind's rows. Return: 0, -RLOG_E_NO_MEMORY; free out->spans in any case. */
static int unite(struct spans *out, const struct ra_hta_rank *rank, unsigned kind)
{
	uint32_t *rows = malloc(rank->count * sizeof(*rows) + 1);
	uint32_t *order = malloc(rank->count * sizeof(*order) + 1);
	double *values = calloc(rank->count + 1, sizeof(*values));
	size_t count = 0;
	int rc = -RLOG_E_NO_MEMORY;

	*out = (struct spans){ malloc(rank->count * sizeof(*out->spans) + 1), 0 };
	if (rows != NULL && order != NULL && values != NULL && out->spans != NULL) {
		for (size_t i = 0; i < rank->count; i++) {
			if (is_chosen(&rank->rows[i], kind)) {
				values[count] = rank->rows[i].ts_us;
				rows[count++] = (uint32_t) i;
			}
		}
		ra_numpy_sort_order(order, values, count);
		merge(out, rank, rows, order, count);
		rc = 0;
	}
	free(rows);
	free(order);
	free(values);
	return rc;
}

static double sum_lengths(const struct spans *spans)
{
	double sum_us = 0;

	for (size_t i = 0; i < spans->count; i++) {
		sum_us += spans->spans[i].end_us - spans->spans[i].start_us;
	}
	return sum_us;
}

int ra_hta_spans_temporal(struct ra_hta_temporal *out, const struct ra_hta_rank *rank)
{
	struct spans all;
	struct spans compute = { 0 };
	int rc = unite(&all, rank, ANY_KIND);

	*out = (struct ra_hta_temporal){ NAN, NAN, NAN, NAN };
	if (rc == 0) {
		rc = unite(&compute, rank, RA_HTA_COMPUTATION);
	}
	if (rc == 0 && all.count > 0) {
		out->kernel_time_us = all.spans[all.count - 1].end_us - all.spans[0].start_us;
		out->idle_us = out->kernel_time_us - sum_lengths(&all);
		out->compute_us = sum_lengths(&compute);
		out->non_compute_us = out->kernel_time_us - out->compute_us - out->idle_us;
	}
	free(all.spans);
	free(compute.spans);
	return rc;
}

/* Puts the borders behind the others, starts first, then sorts all as HTA does. */
static int add_borders(struct sweep *sweep, const struct spans *spans, int bit)
{
	const size_t count = sweep->count + 2 * spans->count;
	struct border *borders = calloc(count + 1, sizeof(*borders));
	struct border *sorted = calloc(count + 1, sizeof(*sorted));
	uint32_t *order = malloc(count * sizeof(*order) + 1);
	double *values = calloc(count + 1, sizeof(*values));
	int rc = -RLOG_E_NO_MEMORY;

	if (borders != NULL && sorted != NULL && order != NULL && values != NULL) {
		for (size_t i = 0; i < sweep->count; i++) {
			borders[i] = sweep->borders[i];
		}
		for (size_t i = 0; i < spans->count; i++) {
			const struct span *span = &spans->spans[i];

			borders[sweep->count + i] = (struct border){ span->start_us, bit };
			borders[sweep->count + spans->count + i] =
				(struct border){ span->end_us, -bit };
		}
		for (size_t i = 0; i < count; i++) {
			values[i] = borders[i].at_us;
		}
		ra_numpy_sort_order(order, values, count);
		for (size_t i = 0; i < count; i++) {
			sorted[i] = borders[order[i]];
		}
		free(sweep->borders);
		*sweep = (struct sweep){ sorted, count };
		sorted = NULL;
		rc = 0;
	}
	free(borders);
	free(sorted);
	free(order);
	free(values);
	return rc;
}

static int add_kind(struct sweep *sweep, const struct ra_hta_rank *rank, unsigned kind, int bit)
{
	struct spans spans;
	int rc = unite(&spans, rank, kind);

	if (rc == 0) {
		rc = add_borders(sweep, &spans, bit);
	}
	free(spans.spans);
	return rc;
}

int ra_hta_spans_kinds(double sums_us[8], bool has[8], const struct ra_hta_rank *rank,
                       unsigned types)
{
	struct sweep sweep = { 0 };
	int running = 0;
	int rc = 0;

	for (unsigned i = 0; i < types && rc == 0; i++) {
		rc = add_kind(&sweep, rank, 1u << i, 1 << i);
	}
	for (size_t i = 0; i + 1 < sweep.count && rc == 0; i++) {
		running += sweep.borders[i].change;
		if (running > 0) {
			has[running & 7] = true;
			sums_us[running & 7] +=
				trunc(sweep.borders[i + 1].at_us - sweep.borders[i].at_us);
		}
	}
	free(sweep.borders);
	return rc;
}

int ra_hta_spans_overlap(double *part, const struct ra_hta_rank *rank)
{
	struct sweep sweep = { 0 };
	struct spans communication;
	int running = 0;
	double sum_us = 0;
	int rc = unite(&communication, rank, RA_HTA_COMMUNICATION);

	*part = NAN;
	/* HTA's bits are the other way round here: it matters for the order of equal times. */
	if (rc == 0) {
		rc = add_borders(&sweep, &communication, 1);
	}
	if (rc == 0) {
		struct spans compute;

		rc = unite(&compute, rank, RA_HTA_COMPUTATION);
		if (rc == 0) {
			rc = add_borders(&sweep, &compute, 2);
		}
		free(compute.spans);
	}
	for (size_t i = 0; i + 1 < sweep.count && rc == 0; i++) {
		running += sweep.borders[i].change;
		if (running == 3) {
			sum_us += sweep.borders[i + 1].at_us - sweep.borders[i].at_us;
		}
	}
	if (rc == 0 && sum_lengths(&communication) != 0) {
		*part = sum_us / sum_lengths(&communication);
	}
	free(communication.spans);
	free(sweep.borders);
	return rc;
}

/* SPDX-License-Identifier: MIT */
/* Makes HTA's unions of GPU work, and its sums over them: temporal, kinds of kernels, overlap. */
#include "analyzer/compat/hta/spans.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/compat/hta/sweep.h"
#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/order/run-sort.h"

static bool is_chosen(const struct ra_hta_row *row, int of)
{
	return of == RA_HTA_UNION_ALL || row->kind == 1u << of;
}

/* Joins rows into spans. A row that starts no later than the largest end so far joins the last
 * span. Durations may be negative; then the order of rows with equal ts matters. */
static void add_row(struct ra_hta_union *out, double *end_us, const struct ra_hta_row *row)
{
	const double row_end_us = row->ts_us + row->dur_us;

	if (out->count == 0 || row->ts_us > *end_us) {
		*end_us = out->count == 0 ? row_end_us : fmax(*end_us, row_end_us);
		out->spans[out->count++] = (struct ra_hta_span){ row->ts_us, row_end_us };
	} else {
		struct ra_hta_span *span = &out->spans[out->count - 1];

		span->end_us = fmax(span->end_us, row_end_us);
		*end_us = fmax(*end_us, row_end_us);
	}
}

/* If no duration is negative, the order of equal times does not matter. */
static void unite_all(struct ra_hta_spans *spans, const struct ra_hta_rank *rank)
{
	uint32_t *order = ra_alloc_bytes(rank->gpu_count * sizeof(*order) + 1);
	double ends_us[RA_HTA_UNIONS] = { 0 };

	for (size_t i = 0; i < rank->gpu_count; i++) {
		order[i] = rank->gpu[i];
	}
	ra_run_sort_indices(order, rank->gpu_count, ra_hta_compare_starts, rank->linked);
	for (size_t i = 0; i < rank->gpu_count; i++) {
		const struct ra_hta_row *row = &rank->linked[order[i]];

		for (int of = 0; of < RA_HTA_UNIONS; of++) {
			if (is_chosen(row, of)) {
				add_row(&spans->unions[of], &ends_us[of], row);
			}
		}
	}
	free(order);
}

/* Makes the union of a kind's rows. Equal times are in numpy's order. */
static void unite(struct ra_hta_spans *spans, const struct ra_hta_rank *rank, int of)
{
	uint32_t *rows = ra_alloc_bytes(rank->gpu_count * sizeof(*rows) + 1);
	uint32_t *order = ra_alloc_bytes(rank->gpu_count * sizeof(*order) + 1);
	double *values = ra_alloc_bytes(rank->gpu_count * sizeof(*values) + 1);
	double end_us = 0;
	size_t count = 0;

	for (size_t i = 0; i < rank->gpu_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->gpu[i]];

		if (is_chosen(row, of)) {
			values[count] = row->ts_us;
			rows[count++] = rank->gpu[i];
		}
	}
	ra_numpy_sort_order(order, values, count);
	for (size_t i = 0; i < count; i++) {
		add_row(&spans->unions[of], &end_us, &rank->linked[rows[order[i]]]);
	}
	free(rows);
	free(order);
	free(values);
}

void ra_hta_spans_init(struct ra_hta_spans *spans, const struct ra_hta_rank *rank)
{
	size_t counts[RA_HTA_UNIONS] = { 0 };

	*spans = (struct ra_hta_spans){ 0 };
	for (size_t i = 0; i < rank->gpu_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->gpu[i]];

		spans->has_negative |= row->dur_us < 0;
		for (int of = 0; of < RA_HTA_UNIONS; of++) {
			counts[of] += is_chosen(row, of);
		}
	}
	for (int of = 0; of < RA_HTA_UNIONS; of++) {
		struct ra_hta_union *out = &spans->unions[of];

		out->spans = ra_alloc_bytes(counts[of] * sizeof(*out->spans) + 1);
	}
	if (!spans->has_negative) {
		unite_all(spans, rank);
		return;
	}
	for (int of = 0; of < RA_HTA_UNIONS; of++) {
		unite(spans, rank, of);
	}
}

void ra_hta_spans_fini(struct ra_hta_spans *spans)
{
	for (int of = 0; of < RA_HTA_UNIONS; of++) {
		free(spans->unions[of].spans);
	}
	*spans = (struct ra_hta_spans){ 0 };
}

static double sum_lengths(const struct ra_hta_union *of)
{
	double sum_us = 0;

	for (size_t i = 0; i < of->count; i++) {
		sum_us += of->spans[i].end_us - of->spans[i].start_us;
	}
	return sum_us;
}

void ra_hta_spans_temporal(struct ra_hta_temporal *out, const struct ra_hta_spans *spans)
{
	const struct ra_hta_union *all = &spans->unions[RA_HTA_UNION_ALL];

	*out = (struct ra_hta_temporal){ NAN, NAN, NAN, NAN };
	if (all->count > 0) {
		out->kernel_time_us = all->spans[all->count - 1].end_us - all->spans[0].start_us;
		out->idle_us = out->kernel_time_us - sum_lengths(all);
		out->compute_us = sum_lengths(&spans->unions[RA_HTA_UNION_COMPUTATION]);
		out->non_compute_us = out->kernel_time_us - out->compute_us - out->idle_us;
	}
}

void ra_hta_spans_kinds(double sums_us[8], bool has[8], const struct ra_hta_spans *spans,
                        unsigned types)
{
	const struct ra_hta_union *unions[] = { &spans->unions[0], &spans->unions[1],
		                                &spans->unions[2] };
	struct ra_hta_sweep sweep = { .unions = unions, .count = types };

	ra_hta_sweep_run(&sweep, spans->has_negative);
	for (unsigned kinds = 0; kinds < 8; kinds++) {
		has[kinds] |= sweep.has[kinds];
		sums_us[kinds] += sweep.whole_us[kinds];
	}
}

double ra_hta_spans_overlap(const struct ra_hta_spans *spans)
{
	/* The order is the reverse of HTA's bits. It matters for equal times. */
	const struct ra_hta_union *unions[] = { &spans->unions[RA_HTA_UNION_COMMUNICATION],
		                                &spans->unions[RA_HTA_UNION_COMPUTATION] };
	const double whole_us = sum_lengths(unions[0]);
	struct ra_hta_sweep sweep = { .unions = unions, .count = 2, .only_lengths = true };

	ra_hta_sweep_run(&sweep, spans->has_negative);
	return whole_us != 0 ? sweep.both_us / whole_us : NAN;
}

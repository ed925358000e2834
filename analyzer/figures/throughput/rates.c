/* SPDX-License-Identifier: MIT */
/* Computes the rate of work, and its share of the device's peak. */
#include "analyzer/figures/throughput/rates.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

void ra_rates_add(struct ra_rate *rate, const struct ra_op_work *work, double part, int64_t dur_ns)
{
	if (work->flops > 0) {
		rate->flops += work->flops * part;
		rate->flops_ns = ra_util_add_time(rate->flops_ns, dur_ns);
	}
	if (work->bytes > 0) {
		rate->bytes += work->bytes * part;
		rate->bytes_ns = ra_util_add_time(rate->bytes_ns, dur_ns);
	}
	if (work->flops > 0 && work->bytes > 0) {
		rate->both_flops += work->flops * part;
		rate->both_bytes += work->bytes * part;
	}
}

void ra_rates_add_peak(struct ra_rate *rate, const struct ra_works *works, uint32_t slice,
                       const struct ra_gpu_op *op)
{
	const struct ra_op_work *work = &works->rows[works->of_slice[slice]];
	const enum ra_kernel_type type = (enum ra_kernel_type) works->types[slice];
	const double seconds = (double) op->dur_ns * 1e-9;

	if (work->flops > 0) {
		const double peak =
			type == RA_KERNEL_TYPE_UNKNOWN ? 0 : ra_works_peak(works, op, type);

		rate->peak_flops += peak * seconds;
		rate->lacks_flops = rate->lacks_flops || !(peak > 0);
	}
	if (work->bytes > 0) {
		const double peak = ra_works_peak(works, op, RA_KERNEL_TYPE_UNKNOWN);

		rate->peak_bytes += peak * seconds;
		rate->lacks_bytes = rate->lacks_bytes || !(peak > 0);
	}
}

/* Writes a share of the peak. If it is above 100 %, the model counts more than the kernels did
 * (doc/metrics.md), so the cell stays empty. */
static void put_share(double part, double whole, bool is_unknown, struct ra_table_cell *cell)
{
	if (!is_unknown && whole > 0 && part <= whole) {
		*cell = ra_table_make_real(part / whole);
	}
}

void ra_rates_put(const struct ra_rate *rate, struct ra_table_cell *cells)
{
	if (rate->flops_ns > 0) {
		cells[RA_RATE_FLOPS] = ra_table_make_real(rate->flops);
		cells[RA_RATE_FLOPS_PER_S] =
			ra_table_make_real(rate->flops / (double) rate->flops_ns * 1e9);
		put_share(rate->flops, rate->peak_flops, rate->lacks_flops,
		          &cells[RA_RATE_FLOPS_SHARE]);
	}
	if (rate->bytes_ns > 0) {
		cells[RA_RATE_BYTES_PER_S] =
			ra_table_make_real(rate->bytes / (double) rate->bytes_ns * 1e9);
		put_share(rate->bytes, rate->peak_bytes, rate->lacks_bytes,
		          &cells[RA_RATE_BYTES_SHARE]);
	}
	if (rate->both_bytes > 0) {
		cells[RA_RATE_INTENSITY] = ra_table_make_real(rate->both_flops / rate->both_bytes);
	}
}

/* The GPU time of the kernels of a call itself, without those of inner calls. */
struct call {
	int64_t matrix_ns; /* GPU time of matrix products, convolutions and attention */
	int64_t other_ns;
	bool is_foreign; /* the call also copied from or to the host */
};

/* Calls whose work is known; most slices have no known work. */
struct calls {
	struct call *rows;  /* owned */
	uint32_t *of_slice; /* owned */
};

static void init_calls(struct calls *calls, const struct ra_works *works)
{
	const size_t slices = works->model->slices.count;
	uint32_t count = 0;

	calls->of_slice = ra_alloc_bytes(slices * sizeof(*calls->of_slice) + 1);
	for (size_t i = 0; i < slices; i++) {
		calls->of_slice[i] = works->of_slice[i] == RA_NONE ? RA_NONE : count++;
	}
	calls->rows = ra_alloc_zeros(count + 1, sizeof(*calls->rows));
}

static void fini_calls(struct calls *calls)
{
	free(calls->rows);
	free(calls->of_slice);
}

static uint32_t find_call(const struct ra_works *works, const struct ra_gpu_op *op)
{
	uint32_t at = op->slice;

	while (at != RA_NONE && works->of_slice[at] == RA_NONE) {
		at = works->model->slices.parent[at];
	}
	return at;
}

static bool is_matrix(struct ra_works *works, const struct ra_gpu_op *op)
{
	struct ra_kernel_class kernel;

	ra_kernel_kinds_find(&works->kinds, works->model, op->name, &kernel);
	return ra_kernel_kinds_is_matrix(kernel.kind);
}

static void sum_call(struct ra_works *works, const struct ra_gpu_op *op, const struct calls *calls)
{
	const uint32_t slice = find_call(works, op);
	struct call *call;
	int64_t *sum;

	if (slice == RA_NONE) {
		return;
	}
	call = &calls->rows[calls->of_slice[slice]];
	call->is_foreign = call->is_foreign || ra_rate_is_foreign(op);
	if (op->kind != RA_GPU_KERNEL) {
		return;
	}
	sum = is_matrix(works, op) ? &call->matrix_ns : &call->other_ns;
	*sum = ra_util_add_time(*sum, op->dur_ns);
}

static void add_kernel(struct ra_works *works, struct ra_labels *labels, const struct ra_gpu_op *op,
                       const struct calls *calls, struct ra_rate *rates)
{
	const uint32_t slice = find_call(works, op);
	const struct ra_op_work *work;
	const struct call *call;
	uint32_t key;
	int64_t whole_ns;

	if (op->kind != RA_GPU_KERNEL || slice == RA_NONE || op->dur_ns == 0) {
		return;
	}
	work = &works->rows[works->of_slice[slice]];
	key = ra_labels_find(labels, op->name);
	call = &calls->rows[calls->of_slice[slice]];
	whole_ns = call->matrix_ns > 0 ? call->matrix_ns : call->other_ns;
	if (is_matrix(works, op) == (call->matrix_ns > 0) &&
	    !(call->is_foreign && !(work->flops > 0))) {
		ra_rates_add(&rates[key], work, (double) op->dur_ns / (double) whole_ns,
		             op->dur_ns);
		ra_rates_add_peak(&rates[key], works, slice, op);
	}
}

void ra_rates_of_kernels(struct ra_works *works, struct ra_labels *labels, struct ra_rate **rates)
{
	const struct ra_gpu *gpu = &works->model->gpu;
	struct calls calls;

	*rates = NULL;
	if (works->count == 0) {
		return;
	}
	init_calls(&calls, works);
	*rates = ra_alloc_zeros(works->model->name_count + 1,
	                        sizeof(**rates)); /* there are at most as many labels as names */
	for (size_t i = 0; i < gpu->op_count; i++) {
		sum_call(works, &gpu->ops[i], &calls);
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		add_kernel(works, labels, &gpu->ops[i], &calls, *rates);
	}
	fini_calls(&calls);
}

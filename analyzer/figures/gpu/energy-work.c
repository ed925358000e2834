/* SPDX-License-Identifier: MIT */
/* Sums the energy of one GPU during ranges and kernels of each name. */
#include "analyzer/figures/gpu/energy-work.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

void ra_energy_work_init(struct ra_energy_work *work, const struct ra_model *model,
                         const struct ra_group *group, struct ra_labels *labels)
{
	*work = (struct ra_energy_work){ .model = model, .group = group, .labels = labels };
	work->ranges.of_key = ra_alloc_zeros(group->count + 1, sizeof(uint32_t));
	work->kernels.of_key = ra_alloc_zeros(model->name_count + 1, sizeof(uint32_t));
}

static void free_rows(struct ra_energy_rows *rows)
{
	free(rows->rows);
	free(rows->of_key);
}

void ra_energy_work_fini(struct ra_energy_work *work)
{
	free_rows(&work->ranges);
	free_rows(&work->kernels);
}

static void add(struct ra_energy_rows *rows, const struct ra_energy_curve *curve, uint32_t key,
                const struct ra_gpu_order *order, size_t number)
{
	const struct ra_gpu_order_op *op = &order->ops[number];
	struct ra_energy_row *row;

	if (rows->of_key[key] == 0) {
		RA_UTIL_APPEND(rows->rows, rows->count, rows->capacity,
		               (struct ra_energy_row){ .key = key });
		rows->of_key[key] = (uint32_t) rows->count;
	}
	row = &rows->rows[rows->of_key[key] - 1];
	if (row->last_op == number + 1) {
		return; /* this range is inside another of its name */
	}
	row->last_op = number + 1;
	row->ops++;
	ra_energy_add(curve, &row->energy, op->start_ns, op->end_ns);
}

static void add_op(struct ra_energy_work *work, const struct ra_energy_curve *curve,
                   const struct ra_gpu_order *order, size_t number)
{
	const struct ra_gpu_op *op = &work->model->gpu.ops[order->ops[number].op];

	for (uint32_t s = op->slice; s != RA_NONE; s = work->model->slices.parent[s]) {
		add(&work->ranges, curve, work->group->of_slice[s], order, number);
	}
	if (op->kind == RA_GPU_KERNEL) {
		add(&work->kernels, curve, ra_labels_find(work->labels, op->name), order, number);
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct ra_energy_row *a = left;
	const struct ra_energy_row *b = right;

	return RA_ORDER_THEN(RA_ORDER_DOWN(a, b, energy.joules), RA_ORDER_UP(a, b, key));
}

static void clear(struct ra_energy_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		rows->of_key[rows->rows[i].key] = 0;
	}
	rows->count = 0;
}

static void finish(struct ra_energy_rows *rows, const struct ra_energy_curve *curve)
{
	for (size_t i = 0; i < rows->count; i++) {
		ra_energy_finish(curve, &rows->rows[i].energy);
	}
	RA_SORT(rows->rows, rows->count, compare_rows);
}

void ra_energy_work_sum(struct ra_energy_work *work, const struct ra_energy_curve *curve,
                        const struct ra_gpu_order *order)
{
	clear(&work->ranges);
	clear(&work->kernels);
	for (size_t d = 0; d < order->device_count; d++) {
		const struct ra_gpu_order_device *device = &order->devices[d];

		for (size_t i = device->first;
		     device->id == curve->device && i < device->first + device->count; i++) {
			add_op(work, curve, order, i);
		}
	}
	finish(&work->ranges, curve);
	finish(&work->kernels, curve);
}

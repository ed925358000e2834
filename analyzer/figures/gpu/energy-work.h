/* SPDX-License-Identifier: MIT */
/* The energy of one GPU that falls to the ranges and kernels of each name. */
#ifndef RA_ENERGY_WORK_H
#define RA_ENERGY_WORK_H

#include "analyzer/figures/gpu/energy.h"
#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/names/group.h"
#include "analyzer/names/labels.h"

/* All GPU work of a name. */
struct ra_energy_row {
	struct ra_energy_sum energy;
	uint64_t ops;
	size_t last_op; /* the last one added, plus 1 */
	uint32_t key;   /* group of ranges, or label of kernels */
};

/* Rows of one kind, most energy first, and the index of each key's row. */
struct ra_energy_rows {
	struct ra_energy_row *rows; /* owned */
	size_t count;
	size_t capacity;
	uint32_t *of_key; /* owned; index + 1, 0: none */
};

struct ra_energy_work {
	const struct ra_model *model;  /* borrowed, as the next two */
	const struct ra_group *group;  /* of its ranges */
	struct ra_labels *labels;      /* of kernels */
	struct ra_energy_rows ranges;  /* by group */
	struct ra_energy_rows kernels; /* by label */
};

void ra_energy_work_init(struct ra_energy_work *work, const struct ra_model *model,
                         const struct ra_group *group, struct ra_labels *labels);
void ra_energy_work_fini(struct ra_energy_work *work);

/* Sums up the work of a device and replaces the sums before. @order: of the model. */
void ra_energy_work_sum(struct ra_energy_work *work, const struct ra_energy_curve *curve,
                        const struct ra_gpu_order *order);

#endif

/* SPDX-License-Identifier: MIT */
/* Sums the energy of one GPU during ranges and kernels of each name. */
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
	size_t last_op; /* number of the operation that was added last, plus 1 */
	uint32_t key;   /* group of ranges, or label of kernels */
};

/* Rows of one kind, sorted by energy, most first, and an index to find the row of a key. */
struct ra_energy_rows {
	struct ra_energy_row *rows; /* owned */
	size_t count;
	size_t capacity;
	uint32_t *of_key; /* owned; for each key, its row's index + 1; 0: it has no row */
};

struct ra_energy_work {
	const struct ra_model *model;  /* borrowed, as the next two members */
	const struct ra_group *group;  /* of the model's ranges */
	struct ra_labels *labels;      /* of the kernels */
	struct ra_energy_rows ranges;  /* keys are groups */
	struct ra_energy_rows kernels; /* keys are labels */
};

void ra_energy_work_init(struct ra_energy_work *work, const struct ra_model *model,
                         const struct ra_group *group, struct ra_labels *labels);
void ra_energy_work_fini(struct ra_energy_work *work);

/* Sums up the work of a device; these sums replace those of another device. @order: the model's. */
void ra_energy_work_sum(struct ra_energy_work *work, const struct ra_energy_curve *curve,
                        const struct ra_gpu_order *order);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds the role that a piece of work has in a step. */
#ifndef RA_STEP_ROLE_OF_H
#define RA_STEP_ROLE_OF_H

#include "analyzer/names/name-tests.h"
#include "analyzer/steps/step-costs.h"

/* The state. Each name is tested only once. */
struct ra_step_role_of {
	const struct ra_model *model; /* borrowed */
	/* owned; by name of a kernel: 1 not a collective, 2 a collective, 0 not tested yet */
	uint8_t *collectives;
	struct ra_name_tests loaders;
	struct ra_name_tests host_collectives;
};

void ra_step_role_of_init(struct ra_step_role_of *of, const struct ra_model *model);
void ra_step_role_of_fini(struct ra_step_role_of *of);

/* The role of GPU work. */
enum ra_role ra_step_role_of_op(struct ra_step_role_of *of, const struct ra_gpu_op *op);

/* The role of a range with this name: it reads input, communicates without a GPU, or does other
 * work. */
enum ra_role ra_step_role_of_range(struct ra_step_role_of *of, uint32_t name);

#endif

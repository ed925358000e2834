/* SPDX-License-Identifier: MIT */
/* Finds the role that a piece of work has in a step. */
#include "analyzer/steps/step-role-of.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/steps/steps.h"

/* Prepares the search. A range around a collective of NCCL only launches it, so it has the role of
 * communication only if the collective's kernels were not recorded. */
void ra_step_role_of_init(struct ra_step_role_of *of, const struct ra_model *model)
{
	*of = (struct ra_step_role_of){ .model = model };
	of->collectives = ra_alloc_zeros(model->name_count + 1, 1);
	ra_name_tests_init(&of->loaders, model, ra_op_kinds_is_loader);
	ra_name_tests_init(&of->host_collectives, model,
	                   model->gpu.op_count > 0 ? ra_op_kinds_is_gloo
	                                           : ra_op_kinds_is_gloo_or_nccl);
}

void ra_step_role_of_fini(struct ra_step_role_of *of)
{
	ra_name_tests_fini(&of->loaders);
	ra_name_tests_fini(&of->host_collectives);
	free(of->collectives);
}

enum ra_role ra_step_role_of_op(struct ra_step_role_of *of, const struct ra_gpu_op *op)
{
	static const enum ra_role roles[RA_GPU_KINDS] = {
		[RA_GPU_KERNEL] = RA_ROLE_KERNEL,
		[RA_GPU_COPY] = RA_ROLE_MEMCPY,
		[RA_GPU_SET] = RA_ROLE_MEMSET,
		[RA_GPU_GRAPH] = RA_ROLE_KERNEL,
	};
	uint8_t *is_collective = &of->collectives[op->name];

	if (op->kind != RA_GPU_KERNEL) {
		return roles[op->kind];
	}
	if (*is_collective == 0) {
		*is_collective = op->is_collective ? 2 : 1;
	}
	return *is_collective == 2 ? RA_ROLE_COMMUNICATION : RA_ROLE_KERNEL;
}

enum ra_role ra_step_role_of_range(struct ra_step_role_of *of, uint32_t name)
{
	if (ra_name_tests_ask(&of->loaders, name)) {
		return RA_ROLE_DATALOADER;
	}
	return ra_name_tests_ask(&of->host_collectives, name) ? RA_ROLE_COMMUNICATION
	                                                      : RA_ROLE_CPU_EXEC;
}

/* SPDX-License-Identifier: MIT */
/* --compat=tb: makes the data for this mode's reports. */
#ifndef RA_TB_H
#define RA_TB_H

#include "analyzer/figures/gpu/gpu-usage.h"
#include "analyzer/compat/tb/events.h"
#include "analyzer/compat/tb/nodes.h"
#include "analyzer/compat/tb/steps.h"

struct ra_tb_tables;

struct ra_tb {
	struct ra_tb_events events;
	struct ra_tb_nodes nodes;
	struct ra_tb_steps steps;
	struct ra_step_cost *costs; /* owned; one for each step */
	struct ra_step_cost mean;
	struct ra_gpu_usages usages;
	double *tensor_share; /* owned; for each of usages, the share over the kernels of operators;
	                         NaN: there are none */
	double tensor_share_of_all;  /* the share over all kernels; NaN: there are none */
	struct ra_tb_tables *tables; /* owned; NULL until ra_tb_tables_need() */
	double eligible_share;       /* the part of the operators' kernel time that eligible
	                                operators launched */
	bool has_role[RA_ROLE_OTHER];
};

/* Makes the data. The trace must be in JSON. Never NULL. */
struct ra_tb *ra_tb_create(const struct ra_kineto *kineto);

/* NULL is allowed. */
void ra_tb_destroy(struct ra_tb *tb);

#endif

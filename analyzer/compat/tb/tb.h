/* SPDX-License-Identifier: MIT */
/* --compat=tb: everything that this mode's reports are made from. */
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
	struct ra_step_cost *costs; /* owned; one per step */
	struct ra_step_cost mean;
	struct ra_gpu_usages usages;
	double *tensor_share; /* owned; per usage: share over the kernels of operators; NaN: there
	                         are none */
	double tensor_share_of_all;  /* NaN: no kernels */
	struct ra_tb_tables *tables; /* owned; NULL until ra_tb_tables_need() */
	double eligible_share;       /* part of the operators' kernel time that eligible operators
	                                launched */
	bool has_role[RA_ROLE_OTHER];
};

/* The trace must be in JSON. */
struct ra_tb *ra_tb_create(const struct ra_kineto *kineto);

/* NULL is allowed. */
void ra_tb_destroy(struct ra_tb *tb);

#endif

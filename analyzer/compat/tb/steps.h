/* SPDX-License-Identifier: MIT */
/* --compat=tb: finds the steps, and the stretches of time of each role. */
#ifndef RA_TB_STEPS_H
#define RA_TB_STEPS_H

#include "analyzer/steps/step-costs.h"
#include "analyzer/compat/tb/nodes.h"

struct ra_tb_steps {
	struct ra_step_times times;
	double global_start; /* start of the profiler's own range; without it, of the first event */
	double global_end;
};

/* Finds the steps, and the step of each collective. Drops all collectives if two libraries are
 * used. */
void ra_tb_steps_init(struct ra_tb_steps *steps, struct ra_tb_nodes *nodes);
void ra_tb_steps_fini(struct ra_tb_steps *steps);

#endif

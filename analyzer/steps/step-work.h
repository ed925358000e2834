/* SPDX-License-Identifier: MIT */
/* GPU work that was launched in each of the steps that the program told by ranges_step(). */
#ifndef RA_STEP_WORK_H
#define RA_STEP_WORK_H

#include "analyzer/model/model.h"

struct ra_step_work_row {
	int64_t start_ns; /* of the step's range */
	int64_t end_ns;   /* no more part of it */
	int64_t gpu_ns;   /* durations of operations whose call began in it, on whatever thread */
	uint64_t ops;
	uint32_t slice;
};

struct ra_step_work {
	struct ra_step_work_row *rows; /* owned; by start */
	size_t count;                  /* 0: no ranges_step() */
};

/* Time: operations × log steps. */
void ra_step_work_init(struct ra_step_work *work, const struct ra_model *model);
void ra_step_work_fini(struct ra_step_work *work);

#endif

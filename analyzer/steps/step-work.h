/* SPDX-License-Identifier: MIT */
/* Finds the GPU work launched in each step that the program reported by ranges_step(). */
#ifndef RA_STEP_WORK_H
#define RA_STEP_WORK_H

#include "analyzer/model/model.h"

struct ra_step_work_row {
	int64_t start_ns; /* start of the step's range */
	int64_t end_ns;   /* end of that range: the first ns after it */
	int64_t gpu_ns;   /* sum over operations whose call began in the step, on any thread */
	uint64_t ops;
	uint32_t slice;
};

struct ra_step_work {
	struct ra_step_work_row *rows; /* owned; ordered by start */
	size_t count;                  /* 0: the program did not call ranges_step() */
};

/* Fills the rows. Time: O(operations × log steps). */
void ra_step_work_init(struct ra_step_work *work, const struct ra_model *model);
void ra_step_work_fini(struct ra_step_work *work);

#endif

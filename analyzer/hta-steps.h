/* SPDX-License-Identifier: MIT */
/* The steps of the profiler in a rank, and which one a row is in, as HTA has it. */
#ifndef RA_HTA_STEPS_H
#define RA_HTA_STEPS_H

#include "analyzer/hta.h"

/* No profiler records as many; a hostile trace's are looked through for each row. */
#define RA_HTA_STEPS_MOST 4096

struct ra_hta_step {
	double start_us;
	double end_us;
	int64_t number;
};

/* Zero-initialise; one list can be used for rank after rank. */
struct ra_hta_steps {
	struct ra_hta_step *steps; /* owned; in the order of rows, a number can come twice */
	size_t count;
	size_t capacity;
};

/* Finds a rank's steps. Return: 0, -RLOG_E_NO_MEMORY; free steps->steps in any case. */
int ra_hta_steps_find(struct ra_hta_steps *steps, const struct ra_hta_rank *rank);

/* Adds a step whose number is not there yet. Return: as before. */
int ra_hta_steps_add_new(struct ra_hta_steps *steps, const struct ra_hta_step *step);

/* Number of the step that a row is in, a GPU row in that of its call; -1: none. */
int64_t ra_hta_steps_of(const struct ra_hta_rank *rank, const struct ra_hta_steps *steps,
                        const struct ra_hta_row *row);

#endif

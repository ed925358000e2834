/* SPDX-License-Identifier: MIT */
/* Finds the profiler's steps in a rank, and the step of each row, as HTA does. */
#ifndef RA_HTA_STEPS_H
#define RA_HTA_STEPS_H

#include "analyzer/compat/hta/hta.h"

/* The most steps. No profiler records more. The limit is for hostile traces, because each step is
 * compared with each other step. */
#define RA_HTA_STEPS_MOST 4096

/* All rows of a step, that is, of all ranges with its number. */
struct ra_hta_step {
	int64_t number;
	uint64_t events;
	uint64_t gpu_events;
};

/* A time at which the open step changes. */
struct ra_hta_steps_change {
	double at_us;
	uint32_t place; /* index of the step; RA_NONE: none is open */
};

struct ra_hta_steps {
	struct ra_hta_step *steps; /* owned; ordered by number, which differs in each */
	size_t count;
	struct ra_hta_steps_change *changes; /* owned; ordered by time */
	size_t change_count;
	double start_us; /* of all rows in a step; INFINITY: there are none */
	double end_us;   /* of all rows in a step; -INFINITY: there are none */
};

/* A row in a step. */
struct ra_hta_steps_row {
	uint32_t place; /* index of the step */
	uint32_t event; /* index in kineto */
	int64_t stream; /* -1: the row is on the CPU */
	double ts_us;
	double dur_us;
};

/* Finds a rank's steps and counts their rows. */
void ra_hta_steps_init(struct ra_hta_steps *steps, const struct ra_hta_rank *rank);
void ra_hta_steps_fini(struct ra_hta_steps *steps);

/* Returns the index of the step that a linked row is in; RA_NONE: none. A GPU row is in its call's
 * step. If several steps are open, the last one counts. */
uint32_t ra_hta_steps_find(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                           const struct ra_hta_row *row);

/* Calls `visit` for all rows of a rank that are in a step, as often as HTA has them. Plain rows of
 * the CPU come first. */
void ra_hta_steps_walk(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                       void (*see)(void *context, const struct ra_hta_steps_row *row),
                       void *context);

#endif

/* SPDX-License-Identifier: MIT */
/* The steps of the profiler in a rank, and which one a row is in, as HTA has it. */
#ifndef RA_HTA_STEPS_H
#define RA_HTA_STEPS_H

#include "analyzer/compat/hta/hta.h"

/* No profiler records as many; a hostile trace's are looked through for each other. */
#define RA_HTA_STEPS_MOST 4096

/* A step's rows, all that have its number. */
struct ra_hta_step {
	int64_t number;
	uint64_t events;
	uint64_t gpu_events;
};

/* A time from which on another step is open. */
struct ra_hta_steps_change {
	double at_us;
	uint32_t place; /* index of the step; RA_NONE: none is open */
};

struct ra_hta_steps {
	struct ra_hta_step *steps; /* owned; by number, each once */
	size_t count;
	struct ra_hta_steps_change *changes; /* owned; by time */
	size_t change_count;
	double start_us; /* of all rows that are in a step; INFINITY: none is */
	double end_us;   /* likewise; -INFINITY */
};

/* A row that is in a step. */
struct ra_hta_steps_row {
	uint32_t place; /* index of the step */
	uint32_t event; /* of kineto */
	int64_t stream; /* -1: of the CPU */
	double ts_us;
	double dur_us;
};

/* Finds a rank's steps and counts their rows. */
void ra_hta_steps_init(struct ra_hta_steps *steps, const struct ra_hta_rank *rank);
void ra_hta_steps_fini(struct ra_hta_steps *steps);

/* Index of the step that a linked row is in, a GPU row in that of its call; RA_NONE: none. Where
 * several are open, it is the last. */
uint32_t ra_hta_steps_find(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                           const struct ra_hta_row *row);

/* Shows all rows of a rank that are in a step, as often as HTA has them, those of the CPU that
 * launch nothing first. */
void ra_hta_steps_walk(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                       void (*see)(void *context, const struct ra_hta_steps_row *row),
                       void *context);

#endif

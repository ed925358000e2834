/* SPDX-License-Identifier: MIT */
/* The profiler's steps in a rank, and the step of each row, as in HTA. */
#ifndef RA_HTA_STEPS_H
#define RA_HTA_STEPS_H

#include "analyzer/compat/hta/hta.h"

/* No profiler records more steps. The limit is for hostile traces, because steps are compared with
 * each other. */
#define RA_HTA_STEPS_MOST 4096

/* All rows of a step, that is with its number. */
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
	struct ra_hta_step *steps; /* owned; by number, each once */
	size_t count;
	struct ra_hta_steps_change *changes; /* owned; by time */
	size_t change_count;
	double start_us; /* over all rows in a step; INFINITY: there are none */
	double end_us;   /* over all rows in a step; -INFINITY: there are none */
};

/* A row in a step. */
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

/* The index of the step that a linked row is in; a GPU row is in its call's step. RA_NONE: none. If
 * several are open, the last one. */
uint32_t ra_hta_steps_find(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                           const struct ra_hta_row *row);

/* Calls `visit` for all rows of a rank in a step, as often as HTA has them; plain rows of the CPU
 * come first. */
void ra_hta_steps_walk(const struct ra_hta_steps *steps, const struct ra_hta_rank *rank,
                       void (*see)(void *context, const struct ra_hta_steps_row *row),
                       void *context);

#endif

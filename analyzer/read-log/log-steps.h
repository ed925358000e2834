/* SPDX-License-Identifier: MIT */
/* Finds where steps are without reading a log: its chunks list their outer ranges. */
#ifndef RA_LOG_STEPS_H
#define RA_LOG_STEPS_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/build/builder.h"
#include "analyzer/model/input.h"
#include "analyzer/read-log/chunks/chunks.h"

/* A log before its first event. All is borrowed. */
struct ra_log_steps {
	const struct ra_input_steps *of; /* the steps that are asked for; NULL: none */
	struct ra_builder *builder;      /* its model has the tracks of the threads */
	const struct ra_clock *clock;
	const struct ra_chunks *chunks; /* of threads */
	uint64_t events;                /* in them */
};

/*
 * Finds when the chosen steps are, and gives the model what is known of all ranges (model->part).
 *
 * Return: false, and the model is unchanged: all must be read. Nobody asks; or chunks do not list
 * their outer ranges, or steps are not among them, or something is lost, damaged, never closed, or
 * depends on rows elsewhere.
 */
bool ra_log_steps_find(const struct ra_log_steps *log, struct ra_input_window *window);

#endif

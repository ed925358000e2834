/* SPDX-License-Identifier: MIT */
/* Finds out when steps run without reading a log's events: the chunks list their outer ranges. */
#ifndef RA_LOG_STEPS_H
#define RA_LOG_STEPS_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/build/builder.h"
#include "analyzer/model/input.h"
#include "analyzer/read-log/chunks/chunks.h"

/* What is known of a log before its events are read. Everything is borrowed. */
struct ra_log_steps {
	const struct ra_input_steps *of; /* the steps that the caller wants; NULL: none */
	struct ra_builder *builder;      /* builder of a model that has the tracks of the threads */
	const struct ra_clock *clock;
	const struct ra_chunks *chunks; /* chunks of threads */
	uint64_t events;                /* number of events in these chunks */
};

/*
 * Finds out when the chosen steps run, and sets model->part to what is known about all ranges.
 *
 * Return: false: the whole log must be read, and the model is unchanged. That is so if the caller
 * wants no steps; if chunks do not list their outer ranges, or steps are not among these; or if
 * something is lost, damaged, never closed, or depends on rows elsewhere.
 */
bool ra_log_steps_find(const struct ra_log_steps *log, struct ra_input_window *window);

#endif

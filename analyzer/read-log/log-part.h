/* SPDX-License-Identifier: MIT */
/* Reading a thread of a log around a stretch of time only: what was open by then, and when that
 * closes, is found by what chunks tell of it. */
#ifndef RA_LOG_PART_H
#define RA_LOG_PART_H

#include <stdbool.h>
#include <stddef.h>

struct ra_log_load;

/* Nothing was done: the thread is to be read from its begin on. */
#define RA_LOG_PART_WHOLE 1

/*
 * Reads what overlaps options->window of the track that was begun, as it would come out of
 * all of it: ranges and marks, with their whole duration. What the log says of the rest is not
 * counted but for events.
 *
 * @first, @end: its chunks.
 * Return: 0; RA_LOG_PART_WHOLE: something is lost or missing, or has to do with rows elsewhere, or
 * the chunks do not tell what is open; else as ra_log_load_take_chunk().
 */
int ra_log_part_read(struct ra_log_load *load, size_t first, size_t end);

#endif

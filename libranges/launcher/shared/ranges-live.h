/* SPDX-License-Identifier: MIT */
/* Opens the spool of a living program for writing, and asks its drain to do something. */
#ifndef RCAP_RANGES_LIVE_H
#define RCAP_RANGES_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/spool/spool.h"

/* Maps the spool. Releases the lock at once, so that no process waits for us. Return: false if the
 * file is not a spool, or its program is dead. */
bool rcap_ranges_live_open(struct rcap_spool *spool, const char *path);

/* True as long as the program of that spool lives. For rcap_ask(). @spool: struct rcap_spool, from
 * rcap_ranges_live_open(). */
bool rcap_ranges_live_is_there(const void *spool);

/* Makes the program write a snapshot under the next name of the pattern. @answer: gets one line:
 * the name, or why there is no snapshot. Return: true if there is a snapshot. */
bool rcap_ranges_live_snapshot(const char *path, char *answer, size_t size);

#endif

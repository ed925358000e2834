/* SPDX-License-Identifier: MIT */
/* Opens the spool of a living program for writing, and asks its drain to do something. */
#ifndef RCAP_RANGES_LIVE_H
#define RCAP_RANGES_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/spool/spool.h"

/* Maps the spool. Does not keep the lock, so that no process waits for us. Return: false: it is no
 * spool, or its program is dead. */
bool rcap_ranges_live_open(struct rcap_spool *spool, const char *path);

/* True as long as the program of that spool lives. @spool: struct rcap_spool, from
 * rcap_ranges_live_open(). For rcap_ask(). */
bool rcap_ranges_live_is_there(const void *spool);

/* Makes the program write a snapshot, under the next name of the pattern. @answer: gets one
 * line: the name, or why there is none. Return: true if there is one. */
bool rcap_ranges_live_snapshot(const char *path, char *answer, size_t size);

#endif

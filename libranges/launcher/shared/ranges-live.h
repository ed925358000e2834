/* SPDX-License-Identifier: MIT */
/* The spool of a program that lives, to be written to: asking its drain to do something. */
#ifndef RCAP_RANGES_LIVE_H
#define RCAP_RANGES_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/spool/spool.h"

/* Maps the spool. The lock is not kept: nobody shall wait for us. Return: false: it is none, or its
 * program does not live. */
bool rcap_ranges_live_open(struct rcap_spool *spool, const char *path);

/* True as long as the program of that spool lives. @spool: struct rcap_spool, from
 * rcap_ranges_live_open(). For rcap_ask(). */
bool rcap_ranges_live_is_there(const void *spool);

/* Has a snapshot written, under the next name of the pattern. @answer: gets one line: its name, or
 * why there is none. Return: true if there is one. */
bool rcap_ranges_live_snapshot(const char *path, char *answer, size_t size);

#endif

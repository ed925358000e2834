/* SPDX-License-Identifier: MIT */
/* What an event of a Chrome trace is, by its ph. */
#ifndef RA_KINETO_KINDS_H
#define RA_KINETO_KINDS_H

#include "analyzer/rows/kineto.h"

/* Of counters that are drawn from records of memory: when they are read again they are no counters
 * of the program's. */
#define RA_KINETO_KINDS_MEMORY "memory"

/* @complete: what it is if ph is X; by its category, see producers/. */
enum ra_kineto_kind ra_kineto_kinds_of_phase(uint8_t phase, enum ra_kineto_kind complete,
                                             struct rlog_string name);

struct ra_kineto_row;

/* It is of a known kind that stands at a time, and has none that can be used. */
bool ra_kineto_kinds_lacks_time(const struct ra_kineto_row *row);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds the kind of an event of a Chrome trace by its phase (ph). */
#ifndef RA_KINETO_KINDS_H
#define RA_KINETO_KINDS_H

#include "analyzer/rows/kineto.h"

/* Category of the counters that our own output draws from memory records. When such a trace is read
 * again, these are not taken for counters of the program. */
#define RA_KINETO_KINDS_MEMORY "memory"

/* Finds the kind of an event. @complete: the kind if ph is X, which the event's category decides
 * (producers/). */
enum ra_kineto_kind ra_kineto_kinds_of_phase(uint8_t phase, enum ra_kineto_kind complete,
                                             struct rlog_string name);

struct ra_kineto_row;

/* True if an event of a known kind that needs a time has no usable one. */
bool ra_kineto_kinds_lacks_time(const struct ra_kineto_row *row);

#endif

/* SPDX-License-Identifier: MIT */
/* The kind of an event of a Chrome trace, by its ph. */
#ifndef RA_KINETO_KINDS_H
#define RA_KINETO_KINDS_H

#include "analyzer/rows/kineto.h"

/* Category of counters that we draw from memory records. When such a trace is read again, they do
 * not count as the program's own counters. */
#define RA_KINETO_KINDS_MEMORY "memory"

/* @complete: the kind if ph is X. The event's category decides it, see producers/. */
enum ra_kineto_kind ra_kineto_kinds_of_phase(uint8_t phase, enum ra_kineto_kind complete,
                                             struct rlog_string name);

struct ra_kineto_row;

/* True if the event is of a known kind that needs a time, but has no usable one. */
bool ra_kineto_kinds_lacks_time(const struct ra_kineto_row *row);

#endif

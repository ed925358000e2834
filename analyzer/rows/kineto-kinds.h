/* SPDX-License-Identifier: MIT */
/* What an event of a Chrome trace is, by its ph and cat. */
#ifndef RA_KINETO_KINDS_H
#define RA_KINETO_KINDS_H

#include "analyzer/rows/kineto.h"

/* Of counters that are drawn from records of memory: when they are read again they are no counters
 * of the program's. */
#define RA_KINETO_KINDS_MEMORY "memory"

/* Of an event of ph X. Letters' case does not matter: old traces have "Kernel". */
enum ra_kineto_kind ra_kineto_kinds_of_category(struct rlog_string category);

/* @complete: what it is if ph is X. */
enum ra_kineto_kind ra_kineto_kinds_of_phase(uint8_t phase, enum ra_kineto_kind complete,
                                             struct rlog_string name);

#endif

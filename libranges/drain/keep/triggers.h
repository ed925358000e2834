/* SPDX-License-Identifier: MIT */
/* Looks at what is drained for what is to have a snapshot written (RANGES_WHEN). */
#ifndef RCAP_TRIGGERS_H
#define RCAP_TRIGGERS_H

#include "libranges/drain/drain.h"

/* Has the drain look, if the capture keeps its last part and there are conditions. Context: the
 * drain of a program that lives, after rcap_drain_init(). */
void rcap_triggers_init(struct rcap_drain *drain);

/* True if all that is published is to be drained now, and rcap_triggers_serve() called then: a
 * condition is met, or will be if nothing more comes to light. */
bool rcap_triggers_are_due(struct rcap_drain *drain);

/* Writes the snapshot, if one is due. What can't be written is counted and noted in the spool. */
void rcap_triggers_serve(struct rcap_drain *drain);

#endif

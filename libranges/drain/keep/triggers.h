/* SPDX-License-Identifier: MIT */
/* Checks drained events for conditions that ask for a snapshot (RANGES_WHEN). */
#ifndef RCAP_TRIGGERS_H
#define RCAP_TRIGGERS_H

#include "libranges/drain/drain.h"

/* Makes the drain check conditions, if the capture keeps its last part and has conditions. Context:
 * the drain of a living program, after rcap_drain_init(). */
void rcap_triggers_init(struct rcap_drain *drain);

/* True if a condition is met, or is met unless more events come. Then drain everything that is
 * published, and call rcap_triggers_serve(). */
bool rcap_triggers_are_due(struct rcap_drain *drain);

/* Writes the snapshot if it is due. A failure is counted and noted in the spool. */
void rcap_triggers_serve(struct rcap_drain *drain);

#endif

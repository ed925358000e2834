/* SPDX-License-Identifier: MIT */
/* Decides which GPU events belong to a cycle of a capture that is switched on and off. */
#ifndef RCAP_CUPTI_WINDOW_H
#define RCAP_CUPTI_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/record/record.h"
#include "libranges/spool/control.h"

/* Prepares the decision. @is_monotonic: times are CLOCK_MONOTONIC; false: CLOCK_REALTIME. Context:
 * before all other functions here. */
void rcap_cupti_window_open(bool is_monotonic);

/*
 * Writes the event to the GPU's stream if the capture was on during the call that caused the event;
 * otherwise counts the event. If this is not known yet, puts the event on hold.
 *
 * @wait_until_ns: until then an event waits for room in the spool. Context: one thread at a time.
 */
void rcap_cupti_window_put(struct rcap_thread *gpu, const struct rcap_timed *event,
                           uint64_t wait_until_ns);

/* rcap_cupti_window_phase() returns the phase of the GPU's events. rcap_cupti_window_next() gets
 * the next phase, if there is a switch that was not handled yet; it returns false if there is none.
 * Context: as rcap_cupti_window_put(). */
enum rcap_phase rcap_cupti_window_phase(void);
bool rcap_cupti_window_next(enum rcap_phase *phase);

/* Handles the next switch. Call it when all earlier events have come, or never will. Context: as
 * rcap_cupti_window_put(). */
void rcap_cupti_window_advance(struct rcap_thread *gpu);

/* Ends the work, because no more events will come. Context: as rcap_cupti_window_put(). */
void rcap_cupti_window_close(struct rcap_thread *gpu);

#endif

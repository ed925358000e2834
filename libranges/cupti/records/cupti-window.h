/* SPDX-License-Identifier: MIT */
/* Decides which GPU events belong to a cycle of a capture that is switched on and off. */
#ifndef RCAP_CUPTI_WINDOW_H
#define RCAP_CUPTI_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/record/record.h"
#include "libranges/spool/control.h"

/* Prepares the decision. @is_monotonic: times are CLOCK_MONOTONIC, else CLOCK_REALTIME. Context:
 * before all else here. */
void rcap_cupti_window_open(bool is_monotonic);

/*
 * Writes the event to the GPU's stream if the capture was on during the call that caused it; else
 * counts it. Undecided events are put on hold.
 *
 * @wait_until_ns: until then it waits for room in the spool. Context: one thread at a time.
 */
void rcap_cupti_window_put(struct rcap_thread *gpu, const struct rcap_timed *event,
                           uint64_t wait_until_ns);

/* The first function returns the phase that the GPU's part is in. The second one returns the next
 * phase, if there is a switch that the part has not handled. Return: false if there is none.
 * Context: as above. */
enum rcap_phase rcap_cupti_window_phase(void);
bool rcap_cupti_window_next(enum rcap_phase *phase);

/* Handles that switch: every event before it has come, or never will. Context: as above. */
void rcap_cupti_window_advance(struct rcap_thread *gpu);

/* Ends the work, because no more events will come. Context: as above. */
void rcap_cupti_window_close(struct rcap_thread *gpu);

#endif

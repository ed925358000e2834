/* SPDX-License-Identifier: MIT */
/* Switches CUPTI on and off with the capture. */
#ifndef RCAP_CUPTI_SWITCH_H
#define RCAP_CUPTI_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the hooks of the process that switch the GPU's capture. Context: CUPTI is being started. */
void rcap_cupti_switch_open(void);

/* Call this after the capture was switched. If it was switched on, returns when CUPTI is on, so
 * that the caller's launches are recorded from then on. Context: any thread but the worker. */
void rcap_cupti_switch_tell(bool on);

/* Handles the switches made so far. Takes records out of CUPTI if a thread waits for them. @kinds:
 * enum rcap_cupti_kinds. Context: the worker. */
void rcap_cupti_switch_serve(unsigned kinds);

/* True while all of CUPTI is off, so that no records come and no work is due. Context: the
 * worker. */
bool rcap_cupti_switch_is_paused(void);

/* Waits until there is something to do, or until `until_ns`. While paused, waits without limit.
 * @is_active: CUPTI has started. Context: the worker. */
void rcap_cupti_switch_wait(uint64_t until_ns, bool is_active);

#endif

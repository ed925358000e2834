/* SPDX-License-Identifier: MIT */
/* Switches CUPTI on and off with the capture. */
#ifndef RCAP_CUPTI_SWITCH_H
#define RCAP_CUPTI_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the hooks of the process. Context: CUPTI is being started. */
void rcap_cupti_switch_open(void);

/* Call it when the capture was switched. If the capture went on, returns when CUPTI is on, so that
 * launches of the caller are recorded from then on. Context: any thread but the worker. */
void rcap_cupti_switch_tell(bool on);

/* Handles the switches made so far, and takes records that a thread waits for out of CUPTI. @kinds:
 * enum rcap_cupti_kinds. Context: the worker. */
void rcap_cupti_switch_serve(unsigned kinds);

/* True while all of CUPTI is off, so that no record comes and no work is due. Context: as above. */
bool rcap_cupti_switch_is_paused(void);

/* Waits until there is something to do, at most until `until_ns`; while paused, without limit.
 * @is_active: CUPTI has started. Context: as above. */
void rcap_cupti_switch_wait(uint64_t until_ns, bool is_active);

#endif

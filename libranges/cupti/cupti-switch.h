/* SPDX-License-Identifier: MIT */
/* Makes CUPTI follow when the capture is switched on and off. */
#ifndef RCAP_CUPTI_SWITCH_H
#define RCAP_CUPTI_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the hooks of the process. Context: CUPTI is being started. */
void rcap_cupti_switch_open(void);

/* The capture was switched. If it went on, returns when CUPTI is on, so that what the caller
 * launches next is recorded. Context: any thread but the worker. */
void rcap_cupti_switch_tell(bool on);

/* Passes the switches made so far, and takes records that somebody waits for out of CUPTI. @kinds:
 * enum rcap_cupti_kinds. Context: the worker. */
void rcap_cupti_switch_serve(unsigned kinds);

/* True while all of CUPTI is off: nothing comes, and nothing is due. Context: as above. */
bool rcap_cupti_switch_is_paused(void);

/* Waits for something to do, at most until `until_ns`; without limit while paused. @is_active:
 * CUPTI has started. Context: as above. */
void rcap_cupti_switch_wait(uint64_t until_ns, bool is_active);

#endif

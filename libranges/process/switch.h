/* SPDX-License-Identifier: MIT */
/* The one place that switches the capture on and off. */
#ifndef RCAP_SWITCH_H
#define RCAP_SWITCH_H

#include "libranges/spool/control.h"

/*
 * Switches the capture of this process, from this moment on, for all of its threads.
 *
 * @step: that begins, UINT64_MAX: none.
 * Return: enum rcap_control_result. Context: any thread of the process, not under its lock; wakes
 * the drain; errno is kept.
 */
int rcap_switch_to(enum rcap_phase phase, enum rcap_control_by by, uint64_t step);

/* The number of the cycle that is on, or was on last; 0: none was. Context: any thread of the
 * process, not under its lock. */
uint32_t rcap_switch_cycle(void);

/*
 * The name of the log of a cycle, as soon as that is whole; of the last RCAP_CONTROL_LOGS cycles.
 *
 * Return: false if it is not, or has no log, or the name has no room. Context: as above.
 */
bool rcap_switch_copy_log(uint64_t cycle, char *path, size_t size);

/* Tells the threads of this process. Context: rcap_process_start(); else rcap_switch_to(). */
void rcap_switch_tell(uint32_t phase);

#endif

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

/* Tells the threads of this process. Context: rcap_process_start(); else rcap_switch_to(). */
void rcap_switch_tell(uint32_t phase);

#endif

/* SPDX-License-Identifier: MIT */
/* Switches the capture on and off; no other file does. */
#ifndef RCAP_SWITCH_H
#define RCAP_SWITCH_H

#include "libranges/spool/control.h"

/*
 * Switches the capture of this process, from now on, for all of its threads. @step: the step that
 * begins, UINT64_MAX: none. Return: enum rcap_control_result. Context: any thread of the process,
 * not under its lock; wakes the drain; errno is kept.
 */
int rcap_switch_to(enum rcap_phase phase, enum rcap_control_by by, uint64_t step);

/* Number of the current cycle, or of the last one; 0: there was none. Context: any thread of the
 * process, not under its lock. */
uint32_t rcap_switch_cycle(void);

/*
 * Copies the name of a cycle's log once the log is whole; for the last RCAP_CONTROL_LOGS cycles.
 *
 * Return: false if it is not whole, has no log, or the name does not fit. Context: as above.
 */
bool rcap_switch_copy_log(uint64_t cycle, char *path, size_t size);

/* Tells the threads of this process about the phase. Context: rcap_process_start(); else
 * rcap_switch_to(). */
void rcap_switch_tell(uint32_t phase);

#endif

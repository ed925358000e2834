/* SPDX-License-Identifier: MIT */
/* Switches the capture on and off; no other file does. */
#ifndef RCAP_SWITCH_H
#define RCAP_SWITCH_H

#include "libranges/spool/control.h"

/*
 * Switches the capture of this process for all of its threads, from now on. @step: number of the
 * step that begins; UINT64_MAX: none. Return: enum rcap_control_result. Context: any thread of the
 * process, not under its lock; wakes the drain; errno is kept.
 */
int rcap_switch_to(enum rcap_phase phase, enum rcap_control_by by, uint64_t step);

/* Returns the number of the current cycle, or else of the last one; 0 if there was none. Context:
 * any thread of the process, not under its lock. */
uint32_t rcap_switch_cycle(void);

/*
 * Copies the name of a cycle's log when the log is complete. Works for the last RCAP_CONTROL_LOGS
 * cycles.
 *
 * Return: false if the log is not complete, the cycle has no log, or the name does not fit.
 * Context: as rcap_switch_cycle().
 */
bool rcap_switch_copy_log(uint64_t cycle, char *path, size_t size);

/* Stores the phase where the threads of this process check it. Context: only rcap_process_start()
 * and rcap_switch_to() call it. */
void rcap_switch_tell(uint32_t phase);

#endif

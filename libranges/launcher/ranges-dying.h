/* SPDX-License-Identifier: MIT */
/* Waits for processes of a run that are still ending after the program. */
#ifndef RCAP_RANGES_DYING_H
#define RCAP_RANGES_DYING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Waits until no process with a spool in `directory` is ending. A signal to a group is delivered to
 * one process after the other, and a process with much memory takes long to end. So the program
 * itself may end before the others.
 *
 * @was_killed: true if a signal ended the program: then waits for all other processes. Otherwise
 * waits only for those that are being killed or are ending.
 * @wait_ms: waits at most this long.
 * Context: the launcher; reaps children.
 */
void rcap_ranges_dying_wait(const char *directory, bool was_killed, uint64_t wait_ms);

#endif

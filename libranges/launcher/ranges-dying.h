/* SPDX-License-Identifier: MIT */
/* Waits for processes of a run that are still ending after the program. */
#ifndef RCAP_RANGES_DYING_H
#define RCAP_RANGES_DYING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Waits until no process with a spool in `directory` is ending. A kill of a group reaches one
 * process after the other, and one with much memory takes its time to end: the program itself may
 * be the first that is gone.
 *
 * @was_killed: a signal ended the program: then waits for the others whatever they do. Else only
 * for those being killed or ending; others are left alone at once.
 * @wait_ms: at most. Context: the launcher; reaps children.
 */
void rcap_ranges_dying_wait(const char *directory, bool was_killed, uint64_t wait_ms);

#endif

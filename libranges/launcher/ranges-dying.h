/* SPDX-License-Identifier: MIT */
/* Processes of a run that are still on their way out when the program has ended. */
#ifndef RCAP_RANGES_DYING_H
#define RCAP_RANGES_DYING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Waits until no process with a spool in `directory` is about to end any more. Who kills a group
 * kills one after the other, and a process with much memory takes its time: the first one that is
 * gone may be the program itself.
 *
 * @was_killed: the program was ended by a signal: then the others are waited for whatever they do.
 * Else only those that are being killed or torn down; what lives on is left alone at once.
 * @wait_ms: the longest. Context: the launcher; reaps children.
 */
void rcap_ranges_dying_wait(const char *directory, bool was_killed, uint64_t wait_ms);

#endif

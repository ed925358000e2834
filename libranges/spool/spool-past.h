/* SPDX-License-Identifier: MIT */
/* Finds what earlier programs of this process left: exec keeps the process and replaces the
 * program. */
#ifndef RCAP_SPOOL_PAST_H
#define RCAP_SPOOL_PAST_H

#include <stdint.h>

#include "libranges/spool/spool.h"

/*
 * Counts the log names, from the plain one on, that belong to programs that this process ran before
 * exec and that use the same pattern. Those programs may not have opened their logs yet; a recovery
 * does it then.
 *
 * @spool: of this process; its header has the process and the pattern.
 * Return: the attempt (output.h) that our own log begins with; 0 if there are no such names or it
 * can't be known. Context: start of a capture; no malloc.
 */
uint32_t rcap_spool_past_names(const struct rcap_spool *spool);

#endif

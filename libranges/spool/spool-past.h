/* SPDX-License-Identifier: MIT */
/* Finds what earlier programs of this process left: exec keeps the process and replaces the
 * program. */
#ifndef RCAP_SPOOL_PAST_H
#define RCAP_SPOOL_PAST_H

#include <stdint.h>

#include "libranges/spool/spool.h"

/*
 * How many log names, from the plain one on, belong to programs that this process ran before exec
 * and that use the same pattern. They may not have opened their logs yet; a recovery does it then.
 *
 * @spool: of this process; its header says which process this is, and which pattern it uses.
 * Return: the attempt (output.h) that our own log begins with; 0 if there are none or it can't be
 * known. Context: start of a capture; no malloc.
 */
uint32_t rcap_spool_past_names(const struct rcap_spool *spool);

#endif

/* SPDX-License-Identifier: MIT */
/* What earlier programs of this process have left: exec keeps the process and replaces the program.
 */
#ifndef RCAP_SPOOL_PAST_H
#define RCAP_SPOOL_PAST_H

#include <stdint.h>

#include "libranges/spool/spool.h"

/*
 * How many names for logs, from the plain one on, belong to programs that this process was before,
 * and that want their logs by the same pattern. They may not have come to open them; a recovery
 * does it then.
 *
 * @spool: of this process; its header says which process this is, and which pattern it goes by.
 * Return: the attempt (output.h) that the own log begins with, 0 if there is nothing or it can't be
 * known. Context: start of a capture; no malloc.
 */
uint32_t rcap_spool_past_names(const struct rcap_spool *spool);

#endif

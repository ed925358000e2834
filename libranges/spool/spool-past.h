/* SPDX-License-Identifier: MIT */
/* Finds what earlier programs of this process left: exec keeps the process and replaces the
 * program. */
#ifndef RCAP_SPOOL_PAST_H
#define RCAP_SPOOL_PAST_H

#include <stdint.h>

#include "libranges/spool/spool.h"

/*
 * Counts the names of logs, from the plain one on, that belong to programs which this process ran
 * before exec, and which use the same pattern. Such a program may not have opened its log yet; then
 * a recovery will do it.
 *
 * @spool: of this process; its header has the process and the pattern.
 * Return: the attempt (output.h) with which our own log begins; 0 if there are no such names, or it
 * can't be found out. Context: start of a capture; no malloc.
 */
uint32_t rcap_spool_past_names(const struct rcap_spool *spool);

#endif

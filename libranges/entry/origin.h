/* SPDX-License-Identifier: MIT */
/* Describes the origin of a spool: process, clock, settings, output. */
#ifndef RCAP_ORIGIN_H
#define RCAP_ORIGIN_H

#include <stdbool.h>

#include "libranges/settings/config.h"
#include "libranges/spool/spool.h"

/*
 * Fills a new header: facts about the process, its start time and namespace, the tag, the clock
 * with the first sync point, the settings, and the log's name as an absolute pattern.
 *
 * @is_forked: true if the process is the fork child of a captured process.
 * Context: start of a capture, clock initialised; some 100 µs of system calls, no malloc.
 */
void rcap_origin_fill(struct rcap_spool_header *header, const struct rcap_config *config,
                      bool is_forked);

#endif

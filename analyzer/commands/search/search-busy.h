/* SPDX-License-Identifier: MIT */
/* How much of the time that was asked about each thread or stream was in what was found. */
#ifndef RA_SEARCH_BUSY_H
#define RA_SEARCH_BUSY_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/search/search-hits.h"

/*
 * Appends, if times or a thread were asked for, a line for each thread and stream that something
 * was found of, those that were in it longest first, the first four: how long, things inside of
 * others counted once and steps not at all, and how long not. Then, if a step was found and a GPU
 * worked, that its range is the CPU's part of it.
 */
void ra_search_busy_put(struct ra_util_text *text, const struct ra_search_hits *hits,
                        const struct ra_search_query *query);

#endif

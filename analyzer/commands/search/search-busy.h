/* SPDX-License-Identifier: MIT */
/* How much of the requested time each thread or stream spent in the matches. */
#ifndef RA_SEARCH_BUSY_H
#define RA_SEARCH_BUSY_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/search/search-hits.h"

/*
 * If times or a thread were requested, appends a line for each thread and stream with matches, the
 * first four by time spent in them: how long in matches, how long only in ranges that enclose
 * others (not PyTorch's operators, which work themselves), and how long in none; steps are none.
 * Where matches are inside others, a second line has the names that were innermost longest. Then,
 * if a step matched and a GPU worked, says that its range is the CPU's part of it.
 */
void ra_search_busy_put(struct ra_util_text *text, struct ra_search_hits *hits,
                        const struct ra_search_query *query);

#endif

/* SPDX-License-Identifier: MIT */
/* Sums how much of the requested time each thread or stream spent in the matches. */
#ifndef RA_SEARCH_BUSY_H
#define RA_SEARCH_BUSY_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/search/search-hits.h"

/*
 * If times or a thread were requested, appends a line for each thread and stream with matches, the
 * first four by time spent in them: how long in matches, how long only in ranges that enclose
 * others (PyTorch's operators work themselves and do not count as such), and how long in none.
 * Steps do not count as matches. Where matches are inside others, a second line has the names that
 * were innermost longest. If a step matched and a GPU worked, a last line says that the step's
 * range is only the CPU's part of the step.
 */
void ra_search_busy_put(struct ra_util_text *text, struct ra_search_hits *hits,
                        const struct ra_search_query *query);

#endif

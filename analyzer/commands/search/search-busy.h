/* SPDX-License-Identifier: MIT */
/* Sums how much of the requested time each thread or stream spent in the matches. */
#ifndef RA_SEARCH_BUSY_H
#define RA_SEARCH_BUSY_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/search/search-hits.h"

/*
 * If times or a thread were requested, appends a line for each of the four threads and streams with
 * most time in matches. The line says how long the thread was in matches, how long only in ranges
 * that enclose others, and how long in none. PyTorch's operators do not count as enclosing ranges,
 * because they do work themselves. Steps do not count as matches. If matches are inside others, a
 * second line has the names that were innermost for the longest time. If a step matched and a GPU
 * worked, a last line says that the step's range is only the CPU's part of the step.
 */
void ra_search_busy_put(struct ra_util_text *text, struct ra_search_hits *hits,
                        const struct ra_search_query *query);

#endif

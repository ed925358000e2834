/* SPDX-License-Identifier: MIT */
/* Selects the found items to show: the first ones in the requested order. */
#ifndef RA_SEARCH_TOP_H
#define RA_SEARCH_TOP_H

#include "analyzer/commands/search/search-hits.h"

/*
 * Finds the first `most` items in order: the longest first, or with by_start the earliest. Equally
 * long ones are ordered by start, then as in hits->all.
 *
 * Return: indices into hits->all, in order; the caller frees them. *count gets their number.
 */
size_t *ra_search_top_find(const struct ra_search_hits *hits, size_t most, bool by_start,
                           size_t *count);

/* True if item i comes before item j, or is the same item. */
bool ra_search_top_is_in(const struct ra_search_hits *hits, size_t i, size_t j, bool by_start);

#endif

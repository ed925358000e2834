/* SPDX-License-Identifier: MIT */
/* Finds which rows of a rank HTA keeps if there are steps, and the order of the rows. */
#ifndef RA_HTA_FILTER_H
#define RA_HTA_FILTER_H

#include "analyzer/compat/hta/hta.h"

/* Call these functions in the order in which they are declared. */

/* Sorts linked rows by correlation. */
void ra_hta_filter_sort(struct ra_hta_rank *rank);

/* Drops the rows that do not belong to whole steps, unless no row is on the CPU. Times must be
 * aligned. */
void ra_hta_filter_apply(struct ra_hta_rank *rank, bool keeps_last);

/* Makes the lists of linked rows in HTA's order. */
void ra_hta_filter_index(struct ra_hta_rank *rank);

/* Returns where the rows of a correlation end in by_corr. */
static inline size_t ra_hta_filter_find_end(const struct ra_hta_rank *rank, size_t first)
{
	const int64_t corr = rank->linked[rank->by_corr[first]].corr;
	size_t end = first + 1;

	while (end < rank->by_corr_count && rank->linked[rank->by_corr[end]].corr == corr) {
		end++;
	}
	return end;
}

#endif

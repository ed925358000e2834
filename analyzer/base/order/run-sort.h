/* SPDX-License-Identifier: MIT */
/* Sorts what is nearly sorted: a stable merge of the runs that are there. */
#ifndef RA_RUN_SORT_H
#define RA_RUN_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sorts indices; equal ones keep their order. Runs that only meet at their ends cost next to
 * nothing.
 *
 * @compare: negative if left comes first, positive if right does.
 */
void ra_run_sort_indices(uint32_t *indices, size_t count,
                         int (*compare)(const void *context, uint32_t left, uint32_t right),
                         const void *context);

/*
 * Sorts rows as RA_SORT does, in little more than the time that it takes to look at them where they
 * are in order or come in runs. Equal ones keep their order; 2^32 rows or more are left to qsort().
 */
#define RA_RUN_SORT(rows, count, compare) \
	ra_run_sort_rows((rows), (count), sizeof(*(rows)), (compare), NULL)

/* Rows of groups that are mixed, within each of which they are nearly sorted. */
struct ra_run_sort_groups {
	size_t count;
	uint32_t (*find)(const void *row); /* the number of its group, in their order */
};

/* The same of such rows. The order of groups comes before all else in @compare. */
#define RA_RUN_SORT_GROUPS(rows, count, compare, groups) \
	ra_run_sort_rows((rows), (count), sizeof(*(rows)), (compare), (groups))

/* What the macros call. @groups: NULL if there are none. */
void ra_run_sort_rows(void *rows, size_t count, size_t row_bytes,
                      int (*compare)(const void *left, const void *right),
                      const struct ra_run_sort_groups *groups);

#endif

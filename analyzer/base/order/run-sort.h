/* SPDX-License-Identifier: MIT */
/* Sorts rows that are nearly sorted: a stable merge of the runs that they contain. */
#ifndef RA_RUN_SORT_H
#define RA_RUN_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sorts indices by `compare`. Equal ones keep their order. Runs that do not overlap cost next to
 * nothing.
 *
 * @compare: negative if left comes first, positive if right does.
 */
void ra_run_sort_indices(uint32_t *indices, size_t count,
                         int (*compare)(const void *context, uint32_t left, uint32_t right),
                         const void *context);

/*
 * Sorts rows as RA_SORT does. If rows are in order or come in runs, sorting takes little more time
 * than one pass over them. Equal rows keep their order, unless there are 2^32 rows or more: qsort()
 * sorts these.
 */
#define RA_RUN_SORT(rows, count, compare) \
	ra_run_sort_rows((rows), (count), sizeof(*(rows)), (compare), NULL)

/* Describes rows of several groups that are mixed, each group nearly sorted by itself. */
struct ra_run_sort_groups {
	size_t count;
	uint32_t (*find)(const void *row); /* the number of a row's group */
};

/* Sorts rows that ra_run_groups describes. @compare must order by group before all else. */
#define RA_RUN_SORT_GROUPS(rows, count, compare, groups) \
	ra_run_sort_rows((rows), (count), sizeof(*(rows)), (compare), (groups))

/* The function behind the macros. @groups: NULL if there are none. */
void ra_run_sort_rows(void *rows, size_t count, size_t row_bytes,
                      int (*compare)(const void *left, const void *right),
                      const struct ra_run_sort_groups *groups);

#endif

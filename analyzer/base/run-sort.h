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
 * Return: 0, -RLOG_E_NO_MEMORY (the order is then unspecified).
 */
int ra_run_sort_indices(uint32_t *indices, size_t count,
                        int (*compare)(const void *context, uint32_t left, uint32_t right),
                        const void *context);

#endif

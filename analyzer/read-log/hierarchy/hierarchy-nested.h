/* SPDX-License-Identifier: MIT */
/* Runs of pushes and pops of one domain that nest, without branches. */
#ifndef RA_HIERARCHY_NESTED_H
#define RA_HIERARCHY_NESTED_H

#include "analyzer/read-log/chunks/row.h"
#include "analyzer/read-log/ranges/stack.h"

/*
 * Handles rows from the current one on while they are pushes and pops of one domain that nest. Room
 * for their slices was reserved; times are in order, and no loss or damage is pending.
 *
 * @times: of the rows of the batch.
 * Return: the first row of another kind; the current one if a run would not pay.
 */
size_t ra_hierarchy_nested_take(struct ra_builder *builder, struct ra_stack *stack,
                                const int64_t *times, const struct ra_row *row);

#endif

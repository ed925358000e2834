/* SPDX-License-Identifier: MIT */
/* Handles runs of nested pushes and pops of one domain, without branches. */
#ifndef RA_HIERARCHY_NESTED_H
#define RA_HIERARCHY_NESTED_H

#include "analyzer/read-log/chunks/row.h"
#include "analyzer/read-log/ranges/stack.h"

/*
 * Handles the current row and the rows after it, while they are nested pushes and pops of one
 * domain. There must be room for their slices; times must be in order, and no loss or damage may be
 * pending.
 *
 * @times: the times of the batch's rows.
 * Return: the first row that was not handled; the current row if a run would take longer than the
 * rows one by one.
 */
size_t ra_hierarchy_nested_take(struct ra_builder *builder, struct ra_stack *stack,
                                const int64_t *times, const struct ra_row *row);

#endif

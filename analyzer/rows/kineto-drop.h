/* SPDX-License-Identifier: MIT */
/* Frees rows that will not be read. */
#ifndef RA_KINETO_DROP_H
#define RA_KINETO_DROP_H

#include "analyzer/rows/kineto.h"

/*
 * Removes the rows of some kinds; the others move up, in their order. Counts of all events stay as
 * they are, and kineto->dropped tells how many rows are gone. Call it before anything is made from
 * rows or holds their numbers. In PyTorch's traces a third to two thirds of the rows are flow
 * events and metadata.
 *
 * @kinds: 1 << enum ra_kineto_kind, or'ed
 */
void ra_kineto_drop(struct ra_kineto *kineto, uint64_t kinds);

#endif

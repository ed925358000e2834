/* SPDX-License-Identifier: MIT */
/* Removes rows that will not be read. */
#ifndef RA_KINETO_DROP_H
#define RA_KINETO_DROP_H

#include "analyzer/rows/kineto.h"

/*
 * Removes the rows of some kinds. The other rows keep their order, but get new numbers. Counts of
 * events still include the removed rows; kineto->dropped is their number. Call it before anything
 * is made from rows or refers to them by number. In PyTorch's traces a third to two thirds of the
 * rows are flow events and metadata.
 *
 * @kinds: 1 << enum ra_kineto_kind, or'ed
 */
void ra_kineto_drop(struct ra_kineto *kineto, uint64_t kinds);

#endif

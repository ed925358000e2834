/* SPDX-License-Identifier: MIT */
/* Rows that nobody will read are given back. */
#ifndef RA_KINETO_DROP_H
#define RA_KINETO_DROP_H

#include "analyzer/rows/kineto.h"

/*
 * Gives back the rows of some kinds; those that stay move up, in their order. What was counted of
 * all events stays, and kineto->dropped tells how many are gone. Before anything is made of rows,
 * or holds their numbers: in a third to two thirds of PyTorch's traces are arrows and metadata.
 *
 * @kinds: 1 << enum ra_kineto_kind, or'ed
 */
void ra_kineto_drop(struct ra_kineto *kineto, uint64_t kinds);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads which outer ranges a chunk of events has, without unpacking the rest of it. */
#ifndef RA_OUTER_HEAD_H
#define RA_OUTER_HEAD_H

#include "format/columns/outer.h"
#include "format/read/reader.h"

struct ra_outer_head;

/* Return: NULL: no memory. */
struct ra_outer_head *ra_outer_head_create(void);
/* NULL is allowed. */
void ra_outer_head_destroy(struct ra_outer_head *head);

/* Reads the list of a chunk with the flag. Return: NULL: it cannot be read; else valid until the
 * next call. */
const struct rlog_outer *ra_outer_head_read(struct ra_outer_head *head,
                                            const struct rlog_reader *reader,
                                            const struct rlog_chunk *chunk);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads the list of outer ranges of a chunk of events without unpacking the rest of the chunk. */
#ifndef RA_OUTER_HEAD_H
#define RA_OUTER_HEAD_H

#include "format/columns/outer.h"
#include "format/read/reader.h"

struct ra_outer_head;

/* Return: NULL: there is no memory. */
struct ra_outer_head *ra_outer_head_create(void);
/* NULL is allowed. */
void ra_outer_head_destroy(struct ra_outer_head *head);

/* Reads the list of a chunk whose header has the flag for it. Return: valid until the next call;
 * NULL: the list can't be read. */
const struct rlog_outer *ra_outer_head_read(struct ra_outer_head *head,
                                            const struct rlog_reader *reader,
                                            const struct rlog_chunk *chunk);

#endif

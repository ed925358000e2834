/* SPDX-License-Identifier: MIT */
/* Packets of Perfetto's protobuf. */
#ifndef RA_PFTRACE_WRITE_H
#define RA_PFTRACE_WRITE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"

/*
 * Writes all of a trace, in compressed packets (zlib's format) of 128 KiB. The trace gets
 * rows and arrows. A file that is cut short can be read up to there.
 *
 * @trace: has recorded a drawing once.
 * @draw: draws the same again; called up to twice.
 */
void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out, void (*draw)(void *context),
                      void *context);

/*
 * Writes events while the first pass draws them, if they come in the order in which they are
 * written, as plain ranges do. What comes before them is inserted at the end.
 *
 * Return: owned by ra_pftrace_write_rest, which must be called; NULL: the file can't be written so.
 */
struct ra_pftrace_writing *ra_pftrace_write_early(struct ra_pftrace *trace, struct ra_outbuf *out);

/* Call it after the first pass. Return: false: events came in another order, and the output is
 * empty: use ra_pftrace_write. */
bool ra_pftrace_write_rest(struct ra_pftrace_writing *writing);

#endif

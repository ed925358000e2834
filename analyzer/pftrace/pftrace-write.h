/* SPDX-License-Identifier: MIT */
/* Writes a trace as packets of Perfetto's protobuf. */
#ifndef RA_PFTRACE_WRITE_H
#define RA_PFTRACE_WRITE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"

/*
 * Writes all of a trace, in compressed packets (zlib's format) of 128 KiB. Adds rows and arrows to
 * the trace. If the file is cut short, readers get everything up to the last whole packet.
 *
 * @trace: a drawing was recorded in it once.
 * @draw: draws the same timeline once more; called up to twice.
 */
void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out, void (*draw)(void *context),
                      void *context);

/*
 * Writes events while the first pass draws them. This works if events come in the order of writing,
 * as plain ranges do. The packets that must come before them are inserted at the end.
 *
 * Return: to be passed to ra_pftrace_write_rest(), which frees it. NULL: this file can't be written
 * in this way.
 */
struct ra_pftrace_writing *ra_pftrace_write_early(struct ra_pftrace *trace, struct ra_outbuf *out);

/* Finishes the file after the first pass. Return: false if events came in another order; then the
 * output is empty, and the caller must use ra_pftrace_write(). */
bool ra_pftrace_write_rest(struct ra_pftrace_writing *writing);

#endif

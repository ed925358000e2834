/* SPDX-License-Identifier: MIT */
/* Packets of Perfetto's protobuf. */
#ifndef RA_PFTRACE_WRITE_H
#define RA_PFTRACE_WRITE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"

/*
 * @trace: has learnt of a drawing.
 * @draw: draws it again, each time the same: it is called up to twice.
 *
 * Writes all that a trace holds, in packets that are packed (by zlib's format) some hundred KiB at
 * a time; the trace gets rows and arrows. A file that is cut short can be read up to there.
 */
void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out, void (*draw)(void *context),
                      void *context);

#endif

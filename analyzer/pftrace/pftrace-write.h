/* SPDX-License-Identifier: MIT */
/* Packets of Perfetto's protobuf. */
#ifndef RA_PFTRACE_WRITE_H
#define RA_PFTRACE_WRITE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"

/*
 * Writes all of a trace, in compressed packets (zlib's format) of some hundred KiB. The trace gets
 * rows and arrows. A file that is cut short can be read up to there.
 *
 * @trace: has recorded a drawing once.
 * @draw: draws the same again; called up to twice.
 */
void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out, void (*draw)(void *context),
                      void *context);

#endif

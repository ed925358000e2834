/* SPDX-License-Identifier: MIT */
/* Writes a trace that is held as packets of Perfetto's protobuf. */
#ifndef RA_PFTRACE_WRITE_H
#define RA_PFTRACE_WRITE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"

/*
 * Writes all of a trace, in compressed packets (zlib's format) of 128 KiB. Adds rows and arrows to
 * the trace. If the file is cut short, readers get everything up to the last whole packet.
 *
 * @trace: a drawing was recorded in it, which can still draw single events again.
 */
void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out);

#endif

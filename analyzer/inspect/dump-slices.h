/* SPDX-License-Identifier: MIT */
/* `analyzer dump --slices`: prints the slices that the Perfetto output draws on the threads' rows,
 * as a table. */
#ifndef RA_DUMP_SLICES_H
#define RA_DUMP_SLICES_H

#include "analyzer/model/model.h"
#include "analyzer/io/outbuf.h"

/*
 * Writes one line per range, mark and loss: pid, tid, depth, start_ns, dur_ns, name. Tabs separate
 * the columns. Perfetto's importer gets the same values. Start/end ranges are left out, because
 * they are on no thread. In names a backslash, tab and line end are written as \\ \t \n \r, other
 * control characters as \xNN.
 */
void ra_dump_slices_write(const struct ra_model *model, struct ra_outbuf *out);

#endif

/* SPDX-License-Identifier: MIT */
/* `analyzer dump --slices`: prints the slices that the Perfetto output draws on rows of threads, as
 * a table. */
#ifndef RA_DUMP_SLICES_H
#define RA_DUMP_SLICES_H

#include "analyzer/model/model.h"
#include "analyzer/io/outbuf.h"

/*
 * Writes one line per range, mark and loss: pid, tid, depth, start_ns, dur_ns, name, separated by
 * tabs, as Perfetto's importer gets them. Start/end ranges are left out, because they are on no
 * thread. In names \\ \t \n \r \xNN stand for these characters and for other control characters.
 */
void ra_dump_slices_write(const struct ra_model *model, struct ra_outbuf *out);

#endif

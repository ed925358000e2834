/* SPDX-License-Identifier: MIT */
/* `analyzer dump --slices`: what the Perfetto output draws on rows of threads, as a table. */
#ifndef RA_DUMP_SLICES_H
#define RA_DUMP_SLICES_H

#include "analyzer/model/model.h"
#include "analyzer/io/outbuf.h"

/*
 * Writes a line per range, mark and loss: pid, tid, depth, start_ns, dur_ns, name, separated by
 * tabs, as Perfetto's importer will have them; start/end ranges, which lie on no thread, are left
 * out. In names \\ \t \n \r \xNN stand for these characters and for other control characters.
 */
void ra_dump_slices_write(const struct ra_model *model, struct ra_outbuf *out);

#endif

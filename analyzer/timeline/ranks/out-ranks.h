/* SPDX-License-Identifier: MIT */
/* JSON for Perfetto of several inputs on one time axis. */
#ifndef RA_OUT_RANKS_H
#define RA_OUT_RANKS_H

#include "analyzer/load/load.h"
#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/ranks/ranks-align.h"

/*
 * Writes inputs whose offsets were found, one in memory at a time. What the file system refuses is
 * kept in the buffer.
 *
 * Return: 0, or as ra_load_file(), with *failed the path.
 */
int ra_out_ranks_write(const struct ra_ranks *ranks, const struct ra_load_options *load,
                       const struct ra_out_options *options, struct ra_outbuf *out,
                       const char **failed, struct rlog_error *err);

/* Writes a file of one of them, whose model was read, on the axis of all. */
void ra_out_ranks_draw(const struct ra_ranks *ranks, size_t index, const struct ra_model *model,
                       const struct ra_out_options *options, struct ra_outbuf *out);

/*
 * Writes an archive for Perfetto: its manifest, and a file of each input, one in memory at a time.
 *
 * Return: as ra_out_ranks_write().
 */
int ra_out_ranks_archive(const struct ra_ranks *ranks, const struct ra_load_options *load,
                         const struct ra_out_options *options, struct ra_outbuf *out,
                         const char **failed, struct rlog_error *err);

#endif

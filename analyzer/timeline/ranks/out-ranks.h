/* SPDX-License-Identifier: MIT */
/* Writes several inputs on one time axis, as JSON for Perfetto. */
#ifndef RA_OUT_RANKS_H
#define RA_OUT_RANKS_H

#include "analyzer/load/load.h"
#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/ranks/ranks-align.h"

/*
 * Writes all inputs. Only one of them is in memory at a time. Their offsets must be known. The
 * buffer keeps errors of the file system.
 *
 * Return: 0, or the code of ra_load_file(); then *failed is the path.
 */
int ra_out_ranks_write(const struct ra_ranks *ranks, const struct ra_load_options *load,
                       const struct ra_out_options *options, struct ra_outbuf *out,
                       const char **failed, struct rlog_error *err);

/* Writes a file with one of the inputs, on the common time axis. The input's model was read
 * before. */
void ra_out_ranks_draw(const struct ra_ranks *ranks, size_t index, const struct ra_model *model,
                       const struct ra_out_options *options, struct ra_outbuf *out);

/*
 * Writes an archive for Perfetto: a manifest, and one file per input. Only one input is in memory
 * at a time.
 *
 * Return: the values of ra_out_ranks_write().
 */
int ra_out_ranks_archive(const struct ra_ranks *ranks, const struct ra_load_options *load,
                         const struct ra_out_options *options, struct ra_outbuf *out,
                         const char **failed, struct rlog_error *err);

#endif

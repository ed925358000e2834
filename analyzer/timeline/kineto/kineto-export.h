/* SPDX-License-Identifier: MIT */
/* A trace in JSON drawn again: all that was in it, and what it lacked. */
#ifndef RA_KINETO_EXPORT_H
#define RA_KINETO_EXPORT_H

#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/pens/pen.h"

/*
 * Draws every event of model->kineto, with all its fields. Added
 * are counters of GPUs and, where the trace has no flows, arrows from calls to what they launched;
 * the key "libranges" says so. A trace that has this key, or was made from a log, gets nothing
 * added.
 */
void ra_kineto_export_draw(const struct ra_model *model, const struct ra_out_options *options,
                           struct ra_pen *pen, struct ra_outbuf *out, struct ra_out_report *report);

#endif

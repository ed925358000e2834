/* SPDX-License-Identifier: MIT */
/* Redraws a trace in JSON: everything in it, and what it lacked. */
#ifndef RA_KINETO_EXPORT_H
#define RA_KINETO_EXPORT_H

#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/pens/pen.h"

/*
 * Draws every event of model->kineto with all its fields. It adds counters of GPUs and, if the
 * trace has no flows, arrows from calls to the work that they launched. The key "libranges" says
 * so. Nothing is added to a trace that has this key, or that was made from a log.
 */
void ra_kineto_export_draw(const struct ra_model *model, const struct ra_out_options *options,
                           struct ra_pen *pen, struct ra_outbuf *out, struct ra_out_report *report);

#endif

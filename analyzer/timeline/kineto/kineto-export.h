/* SPDX-License-Identifier: MIT */
/* Redraws a trace in JSON: everything that is in it, and additions. */
#ifndef RA_KINETO_EXPORT_H
#define RA_KINETO_EXPORT_H

#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/pens/pen.h"

/*
 * Draws every event of model->kineto with all its fields. Adds counters of GPUs. If the trace has
 * no flows, adds arrows from calls to the work that they launched. The key "libranges" lists what
 * was added. Nothing is added to a trace that has this key, or that was made from a log.
 */
void ra_kineto_export_draw(const struct ra_model *model, const struct ra_out_options *options,
                           struct ra_pen *pen, struct ra_outbuf *out, struct ra_out_report *report);

#endif

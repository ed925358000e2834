/* SPDX-License-Identifier: MIT */
/* Reports made from a log without holding its ranges: which ones can be, and the sink for the
 * ranges. */
#ifndef RA_REPORT_STREAM_H
#define RA_REPORT_STREAM_H

#include "analyzer/figures/ranges/range-stream.h"
#include "analyzer/report/report.h"

/*
 * Makes the sink of these reports, for struct ra_load_options and struct ra_report_input; to be
 * destroyed.
 *
 * @names: of the labels; borrowed until then.
 * Return: NULL if one of the reports, or a setting, needs the ranges held in memory.
 */
struct ra_range_stream *ra_report_stream_create(const struct ra_report *const *reports,
                                                size_t count, const struct ra_query *query,
                                                const struct ra_settings *settings,
                                                const struct ra_labels_options *names);

/* True if these reports can be made from a model with a walk (walk.h) in place of ranges. */
bool ra_report_stream_can_walk(const struct ra_report *const *reports, size_t count,
                               const struct ra_query *query, const struct ra_settings *settings,
                               const struct ra_labels_options *names);

#endif

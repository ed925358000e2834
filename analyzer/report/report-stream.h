/* SPDX-License-Identifier: MIT */
/* Tells which reports can be made from a log without holding its ranges in memory, and makes the
 * sink that gets the ranges. */
#ifndef RA_REPORT_STREAM_H
#define RA_REPORT_STREAM_H

#include "analyzer/figures/ranges/range-stream.h"
#include "analyzer/report/report.h"

/*
 * Makes the sink of these reports, for struct ra_load_options and struct ra_report_input. The
 * caller destroys it.
 *
 * @names: options of the labels; borrowed until the sink is destroyed.
 * Return: NULL if one of the reports, or a setting, needs the ranges held in memory.
 */
struct ra_range_stream *ra_report_stream_create(const struct ra_report *const *reports,
                                                size_t count, const struct ra_query *query,
                                                const struct ra_settings *settings,
                                                const struct ra_labels_options *names);

/* True if these reports can be made from a model that has a walk (walk.h) instead of ranges. */
bool ra_report_stream_can_walk(const struct ra_report *const *reports, size_t count,
                               const struct ra_query *query, const struct ra_settings *settings,
                               const struct ra_labels_options *names);

#endif

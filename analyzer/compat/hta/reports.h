/* SPDX-License-Identifier: MIT */
/* The reports of --compat=hta, one a line. */
#ifndef RA_HTA_REPORTS_H
#define RA_HTA_REPORTS_H

#include "analyzer/report/report.h"

extern const struct ra_report ra_report_hta_temporal;
extern const struct ra_report ra_report_hta_overlap;
extern const struct ra_report ra_report_hta_types;
extern const struct ra_report ra_report_hta_breakdown;
extern const struct ra_report ra_report_hta_annotations;
extern const struct ra_report ra_report_hta_idle;
extern const struct ra_report ra_report_hta_gaps;
extern const struct ra_report ra_report_hta_queue;
extern const struct ra_report ra_report_hta_bandwidth;
extern const struct ra_report ra_report_hta_launch;
extern const struct ra_report ra_report_hta_outliers;
extern const struct ra_report ra_report_hta_stragglers;
extern const struct ra_report ra_report_hta_sequences;
extern const struct ra_report ra_report_hta_steps;
extern const struct ra_report ra_report_hta_critical;
extern const struct ra_report ra_report_hta_critical_types;
extern const struct ra_report ra_report_hta_critical_graph;
extern const struct ra_report ra_report_hta_critical_edges;

#endif

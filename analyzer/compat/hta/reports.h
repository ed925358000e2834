/* SPDX-License-Identifier: MIT */
/* The reports of --compat=hta, one a line. */
#ifndef RA_HTA_REPORTS_H
#define RA_HTA_REPORTS_H

#include "analyzer/report/report.h"

/* clang-format off */
#define RA_REPORTS_HTA(X) \
	X(ra_report_hta_temporal) \
	X(ra_report_hta_overlap) \
	X(ra_report_hta_types) \
	X(ra_report_hta_breakdown) \
	X(ra_report_hta_annotations) \
	X(ra_report_hta_idle) \
	X(ra_report_hta_gaps) \
	X(ra_report_hta_queue) \
	X(ra_report_hta_bandwidth) \
	X(ra_report_hta_launch) \
	X(ra_report_hta_outliers) \
	X(ra_report_hta_stragglers) \
	X(ra_report_hta_sequences) \
	X(ra_report_hta_steps) \
	X(ra_report_hta_critical) \
	X(ra_report_hta_critical_types) \
	X(ra_report_hta_critical_graph) \
	X(ra_report_hta_critical_edges)

RA_REPORTS_HTA(RA_REPORT_DECLARE)
/* clang-format on */

#endif

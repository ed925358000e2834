/* SPDX-License-Identifier: MIT */
/* The reports of --compat=torch, one a line. */
#ifndef RA_TORCH_REPORTS_H
#define RA_TORCH_REPORTS_H

#include "analyzer/report/report.h"

/* clang-format off */
#define RA_REPORTS_TORCH(X) \
	X(ra_report_key_averages) \
	X(ra_report_key_averages_torch)

RA_REPORTS_TORCH(RA_REPORT_DECLARE)
/* clang-format on */

#endif

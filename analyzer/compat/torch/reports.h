/* SPDX-License-Identifier: MIT */
/* The reports of --compat=torch, one a line. */
#ifndef RA_TORCH_REPORTS_H
#define RA_TORCH_REPORTS_H

#include "analyzer/report/report.h"

extern const struct ra_report ra_report_key_averages;
extern const struct ra_report ra_report_key_averages_torch;

#endif

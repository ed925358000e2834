/* SPDX-License-Identifier: MIT */
/* Tells in one line why a report has no rows. */
#ifndef RA_REPORT_NONE_H
#define RA_REPORT_NONE_H

#include "analyzer/report/report.h"

/* Appends the line. For a report on the GPU, it has the log's reason if there is no GPU data. */
void ra_report_none_put(struct ra_util_text *text, const struct ra_report *report,
                        const struct ra_model *model);

#endif

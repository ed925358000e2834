/* SPDX-License-Identifier: MIT */
/* Writes a set of summaries as OpenMetrics text, for Prometheus and others. */
#ifndef RA_SUM_METRICS_H
#define RA_SUM_METRICS_H

#include "analyzer/summary-file/report/sum-set.h"

/* Appends the whole set. Metrics and labels have the names in doc/metrics.md, section 28. */
void ra_sum_metrics_put(struct ra_util_text *text, const struct ra_sum_set *set);

#endif

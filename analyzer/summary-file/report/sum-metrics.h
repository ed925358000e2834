/* SPDX-License-Identifier: MIT */
/* A set as OpenMetrics text, for Prometheus and the like. */
#ifndef RA_SUM_METRICS_H
#define RA_SUM_METRICS_H

#include "analyzer/summary-file/report/sum-set.h"

/* Appends all of a set; names of metrics and labels are those of doc/metrics.md, section 28. */
void ra_sum_metrics_put(struct ra_util_text *text, const struct ra_sum_set *set);

#endif

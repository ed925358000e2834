/* SPDX-License-Identifier: MIT */
/* Computes metrics of a model that has a walk (model/walk.h) in place of ranges. */
#ifndef RA_METRICS_WALK_H
#define RA_METRICS_WALK_H

#include "analyzer/figures/ranges/metrics.h"

/*
 * Computes all rows in one walk; their medians need up to three more. Needs 140 bytes a row during
 * the call. Medians need 8 to 16 KB for each of the first 1024 rows, and at most 8 bytes for each
 * range of the other rows.
 *
 * @by: RA_GROUP_BY_DOMAIN, RA_GROUP_BY_NAME or RA_GROUP_BY_PATH.
 * @labels: without merges_numbers.
 */
void ra_metrics_init_walk(struct ra_metrics *metrics, const struct ra_model *model, unsigned by,
                          struct ra_labels *labels, bool with_medians);

#endif

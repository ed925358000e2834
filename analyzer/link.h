/* SPDX-License-Identifier: MIT */
/* Linking: each GPU operation to the API call that launched it, and both to a range. */
#ifndef RA_LINK_H
#define RA_LINK_H

#include "analyzer/model.h"

/*
 * Sets api, slice and rule of all operations and slice of all API calls, and the counters of
 * model->gpu (doc/metrics.md, section "Attribution").
 *
 * Return: 0, -RLOG_E_NO_MEMORY. Time: O(n log n).
 */
int ra_link_build(struct ra_model *model);

#endif

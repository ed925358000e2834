/* SPDX-License-Identifier: MIT */
/* Which rows of a rank HTA keeps where there are steps, and the order in which it has them. */
#ifndef RA_HTA_FILTER_H
#define RA_HTA_FILTER_H

#include "analyzer/hta.h"

/* Leaves out what does not belong to whole steps and indexes anew, unless there is nothing on the
 * CPU. Times are aligned. Return: 0, -RLOG_E_NO_MEMORY. */
int ra_hta_filter_apply(struct ra_hta_rank *rank, bool keeps_last);

/* Fills the rank's lists of linked rows. @gpu_first: the order behind the filter. Return: as
 * before. */
int ra_hta_filter_index(struct ra_hta_rank *rank, bool gpu_first);

#endif

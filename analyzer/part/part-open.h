/* SPDX-License-Identifier: MIT */
/* Finds the ranges that are open when the window of a part begins. */
#ifndef RA_PART_OPEN_H
#define RA_PART_OPEN_H

#include "analyzer/part/part-job.h"

/* Fills part->stacks and part->spans. Reads from the last chunk before the window that lists open
 * ranges. */
void ra_part_open_find(struct ra_part *part);

#endif

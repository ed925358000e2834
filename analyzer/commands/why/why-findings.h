/* SPDX-License-Identifier: MIT */
/* `analyzer why`: what costs most and what to do. */
#ifndef RA_WHY_FINDINGS_H
#define RA_WHY_FINDINGS_H

#include "analyzer/commands/why/why-figures.h"

/* Says what costs most, where, and what to do; then what else costs time. */
void ra_why_put_findings(struct ra_util_text *text, const struct ra_why *why);

/* "5.9%" of a share, 0 to 1. */
void ra_why_put_share(struct ra_util_text *text, double share);

/* Appends the text of a cell as prose; nothing if the cell is empty. The cell is found by the key
 * of its column. */
void ra_why_put_cell(struct ra_util_text *text, const struct ra_table *table, size_t row,
                     const char *key);

#endif

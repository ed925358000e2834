/* SPDX-License-Identifier: MIT */
/* `analyzer why`: says what costs most and what to do. */
#ifndef RA_WHY_FINDINGS_H
#define RA_WHY_FINDINGS_H

#include "analyzer/commands/why/why-figures.h"

/* Appends what costs most, where, and what to do; then what else costs time. */
void ra_why_put_findings(struct ra_util_text *text, const struct ra_why *why);

/* Appends a share, which is from 0 to 1, as "5.9%". */
void ra_why_put_share(struct ra_util_text *text, double share);

/* Appends the text of a cell as prose. Appends nothing if the cell is empty. @key: the key of its
 * column. */
void ra_why_put_cell(struct ra_util_text *text, const struct ra_table *table, size_t row,
                     const char *key);

#endif

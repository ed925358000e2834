/* SPDX-License-Identifier: MIT */
/* `analyzer why` for a model: writes the paragraph and the tables. */
#ifndef RA_WHY_TEXT_H
#define RA_WHY_TEXT_H

#include "analyzer/commands/why/why-figures.h"

/* Appends the paragraph, as one line that ends with a newline. */
void ra_why_put_paragraph(struct ra_util_text *text, const struct ra_why *why);

/* Appends the three tables, each with a title. */
void ra_why_put_tables(struct ra_util_text *text, const struct ra_why *why);

#endif

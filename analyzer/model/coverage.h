/* SPDX-License-Identifier: MIT */
/* Writes how much of the GPU's time belongs to ranges, and which rule gave it to them. Every footer
 * has these lines. */
#ifndef RA_COVERAGE_H
#define RA_COVERAGE_H

#include "analyzer/model/model.h"
#include "analyzer/base/text/util-text.h"

/* Appends lines for people, each after `prefix`. Appends nothing if nothing ran on a GPU. */
void ra_coverage_put_text(struct ra_util_text *text, const struct ra_model *model,
                          const char *prefix);

/* Appends ,"gpu":{…}; nothing if nothing ran on a GPU. */
void ra_coverage_put_json(struct ra_util_text *text, const struct ra_model *model);

#endif

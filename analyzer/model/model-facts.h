/* SPDX-License-Identifier: MIT */
/* Adds facts about the machine of an input, and about the software that ran and recorded there. */
#ifndef RA_MODEL_FACTS_H
#define RA_MODEL_FACTS_H

#include "analyzer/model/model.h"

#define RA_MODEL_FACTS           64u
#define RA_MODEL_FACT_KEY_BYTES  31u
#define RA_MODEL_FACT_TEXT_BYTES 255u

/*
 * Adds a fact. Keys are those of doc/metrics.md, section 24. A text is cut to
 * RA_MODEL_FACT_TEXT_BYTES, between two characters of UTF-8. A fact with an empty text is ignored;
 * so is every fact if the model has RA_MODEL_FACTS already.
 *
 * @key: if it is longer than RA_MODEL_FACT_KEY_BYTES, the fact is ignored, too.
 */
void ra_model_facts_add(struct ra_model *model, struct rlog_string key, struct rlog_string text);

/* Adds a fact that is a number. */
void ra_model_facts_add_number(struct ra_model *model, const char *key, int64_t number);

void ra_model_facts_free(struct ra_model *model);

#endif

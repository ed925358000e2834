/* SPDX-License-Identifier: MIT */
/* What an input says of the machine that it is from, and of what ran and recorded there. */
#ifndef RA_MODEL_FACTS_H
#define RA_MODEL_FACTS_H

#include "analyzer/model/model.h"

#define RA_MODEL_FACTS           64u
#define RA_MODEL_FACT_KEY_BYTES  31u
#define RA_MODEL_FACT_TEXT_BYTES 255u

/*
 * Notes a fact. Keys are those of doc/metrics.md, section 24. Texts are cut to
 * RA_MODEL_FACT_TEXT_BYTES, not inside a character of UTF-8; an empty one is no fact, nor is what
 * comes after RA_MODEL_FACTS.
 *
 * @key: at most RA_MODEL_FACT_KEY_BYTES, else it is no fact either.
 */
void ra_model_facts_add(struct ra_model *model, struct rlog_string key, struct rlog_string text);

/* The same of a number. */
void ra_model_facts_add_number(struct ra_model *model, const char *key, int64_t number);

void ra_model_facts_free(struct ra_model *model);

#endif

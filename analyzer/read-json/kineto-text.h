/* SPDX-License-Identifier: MIT */
/* Writes a parsed JSON value as JSON text again. */
#ifndef RA_KINETO_TEXT_H
#define RA_KINETO_TEXT_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/json/json.h"

/* Appends a scalar. Words like NaN become strings. */
void ra_kineto_text_put(struct ra_util_text *to, enum ra_json_type type, const char *text,
                        size_t length);

#endif

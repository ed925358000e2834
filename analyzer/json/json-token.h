/* SPDX-License-Identifier: MIT */
/* Tokenizes JSON, and tolerates faults that are known from people's files. */
#ifndef RA_JSON_TOKEN_H
#define RA_JSON_TOKEN_H

#include "analyzer/json/json-reading.h"

/* Parses to the end of the text in the buffer, or to damage: r->outcome tells which of the two. */
void ra_json_token_parse(struct ra_json_reading *r);

#endif

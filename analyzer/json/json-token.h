/* SPDX-License-Identifier: MIT */
/* Tokenizes JSON, and tolerates what is known to be wrong in people's files. */
#ifndef RA_JSON_TOKEN_H
#define RA_JSON_TOKEN_H

#include "analyzer/json/json-reading.h"

/* Parses up to the end of the text in the buffer, or up to damage: r->outcome tells which. */
void ra_json_token_parse(struct ra_json_reading *r);

#endif

/* SPDX-License-Identifier: MIT */
/* The tokens of JSON, and what is known to be wrong with them in the files people have. */
#ifndef RA_JSON_TOKEN_H
#define RA_JSON_TOKEN_H

#include "analyzer/json/json-reading.h"

/* Parses up to the end of what is in the buffer, or up to damage: r->outcome tells which. */
void ra_json_token_parse(struct ra_json_reading *r);

#endif

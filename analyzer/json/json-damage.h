/* SPDX-License-Identifier: MIT */
/* Text that is left out: from where to where, and how the reading goes on behind it. */
#ifndef RA_JSON_DAMAGE_H
#define RA_JSON_DAMAGE_H

#include "analyzer/json/json-reading.h"

/* What was met is no JSON: from here on the next record is looked for. Return: false if there is no
 * going on; json->stop says why. */
bool ra_json_damage_begin(struct ra_json_reading *r);

/* Return: true if the parsing goes on, false if more text is needed. */
bool ra_json_damage_find_record(struct ra_json_reading *r);

/* A bracket that is missing makes a record take those behind it. Return: true if the one that is
 * open did, and the parsing goes on with the first of them. */
bool ra_json_damage_leave_record(struct ra_json_reading *r);

/* Counts what was left out, up to an offset. */
void ra_json_damage_count(struct ra_json_reading *r, uint64_t end);

#endif

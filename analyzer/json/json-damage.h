/* SPDX-License-Identifier: MIT */
/* Skips damaged text, counts what was skipped, and resumes at the next record. */
#ifndef RA_JSON_DAMAGE_H
#define RA_JSON_DAMAGE_H

#include "analyzer/json/json-reading.h"

/* Called when the text is not JSON: begins the search for the next record. Return: false if reading
 * can't go on; json->stop says why. */
bool ra_json_damage_begin(struct ra_json_reading *r);

/* Searches the next record. Return: true if parsing resumes, false if more text is needed. */
bool ra_json_damage_find_record(struct ra_json_reading *r);

/* Handles a record in which a bracket is missing, so that it swallows the records after it. Return:
 * true if the open record did so; parsing then resumes at the first of those records. */
bool ra_json_damage_leave_record(struct ra_json_reading *r);

/* Counts the skipped text up to an offset. */
void ra_json_damage_count(struct ra_json_reading *r, uint64_t end);

#endif

/* SPDX-License-Identifier: MIT */
/* Short and plain arrays taken as one text. */
#ifndef RA_JSON_ARRAY_H
#define RA_JSON_ARRAY_H

#include "analyzer/json/json-reading.h"

/*
 * Reads an array whose text is plain: no object, no escape, only ASCII, numbers in JSON's form. The
 * whole array must be in the buffer.
 *
 * @at: its opening bracket.
 * Return: the place after its end. Its text without white space is then in r->decoded, *length
 * bytes long. NULL: the array is not plain, and nothing was changed.
 */
const char *ra_json_array_read(struct ra_json_reading *r, const char *at, size_t *length);

#endif

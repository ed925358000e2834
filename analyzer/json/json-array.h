/* SPDX-License-Identifier: MIT */
/* Reads short and plain arrays as one text. */
#ifndef RA_JSON_ARRAY_H
#define RA_JSON_ARRAY_H

#include "analyzer/json/json-reading.h"

/*
 * Reads an array if its text is plain: it has no object and no escape, only ASCII, and numbers in
 * JSON's form. The whole array must be in the buffer.
 *
 * @at: its opening bracket.
 * Return: the place after its end. The text without white space is then in r->decoded, *length
 * bytes long. NULL: the array is not plain, and nothing was changed.
 */
const char *ra_json_array_read(struct ra_json_reading *r, const char *at, size_t *length);

#endif

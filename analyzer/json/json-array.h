/* SPDX-License-Identifier: MIT */
/* Arrays that are short and plain, taken as one text. */
#ifndef RA_JSON_ARRAY_H
#define RA_JSON_ARRAY_H

#include "analyzer/json/json-reading.h"

/*
 * Reads an array whose text has nothing odd in it: no object, no escape, ASCII, numbers as usual.
 * It must end in what is in the buffer.
 *
 * @at: of its bracket.
 * Return: behind its end, and its text without white space in r->decoded, of *length bytes; NULL:
 * it is none of these, and nothing has happened.
 */
const char *ra_json_array_read(struct ra_json_reading *r, const char *at, size_t *length);

#endif

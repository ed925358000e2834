/* SPDX-License-Identifier: MIT */
/* Escapes bytes for a JSON string. */
#ifndef RA_UTIL_JSON_H
#define RA_UTIL_JSON_H

#include <stddef.h>

/* The most bytes that one byte becomes: \u00XX. */
#define RA_UTIL_JSON_GROWTH 6u

/*
 * Escapes bytes for the inside of a JSON string. UTF-8 stays as it is; invalid UTF-8 becomes
 * U+FFFD. Quotes, backslashes and controls are escaped, also those that change the direction of
 * writing or hide text. It never writes a surrogate escape, because Perfetto refuses a file that
 * has one.
 *
 * @place: room for count * RA_UTIL_JSON_GROWTH bytes.
 * Return: the place after the last byte written.
 */
char *ra_util_json_escape(char *place, const char *bytes, size_t count);

/* Returns the length of the well-formed UTF-8 sequence at `bytes`, of which there is at least one.
 * If there is no such sequence, returns 0 and sets *bad to the number of bytes to replace. */
size_t ra_util_json_utf8_length(const char *bytes, size_t count, size_t *bad);

#endif

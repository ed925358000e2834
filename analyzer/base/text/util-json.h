/* SPDX-License-Identifier: MIT */
/* Bytes as the inside of a JSON string. */
#ifndef RA_UTIL_JSON_H
#define RA_UTIL_JSON_H

#include <stddef.h>

/* No byte becomes more than this many: \u00XX. */
#define RA_UTIL_JSON_GROWTH 6u

/*
 * Escapes bytes as the inside of a JSON string: UTF-8 stays as it is, what is no UTF-8 becomes
 * U+FFFD, quotes, backslashes and controls are escaped, also those that turn the direction of
 * writing or hide. Never a surrogate escape: Perfetto refuses the file for one.
 *
 * @place: room for count * RA_UTIL_JSON_GROWTH bytes.
 * Return: the place behind.
 */
char *ra_util_json_escape(char *place, const char *bytes, size_t count);

/* Length of the well-formed UTF-8 sequence at bytes (count >= 1), or 0; *bad is then how many bytes
 * to replace. */
size_t ra_util_json_utf8_length(const char *bytes, size_t count, size_t *bad);

#endif

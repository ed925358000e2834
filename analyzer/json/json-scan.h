/* SPDX-License-Identifier: MIT */
/* Finds the end of a string, 16 or 32 bytes at a time. */
#ifndef RA_JSON_SCAN_H
#define RA_JSON_SCAN_H

#include <stdbool.h>

/* The text to scan must be followed by this many bytes: a NUL, then any bytes. */
#define RA_JSON_SCAN_PAD 64

/*
 * Finds the first quote, backslash or byte below 0x20 from `at` on. There always is such a byte,
 * because the NUL after the text is one.
 *
 * @has_high: set to true if a byte of 0x80 or more comes before that place, else unchanged.
 */
typedef const char *ra_json_scan(const char *at, bool *has_high);

/* Gives the i-th scan that this processor can run, the fastest first. Return: NULL after the
 * last. */
ra_json_scan *ra_json_scan_get(unsigned index, const char **name);

#endif

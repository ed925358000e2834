/* SPDX-License-Identifier: MIT */
/* The end of a text of JSON, 16 or 32 bytes at a time. */
#ifndef RA_JSON_SCAN_H
#define RA_JSON_SCAN_H

#include <stdbool.h>

/* What is behind the bytes to look at: a NUL, and as many bytes in all, which may be anything. */
#define RA_JSON_SCAN_PAD 64

/*
 * From `at` on: the first quote, backslash or byte below 0x20. There must be one: the NUL behind
 * the bytes is.
 *
 * @has_high: set to true if a byte of 0x80 or more stands before it, and left alone else.
 */
typedef const char *ra_json_scan(const char *at, bool *has_high);

/* The ways that this processor knows, the fastest first. Return: NULL if there are no more. */
ra_json_scan *ra_json_scan_get(unsigned index, const char **name);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds the end of a string, 16 or 32 bytes at a time. */
#ifndef RA_JSON_SCAN_H
#define RA_JSON_SCAN_H

#include <stdbool.h>

/* This many bytes must follow the text to scan: a NUL, then any bytes. */
#define RA_JSON_SCAN_PAD 64

/*
 * Finds the first quote, backslash or byte below 0x20 from `at` on. There is always one: the NUL
 * after the text.
 *
 * @has_high: set to true if a byte of 0x80 or more stands before it, else left alone.
 */
typedef const char *ra_json_scan(const char *at, bool *has_high);

/* The scans that this processor can run, the fastest first. Return: NULL after the last. */
ra_json_scan *ra_json_scan_get(unsigned index, const char **name);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads and writes JSON numbers as decimal numbers: exact, without floating point. */
#ifndef RA_KINETO_NUMBER_H
#define RA_KINETO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/json/json.h"

/* The number digits / 10^scale. is_plain: printing it gives the same text again. */
struct ra_kineto_number {
	int64_t digits;
	uint32_t scale;
	bool is_plain;
	bool has_point; /* the text has a decimal point or an exponent */
};

/* True for the words NaN, N/A and the like. When a trace is read, such words are accepted, but JSON
 * can't contain them. */
bool ra_kineto_number_is_word(const char *text, size_t length);

/*
 * Return: false if the text is no decimal number, or needs more than 18 digits; then digits and
 * scale are 0.
 */
bool ra_kineto_number_parse(const char *text, size_t length, struct ra_kineto_number *number);

/*
 * Converts a number of µs to ns, rounded to the nearest, halves away from 0.
 *
 * @is_exact: set to false if it had to be rounded.
 * Return: false if the text is no number, or the result is beyond a quarter of 2^63 ns (73 years).
 */
bool ra_kineto_number_ns(const char *text, size_t length, int64_t *ns, bool *has_point,
                         bool *is_exact);

/* The same for a number whose digits the tokenizer has read. Return: false if the number's text is
 * needed. */
bool ra_kineto_number_take(const struct ra_json_number *usual, struct ra_kineto_number *number);
bool ra_kineto_number_take_ns(const struct ra_json_number *usual, int64_t *ns, bool *has_point);

/* Writes digits / 10^scale. @text: has room for 44 bytes. Return: the length. */
size_t ra_kineto_number_print(char *text, int64_t digits, uint32_t scale);

#endif

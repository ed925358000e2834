/* SPDX-License-Identifier: MIT */
/* Numbers of JSON as decimal text: exact, without floating point. */
#ifndef RA_KINETO_NUMBER_H
#define RA_KINETO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/json/json.h"

/* digits / 10^scale; is_plain: printing just that gives the text again. */
struct ra_kineto_number {
	int64_t digits;
	uint32_t scale;
	bool is_plain;
	bool has_point; /* a point or an exponent stands in the text */
};

/* NaN, N/A and the like, which are repaired in traces: no JSON, where they are to be written. */
bool ra_kineto_number_is_word(const char *text, size_t length);

/*
 * Return: false if the text is no decimal number, or one that needs more than 18 digits; digits and
 * scale are then 0.
 */
bool ra_kineto_number_parse(const char *text, size_t length, struct ra_kineto_number *number);

/*
 * A number of µs as ns, rounded to the nearest, halves away from 0.
 *
 * @is_exact: set to false if it had to be rounded.
 * Return: false if the text is no number, or one beyond a quarter of 2^63 ns (73 years).
 */
bool ra_kineto_number_ns(const char *text, size_t length, int64_t *ns, bool *has_point,
                         bool *is_exact);

/* The same of numbers whose digits the tokenizer has read. Return: false if it takes the text. */
bool ra_kineto_number_take(const struct ra_json_number *usual, struct ra_kineto_number *number);
bool ra_kineto_number_take_ns(const struct ra_json_number *usual, int64_t *ns, bool *has_point);

/* Writes digits / 10^scale; room for 44 bytes. Return: the length. */
size_t ra_kineto_number_print(char *text, int64_t digits, uint32_t scale);

#endif

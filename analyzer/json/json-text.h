/* SPDX-License-Identifier: MIT */
/* What is in a text or a bare word of JSON: escapes, UTF-8, numbers written oddly. */
#ifndef RA_JSON_TEXT_H
#define RA_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was odd about a text. */
struct ra_json_text_odd {
	uint64_t surrogates; /* halves of pairs: they became U+FFFD */
	uint64_t escapes;    /* no escapes of JSON: the backslash stands for itself */
};

/*
 * Writes a text without its escapes. A half of a surrogate pair becomes U+FFFD; a backslash that
 * begins no escape of JSON stands for itself, as in a path of Windows.
 *
 * @to: room for `length` bytes; U+FFFD is shorter than its escape. May be `text`.
 * Return: the length.
 */
size_t ra_json_text_decode(char *to, const char *text, size_t length, struct ra_json_text_odd *odd);

bool ra_json_text_is_utf8(const char *text, size_t length);

/* NaN, Infinity, N/A and None, which Python, C++ and Kineto have written where a number belongs. */
bool ra_json_text_is_word(const char *text, size_t length);

/* As JSON's grammar has it. */
bool ra_json_text_is_number(const char *text, size_t length);

/*
 * Writes a number that has a plus, zeros before it, or no digit on one side of its point, as JSON
 * would have it.
 *
 * @to: room for length + 2 bytes.
 * Return: the length; 0: the text is no number in any of these ways.
 */
size_t ra_json_text_mend_number(char *to, const char *text, size_t length);

#endif

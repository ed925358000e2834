/* SPDX-License-Identifier: MIT */
/* Decodes strings and bare words: escapes, UTF-8, numbers in odd forms. */
#ifndef RA_JSON_TEXT_H
#define RA_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts of what is odd in a string. */
struct ra_json_text_odd {
	uint64_t surrogates; /* half surrogate pairs, which became U+FFFD */
	uint64_t escapes;    /* backslashes that begin no escape: they stand for themselves */
};

/*
 * Decodes the escapes of a string. Half a surrogate pair becomes U+FFFD. A backslash that begins no
 * escape of JSON stands for itself, as in a path of Windows.
 *
 * @to: room for `length` bytes, since U+FFFD is shorter than its escape. May be `text`.
 * Return: the length.
 */
size_t ra_json_text_decode(char *to, const char *text, size_t length, struct ra_json_text_odd *odd);

bool ra_json_text_is_utf8(const char *text, size_t length);

/* True for the words NaN, Infinity, N/A and None, which Python, C++ and Kineto have written in
 * place of a number. */
bool ra_json_text_is_word(const char *text, size_t length);

/* True if the text is a number in JSON's grammar. */
bool ra_json_text_is_number(const char *text, size_t length);

/*
 * Rewrites a number with a plus, with leading zeros, or without a digit on one side of its point,
 * to the form that JSON requires.
 *
 * @to: room for length + 2 bytes.
 * Return: the length; 0: the text is no number of these forms.
 */
size_t ra_json_text_mend_number(char *to, const char *text, size_t length);

#endif

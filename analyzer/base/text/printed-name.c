/* SPDX-License-Identifier: MIT */
/* Finds names by the text that tables print for them. */
#include "analyzer/base/text/printed-name.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#define DOTS  "..."
#define TIMES " \xC3\x97 " /* stands before the count of names that differ only by a number */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *bytes, size_t length, size_t at)
{
	while (at < length && is_digit(bytes[at])) {
		at++;
	}
	return at;
}

/* Matches a piece without dots at the start of `bytes`. Return: the number of bytes that match;
 * SIZE_MAX: it does not match. */
static size_t measure(const char *bytes, size_t length, const char *piece, size_t size)
{
	size_t at = 0;
	size_t done = 0;

	for (size_t i = 0; i < size && at < length; i++) {
		if (piece[i] == '#' && is_digit(bytes[at])) {
			at = skip_digits(bytes, length, at);
		} else if (tolower((unsigned char) bytes[at]) ==
		           tolower((unsigned char) piece[i])) {
			at++;
		} else {
			return SIZE_MAX;
		}
		done = i + 1;
	}
	if (done < size) {
		return SIZE_MAX;
	}
	return at;
}

/* Finds the first match of a piece from `from` on. Return: where the match ends; SIZE_MAX: there is
 * none. */
static size_t find_end(const char *bytes, size_t length, size_t from, const char *piece,
                       size_t size)
{
	for (size_t at = from; at <= length; at++) {
		const size_t reach = measure(bytes + at, length - at, piece, size);

		if (reach != SIZE_MAX) {
			return at + reach;
		}
	}
	return SIZE_MAX;
}

/* Returns the length of a part without `mark` and the digits at its end; its whole length if it
 * does not end like this. */
static size_t cut_number(const char *part, size_t length, const char *mark)
{
	const size_t size = strlen(mark);
	size_t end = length;

	while (end > 0 && is_digit(part[end - 1])) {
		end--;
	}
	return end < length && end > size && memcmp(part + end - size, mark, size) == 0 ? end - size
	                                                                                : length;
}

/* Finds the next mark that stands for any text: a star, or dots. @size: gets the length of that
 * mark. Return: NULL if there is none. */
static const char *find_any(const char *part, size_t length, size_t *size)
{
	const char *dots = memmem(part, length, DOTS, sizeof(DOTS) - 1);
	const char *star = memchr(part, '*', length);
	const bool is_star = star != NULL && (dots == NULL || star < dots);

	*size = is_star ? 1 : sizeof(DOTS) - 1;
	return is_star ? star : dots;
}

static bool has_pieces(const char *bytes, size_t length, const char *part, size_t size)
{
	size_t from = 0;

	for (;;) {
		size_t mark;
		const char *any = find_any(part, size, &mark);
		const size_t piece = any == NULL ? size : (size_t) (any - part);

		from = find_end(bytes, length, from, part, piece);
		if (from == SIZE_MAX || any == NULL) {
			return from != SIZE_MAX;
		}
		part += piece + mark;
		size -= piece + mark;
	}
}

bool ra_printed_name_is_in(const char *bytes, size_t length, const char *part)
{
	size_t size;

	if (part == NULL) {
		return true;
	}
	size = strlen(part);
	if (has_pieces(bytes, length, part, size)) {
		return true;
	}
	if (strchr(part, '#') == NULL) {
		return false;
	}
	size = strstr(part, DOTS) != NULL ? cut_number(part, size, " #")
	                                  : cut_number(part, size, TIMES);
	return has_pieces(bytes, length, part, size);
}

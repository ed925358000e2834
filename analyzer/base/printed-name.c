/* SPDX-License-Identifier: MIT */
/* Finds names by what tables print of them. */
#include "analyzer/base/printed-name.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#define DOTS  "..."
#define TIMES " \xC3\x97 " /* before how many names differ by a number only */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* How far a piece without dots reaches that begins at `bytes`. Return: SIZE_MAX: it is not there.
 */
static size_t measure(const char *bytes, size_t length, const char *piece, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < size; i++) {
		if (at < length && piece[i] == '#' && is_digit(bytes[at])) {
			while (at < length && is_digit(bytes[at])) {
				at++;
			}
		} else if (at < length && tolower((unsigned char) bytes[at]) ==
		                                  tolower((unsigned char) piece[i])) {
			at++;
		} else {
			return SIZE_MAX;
		}
	}
	return at;
}

/* Return: where the first such piece from `from` on ends, SIZE_MAX: there is none. */
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

/* The length of a part up to `mark` and digits at its end; its whole length if it has none. */
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

static bool has_pieces(const char *bytes, size_t length, const char *part, size_t size)
{
	size_t from = 0;

	for (;;) {
		const char *dots = memmem(part, size, DOTS, sizeof(DOTS) - 1);
		const size_t piece = dots == NULL ? size : (size_t) (dots - part);

		from = find_end(bytes, length, from, part, piece);
		if (from == SIZE_MAX || dots == NULL) {
			return from != SIZE_MAX;
		}
		part += piece + sizeof(DOTS) - 1;
		size -= piece + sizeof(DOTS) - 1;
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

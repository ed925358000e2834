/* SPDX-License-Identifier: MIT */
/* Names that differ only by numbers. */
#include "format/options/numbers.h"

#include <string.h>

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool rlog_numbers_replace(const char *name, size_t length, char *out, size_t *written)
{
	const bool is_operator = length > 0 && memmem(name, length, "::", 2) != NULL;
	bool has_numbers = false;
	size_t end;

	*written = 0;
	for (size_t i = 0; i < length; i = end) {
		const bool is_in_word = i > 0 && is_letter(name[i - 1]);

		end = i;
		while (end < length && name[end] >= '0' && name[end] <= '9') {
			end++;
		}
		if (end == i || (end < length && is_letter(name[end])) ||
		    (is_operator && is_in_word)) {
			end += end == i;
			memcpy(out + *written, name + i, end - i);
			*written += end - i;
		} else {
			has_numbers = true;
			if (i == 0 || name[i - 1] != '#') {
				out[(*written)++] = '#';
			}
		}
	}
	return has_numbers;
}

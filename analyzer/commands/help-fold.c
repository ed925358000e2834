/* SPDX-License-Identifier: MIT */
/* Folds help text at 80 columns: text that does not fit continues on the next line. */
#include "analyzer/commands/help-fold.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/base/text/util-text.h"

#define NEAR 42 /* descriptions begin before this column */

/* Finds the column where a line's description begins: after two blanks, or where the next line
 * begins. */
static size_t find_text(const char *line, size_t length, const char *next)
{
	const size_t indent = strspn(line, " ");
	const size_t below = strspn(next, " ");

	for (size_t i = indent; i + 2 < length && i < NEAR; i++) {
		if (line[i] == ' ' && line[i + 1] == ' ') {
			return i + strspn(line + i, " ");
		}
	}
	return below > indent && below < NEAR && next[below] != '\n' ? below : indent;
}

/* Finds where to break a line so that it fits. Return: the number of bytes before the last possible
 * blank; the line's length if there is no such blank. */
static size_t find_break(const char *line, size_t length, size_t text)
{
	size_t best = length;

	for (size_t i = text + 1; i < length; i++) {
		if (line[i] == ' ' && ra_util_text_width(line, i) <= RA_HELP_FOLD_COLUMNS) {
			best = i;
		}
	}
	return best;
}

/* Prints the part of a line that fits, and leaves the rest in `line`. The rest continues in column
 * *text. */
static void print_line(struct ra_util_text *line, const char *next, size_t *text)
{
	struct ra_util_text rest = { 0 };
	size_t count = line->length;

	ra_util_text_put_char(line, '\0');
	line->length--;
	*text = find_text(line->bytes, line->length, next);
	if (ra_util_text_width(line->bytes, line->length) > RA_HELP_FOLD_COLUMNS) {
		count = find_break(line->bytes, line->length, *text);
	}
	printf("%.*s\n", (int) count, line->bytes);
	if (count < line->length) {
		ra_util_text_fill(&rest, ' ', *text);
		ra_util_text_put(&rest, line->bytes + count + 1, line->length - count - 1);
	}
	ra_util_text_free(line);
	*line = rest;
}

void ra_help_fold_print(const char *help)
{
	struct ra_util_text line = { 0 };
	size_t text = 0;

	while (*help != '\0') {
		const size_t length = strcspn(help, "\n");
		const size_t indent = strspn(help, " ");
		const char *next = help + length + (help[length] == '\n');

		while (line.length > 0 && (length == 0 || indent != text)) {
			print_line(&line, "", &text);
		}
		if (line.length > 0) {
			ra_util_text_put_char(&line, ' ');
			ra_util_text_put(&line, help + indent, length - indent);
		} else {
			ra_util_text_put(&line, help, length);
		}
		print_line(&line, next, &text);
		help = next;
	}
	while (line.length > 0) {
		print_line(&line, "", &text);
	}
	ra_util_text_free(&line);
}

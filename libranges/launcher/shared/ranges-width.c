/* SPDX-License-Identifier: MIT */
/* Finds how wide the intervals in `analyzer diff -f json` are. */
#include "libranges/launcher/shared/ranges-width.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libranges/base/log.h"

/* A row is left out if its time is a smaller share of the largest row's time. */
#define LEAST_SHARE 0.05
/* A larger file is refused. analyzer diff writes some hundred bytes per row. */
#define MOST_BYTES ((size_t) 256 << 20)

/* The members of a row that are needed. */
struct row {
	const char *name; /* text after the opening quote */
	size_t name_length;
	double before_ns;
	double low; /* lower end of the interval of the change, as a fraction of the time before */
	double high;
	bool has_low;
	bool has_high;
};

/* Skips a string. @at: its opening quote. Return: the place after the string. */
static const char *skip_string(const char *at)
{
	for (at++; *at != '"' && *at != '\0'; at++) {
		if (*at == '\\' && at[1] != '\0') {
			at++;
		}
	}
	return *at == '\0' ? at : at + 1;
}

/* Skips any value. @at: its start. Return: the place after it. */
static const char *skip_value(const char *at)
{
	size_t depth = 0;

	while (*at != '\0') {
		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		if (depth == 0 && strchr(",}]", *at) != NULL) {
			break;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
	}
	return at;
}

static bool is_key(const char *at, const char *key)
{
	const size_t length = strlen(key);

	return strncmp(at, key, length) == 0 && at[length] == '"';
}

/* Reads a number. Return: false if the value is "null". */
static bool read_number(const char *at, double *out)
{
	char *end;

	*out = strtod(at, &end);
	return end != at;
}

/* Parses a row. @at: after "{" or after a value in the row. Return: the place of "}", or the text's
 * end. */
static const char *read_row(const char *at, struct row *out)
{
	memset(out, 0, sizeof(*out));
	out->name = "";
	while (*at != '\0' && *at != '}') {
		const char *const key = at + 1;

		if (*at != '"') {
			at++;
			continue;
		}
		at = skip_string(at);
		at += strspn(at, " \t\r\n:");
		if (is_key(key, "name") && *at == '"') {
			out->name = at + 1;
			out->name_length = (size_t) (skip_string(at) - at) - 2;
		} else if (is_key(key, "before_ns")) {
			out->before_ns = strtod(at, NULL);
		} else if (is_key(key, "low_part")) {
			out->has_low = read_number(at, &out->low);
		} else if (is_key(key, "high_part")) {
			out->has_high = read_number(at, &out->high);
		}
		at = skip_value(at);
	}
	return at;
}

/* Finds the next row. Return: false if there is none. */
static bool next_row(const char **at, struct row *out)
{
	*at += strspn(*at, " \t\r\n,}");
	if (**at != '{') {
		return false;
	}
	*at = read_row(*at + 1, out);
	return true;
}

static void look(const char *rows, struct rcap_ranges_width *out)
{
	const char *at = rows;
	double largest = 0;
	struct row row;

	while (next_row(&at, &row)) {
		largest = row.before_ns > largest ? row.before_ns : largest;
	}
	out->is_narrow = largest > 0;
	for (at = rows; next_row(&at, &row);) {
		const double width = (row.high - row.low) / 2;

		if (row.before_ns < largest * LEAST_SHARE || row.before_ns <= 0) {
			continue;
		}
		if (!row.has_low || !row.has_high) {
			out->is_narrow = false;
			continue;
		}
		out->rows++;
		if (out->rows == 1 || width > out->widest) {
			out->widest = width;
			rcap_log_format(out->name, sizeof(out->name), "%.*s", (int) row.name_length,
			                row.name);
		}
	}
}

/* Reads the file. Return: its text, which the caller frees; NULL with errno. */
static char *read_text(const char *path)
{
	FILE *const file = fopen(path, "re");
	char *text = NULL;
	size_t length = 0;
	size_t size = 0;

	if (file == NULL) {
		return NULL;
	}
	do {
		char *const more = realloc(text, size + (64 << 10) + 1);

		if (more == NULL || size > MOST_BYTES) {
			free(more != NULL ? more : text);
			fclose(file);
			errno = ENOMEM;
			return NULL;
		}
		text = more;
		length = fread(text + size, 1, 64 << 10, file);
		size += length;
	} while (length > 0);
	text[size] = '\0';
	fclose(file);
	return text;
}

int rcap_ranges_width_read(const char *path, struct rcap_ranges_width *out)
{
	char *const text = read_text(path);
	const char *rows;

	memset(out, 0, sizeof(*out));
	if (text == NULL) {
		return errno;
	}
	rows = strstr(text, "\"rows\":");
	rows = rows != NULL ? strchr(rows, '[') : NULL;
	if (rows != NULL) {
		look(rows + 1, out);
	}
	free(text);
	return 0;
}

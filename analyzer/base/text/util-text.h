/* SPDX-License-Identifier: MIT */
/* Escapes text that came out of a traced program, so that it is harmless where it is written. */
#ifndef RA_UTIL_TEXT_H
#define RA_UTIL_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/tables.h"

/* A growing string. Zero-initialise. */
struct ra_util_text {
	char *bytes; /* owned; not NUL-terminated */
	size_t length;
	size_t capacity;
	FILE *out;      /* borrowed; where ra_util_text_drain() writes to; NULL: nowhere */
	int has_styles; /* for a terminal with colours */
};

/*
 * The target of a text decides which characters must be escaped. Invalid UTF-8 becomes \xNN, in
 * JSON U+FFFD.
 */
enum ra_util_text_target {
	RA_TEXT_TERMINAL, /* C0, C1, DEL, bidi and invisible controls as \n, \xNN, \u{NNNN} */
	RA_TEXT_CSV, /* as for a terminal, quoted where needed; a ' goes before what a spreadsheet
	                would take for a formula */
	RA_TEXT_TSV, /* as for a terminal, with the same ' as in CSV */
	RA_TEXT_MARKDOWN, /* as for a terminal, and Markdown's special characters are escaped */
	RA_TEXT_JSON,     /* the inside of a JSON string */
};

void ra_util_text_free(struct ra_util_text *text);
void ra_util_text_clear(struct ra_util_text *text);
void ra_util_text_put(struct ra_util_text *text, const char *bytes, size_t length);
void ra_util_text_put_char(struct ra_util_text *text, char c);
void ra_util_text_fill(struct ra_util_text *text, char c, size_t count);
void ra_util_text_format(struct ra_util_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Append a number in the form of "%lld" and of "%.6g". */
void ra_util_text_put_int(struct ra_util_text *text, int64_t number);
void ra_util_text_put_real(struct ra_util_text *text, double real);

/* Appends a name, escaped for the target. */
void ra_util_text_put_name(struct ra_util_text *text, struct rlog_string name,
                           enum ra_util_text_target target);

enum ra_util_text_style {
	RA_STYLE_NONE,
	RA_STYLE_TITLE,
	RA_STYLE_GOOD,
	RA_STYLE_WARNING,
	RA_STYLE_BAR,
};

/* Sets the style of text that is appended from now on; NONE ends it. Does nothing if has_styles is
 * 0. */
void ra_util_text_style(struct ra_util_text *text, enum ra_util_text_style style);

/* The columns that bytes take on a terminal. Style sequences take none. The bytes must have gone
 * through RA_TEXT_TERMINAL. */
size_t ra_util_text_width(const char *bytes, size_t length);

/* Returns how many bytes of text, escaped for a terminal, fit into a width. */
size_t ra_util_text_fit(const char *bytes, size_t length, size_t width);

/* Appends terminal text in exactly `width` columns. A short one is padded on the right. A long one
 * loses the namespaces at its start; if that is not enough, its middle becomes "...". */
void ra_util_text_put_fitted(struct ra_util_text *text, const char *bytes, size_t length,
                             size_t width);

/* Appends a duration with a suitable unit: 17ns, 1.250us, 3.004ms, 12.500s. Rounded half up. */
void ra_util_text_put_time(struct ra_util_text *text, int64_t time_ns);

/* Appends a number of bytes: 4096B, 1.050MB (10^6), 2.500GB; rounded down. */
void ra_util_text_put_bytes(struct ra_util_text *text, int64_t bytes);

/* Appends a number, not negative, with three digits and a prefix of its unit: "12.7 T". */
void ra_util_text_put_scaled(struct ra_util_text *text, double number, const char *unit);

/* Appends part/whole with `digits` decimals (≤ 9), exact, rounded half up; 0/0 is written as 0. */
void ra_util_text_put_ratio(struct ra_util_text *text, int64_t part, int64_t whole,
                            unsigned digits);

/* Appends part/whole as 12.34%; exact, rounded half up. */
void ra_util_text_put_percent(struct ra_util_text *text, int64_t part, int64_t whole);

/* The ending of a noun after a count: "1 file", "2 files". */
static inline const char *ra_util_text_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Appends 1234567 as 1,234,567. */
void ra_util_text_put_count(struct ra_util_text *text, uint64_t count);

/*
 * Writes a long text to text->out and empties it, so that a table of a million rows is never in
 * memory as a whole. Call it where the text may be written in parts. The stream keeps an error for
 * the caller that closes it.
 */
void ra_util_text_drain(struct ra_util_text *text);

/* Writes the text to a stream and empties it. Return: 0, -RLOG_E_SYSTEM. */
int ra_util_text_write(struct ra_util_text *text, FILE *out);

#endif

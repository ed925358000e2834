/* SPDX-License-Identifier: MIT */
/* Writes JSON text: escaped strings, numbers, and the commas between them. */
#ifndef RA_JSONW_H
#define RA_JSONW_H

#include <stdbool.h>

#include "analyzer/base/text/util-json.h"
#include "analyzer/io/outbuf.h"
#include "format/tables.h"

/* A writer of nested values, to any depth. The caller writes the values in the order of the
 * text. */
struct ra_jsonw {
	struct ra_outbuf *out; /* borrowed */
	bool is_first;         /* the next value gets no comma before it */
};

void ra_jsonw_init(struct ra_jsonw *json, struct ra_outbuf *out);
void ra_jsonw_open(struct ra_jsonw *json, char bracket);  /* kind: '{' or '[' */
void ra_jsonw_close(struct ra_jsonw *json, char bracket); /* kind: '}' or ']' */
void ra_jsonw_key(struct ra_jsonw *json, const char *key);
void ra_jsonw_bytes(struct ra_jsonw *json, const char *bytes, size_t count);
void ra_jsonw_text(struct ra_jsonw *json, const char *text);
void ra_jsonw_unsigned(struct ra_jsonw *json, uint64_t value);
void ra_jsonw_signed(struct ra_jsonw *json, int64_t value);
void ra_jsonw_bool(struct ra_jsonw *json, bool value);
void ra_jsonw_null(struct ra_jsonw *json);
/* Writes a share or ratio, with four decimals. */
void ra_jsonw_ratio(struct ra_jsonw *json, double value);
/* Starts a new line, only to help people who read the text. */
void ra_jsonw_newline(struct ra_jsonw *json);

/* Writes the inside of a string, of any length, without a struct ra_jsonw. */
void ra_jsonw_put_escaped(struct ra_outbuf *out, const char *bytes, size_t count);

#endif

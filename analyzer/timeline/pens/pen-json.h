/* SPDX-License-Identifier: MIT */
/* The pen that writes JSON: Chrome's trace event format, as Perfetto's importer reads it. */
#ifndef RA_PEN_JSON_H
#define RA_PEN_JSON_H

#include "analyzer/io/outbuf.h"
#include "analyzer/timeline/pens/pen.h"

/* This many bytes after the last name of a table can be read. Their values do not matter. */
#define RA_PEN_JSON_SPARE_BYTES 32u

/* Names, each escaped once and then copied for every range that has the name. */
struct ra_pen_json_names {
	char *bytes;  /* owned; RA_PEN_JSON_SPARE_BYTES follow the last name */
	size_t *ends; /* owned; name i is bytes[ends[i] … ends[i + 1]) */
	size_t count;
};

void ra_pen_json_names_fill(struct ra_pen_json_names *table, const struct ra_pen_names *names,
                            enum ra_pen_table which);
void ra_pen_json_names_free(struct ra_pen_json_names tables[RA_PEN_TABLES]);

struct ra_pen_json_kept {
	uint64_t number; /* 0: the slot is free */
	char *bytes;     /* owned */
	size_t length, capacity;
};

#define RA_PEN_JSON_HEAD_BYTES 64

/* The text before an event's name, and the phase and category that it was made for. */
struct ra_pen_json_head {
	char text[RA_PEN_JSON_HEAD_BYTES + 8];
	size_t length;
	const char *category;
};

struct ra_pen_json {
	struct ra_pen pen;
	struct ra_outbuf *out; /* borrowed; gets arguments: the file, or `scratch` */
	struct ra_outbuf *file;
	struct ra_outbuf scratch;                      /* owned: arguments that will be kept */
	struct ra_pen_json_names names[RA_PEN_TABLES]; /* owned */
	struct ra_pen_json_head slice, instant;
	char row[64]; /* text from the end of the name to the time: ","pid":1,"tid":2,"ts": */
	size_t row_length;
	uint32_t row_pid, row_tid;
	char stamp[64]; /* the same text, then the leading digits that all times of a stretch
	                   have */
	size_t stamp_length;
	int64_t stamp_stretch; /* time / RA_OUTBUF_STRETCH_NS; 0: the stamp is of another row */
	bool has_event;        /* an event was written: the next one needs a comma before it */
	bool needs_comma;      /* the event has a field already, so the next one needs a comma */
	bool has_args;         /* its arguments are open */
	bool is_first;         /* the next item in the open list or object needs no comma before
	                          it */
	enum ra_pen_args args; /* of the event */
	bool is_span;          /* the other half of a span follows */
	struct ra_pen_event span;
	struct ra_pen_json_kept *kept;    /* owned */
	struct ra_pen_json_kept *keeping; /* where arguments are being kept; NULL: they are not
	                                     kept */
};

/* @file: gets the events. It already has the text up to the bracket that opens their list. */
void ra_pen_json_init(struct ra_pen_json *json, struct ra_outbuf *file);
void ra_pen_json_fini(struct ra_pen_json *json);

/* Begins an event with its brace. @is_added: the event is not from the trace; it is marked as
 * added. */
void ra_pen_json_put_begin(struct ra_pen_json *json, bool is_added);

/* Writes a text in quotes. */
void ra_pen_json_put_quoted(const struct ra_pen_json *json, const struct ra_pen_text *text);

/* The pen's `copy` (pen.h). */
void ra_pen_json_copy(struct ra_pen *pen, const struct ra_pen_copy *event);

#endif

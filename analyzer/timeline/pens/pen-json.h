/* SPDX-License-Identifier: MIT */
/* The pen that writes JSON: Chrome's trace event format, as Perfetto's importer reads it. */
#ifndef RA_PEN_JSON_H
#define RA_PEN_JSON_H

#include "analyzer/io/outbuf.h"
#include "analyzer/timeline/pens/pen.h"

/* This many bytes after the last name of a table can be read. Their values have no meaning. */
#define RA_PEN_JSON_SPARE_BYTES 32u

/* Names. Each is escaped once, and then copied for every range with that name. */
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

/* The text before an event's name, for one phase and category. */
struct ra_pen_json_head {
	char text[RA_PEN_JSON_HEAD_BYTES + 8];
	size_t length;
	const char *category;
};

struct ra_pen_json {
	struct ra_pen pen;
	struct ra_outbuf *out; /* borrowed; where arguments are written: the file, or `scratch` */
	struct ra_outbuf *file;
	struct ra_outbuf scratch; /* owned: arguments that may be written again */
	struct ra_pen_json_names names[RA_PEN_TABLES]; /* owned */
	struct ra_pen_json_head slice, instant;
	char row[64]; /* text from the end of the name to the time: ","pid":1,"tid":2,"ts": */
	size_t row_length;
	uint32_t row_pid, row_tid;
	char stamp[64]; /* the same text, and the leading digits that all times of a stretch have */
	size_t stamp_length;
	/* time / RA_OUTBUF_STRETCH_NS of that stretch; 0: the stamp is for another row */
	int64_t stamp_stretch;
	bool has_event;        /* an event was written: the next one needs a comma before it */
	bool needs_comma;      /* the event has a field already, so the next one needs a comma */
	bool has_args;         /* the list of its arguments is open */
	bool is_first;         /* the next item in the open list or object needs no comma before
	                          it */
	enum ra_pen_args args; /* kind of arguments of the event */
	bool is_span;          /* the other half of a span follows */
	struct ra_pen_event span;
	struct ra_pen_json_kept *kept; /* owned */
	/* slot for the arguments that are being written, if they may be written again; NULL:
	 * they may not */
	struct ra_pen_json_kept *keeping;
};

/* @file: gets the events. It must have the text up to the bracket that opens their list. */
void ra_pen_json_init(struct ra_pen_json *json, struct ra_outbuf *file);
void ra_pen_json_fini(struct ra_pen_json *json);

/* Begins an event with its brace. @is_added: the event is not from the trace, so it is marked as
 * added. */
void ra_pen_json_put_begin(struct ra_pen_json *json, bool is_added);

/* Writes a text in quotes. */
void ra_pen_json_put_quoted(const struct ra_pen_json *json, const struct ra_pen_text *text);

/* Does what `copy` of a pen does (pen.h). */
void ra_pen_json_copy(struct ra_pen *pen, const struct ra_pen_copy *event);

#endif

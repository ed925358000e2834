/* SPDX-License-Identifier: MIT */
/* An event of a Chrome trace while it is read: its fields become columns, or are kept beside them.
 */
#ifndef RA_KINETO_EVENT_H
#define RA_KINETO_EVENT_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/json/json.h"
#include "analyzer/read-json/kineto-read.h"
#include "analyzer/read-json/kineto-timeline.h"
#include "analyzer/rows/kineto-store.h"

/* Where in the text a value stands. */
enum ra_kineto_place {
	RA_KINETO_PLACE_ROOT,   /* before the first bracket */
	RA_KINETO_PLACE_TOP,    /* in the outermost object */
	RA_KINETO_PLACE_EVENTS, /* in the array of events */
	RA_KINETO_PLACE_EVENT,
	RA_KINETO_PLACE_ARGS,
	RA_KINETO_PLACE_JSON, /* in an array or object that is kept as text */
	RA_KINETO_PLACE_SKIP, /* in a value that nobody asks for */
};

struct ra_kineto_reading {
	struct ra_kineto *kineto;
	struct ra_kineto_store store;
	struct ra_json json;
	struct ra_kineto_input *input;
	const struct ra_kineto_read_options *options;
	struct ra_util_text text; /* of the value that is kept as text */
	enum ra_kineto_place place;
	enum ra_kineto_place
		outer; /* where the value that is kept as text, or passed over, stands */
	size_t depth;  /* in it */
	bool needs_comma;
	bool has_events; /* a traceEvents array, or a bare one */
	bool has_events_key;
	bool is_array;      /* the document at hand is a bare array of events */
	uint32_t documents; /* begun */
	uint32_t top_key;
	uint32_t key_ids[RA_JSON_KEYS]; /* string ids by the tokenizer's number; 0: not known */
	uint32_t key;                   /* in the event or its args */
	uint32_t category, pid, tid;    /* string ids of the event before */
	struct ra_kineto_row row;
	struct ra_kineto_timeline timeline; /* owned */
	bool has_fields; /* the event has any: a file of {} a billion times is no reason to keep
	                    them */
};

void ra_kineto_event_begin(struct ra_kineto_reading *reading);

/* Stores it, unless it is empty. */
void ra_kineto_event_end(struct ra_kineto_reading *reading);

/* A scalar that is the value of reading->key, beside the args. */
void ra_kineto_event_take(struct ra_kineto_reading *reading, enum ra_json_type type,
                          const char *text, size_t length);

/* The same without a column, or within the args. */
void ra_kineto_event_keep(struct ra_kineto_reading *reading, enum ra_json_type type,
                          const char *text, size_t length);

/* The same for an array or object. @text: of JSON, without white space. */
void ra_kineto_event_keep_json(struct ra_kineto_reading *reading, const char *text, size_t length);

/* A text of its own: "5" with its quotes. @likely: as ra_kineto_strings_add_likely() has it.
 * Return: its string id. */
uint32_t ra_kineto_event_make_text(struct ra_kineto_reading *reading, uint32_t *likely,
                                   enum ra_json_type type, const char *text, size_t length);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads an event of a Chrome trace: its fields become columns, or are stored with the args. */
#ifndef RA_KINETO_EVENT_H
#define RA_KINETO_EVENT_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/json/json.h"
#include "analyzer/read-json/kineto-read.h"
#include "analyzer/read-json/kineto-timeline.h"
#include "analyzer/rows/kineto-store.h"

/* Where in the JSON text the parser is. */
enum ra_kineto_place {
	RA_KINETO_PLACE_ROOT,   /* before the first bracket */
	RA_KINETO_PLACE_TOP,    /* in the outermost object */
	RA_KINETO_PLACE_EVENTS, /* in the array of events */
	RA_KINETO_PLACE_EVENT,
	RA_KINETO_PLACE_ARGS,
	RA_KINETO_PLACE_JSON, /* in an array or object that is stored as text */
	RA_KINETO_PLACE_SKIP, /* in a value that is not needed */
};

struct ra_kineto_reading {
	struct ra_kineto *kineto;
	struct ra_kineto_store store;
	struct ra_json json;
	struct ra_kineto_input *input;
	const struct ra_kineto_read_options *options;
	struct ra_util_text text; /* the text of a value that is stored as text */
	enum ra_kineto_place place;
	enum ra_kineto_place
		outer; /* where the parser was before a value that is stored as text or skipped */
	size_t depth;  /* number of open brackets in that value */
	bool needs_comma;
	bool has_events; /* there was a traceEvents array, or a bare array */
	bool has_events_key;
	bool is_array;      /* the current document is a bare array of events */
	uint32_t documents; /* number of documents that have begun */
	uint32_t top_key;
	/* by the tokenizer's number of a key: the key's string id; 0: unknown */
	uint32_t key_ids[RA_JSON_KEYS];
	uint32_t key;                /* the current key in the event or its args */
	uint32_t category, pid, tid; /* string ids of those of the last event */
	struct ra_kineto_row row;
	struct ra_kineto_timeline timeline; /* owned */
	bool has_fields; /* the event has fields; an event without fields is not stored, so a file
	                    of empty events takes no memory */
};

void ra_kineto_event_begin(struct ra_kineto_reading *reading);

/* Stores the event, unless it is empty. */
void ra_kineto_event_end(struct ra_kineto_reading *reading);

/* Handles a scalar that is the value of reading->key, outside the args. */
void ra_kineto_event_take(struct ra_kineto_reading *reading, enum ra_json_type type,
                          const char *text, size_t length);

/* Stores a value whose key has no column, or which is inside the args. */
void ra_kineto_event_keep(struct ra_kineto_reading *reading, enum ra_json_type type,
                          const char *text, size_t length);

/* Stores an array or object. @text: JSON without white space. */
void ra_kineto_event_keep_json(struct ra_kineto_reading *reading, const char *text, size_t length);

/* Stores the JSON text of a string, such as "5" with its quotes. @likely: as in
 * ra_kineto_strings_add_likely().
 * Return: its string id. */
uint32_t ra_kineto_event_make_text(struct ra_kineto_reading *reading, uint32_t *likely,
                                   enum ra_json_type type, const char *text, size_t length);

#endif

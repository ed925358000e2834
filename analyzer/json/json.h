/* SPDX-License-Identifier: MIT */
/* What the tokenizer hands over, and what came of it. */
#ifndef RA_JSON_H
#define RA_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

enum ra_json_type {
	RA_JSON_NULL,
	RA_JSON_FALSE,
	RA_JSON_TRUE,
	RA_JSON_NUMBER, /* text as in the file, or as JSON would have it if that is odd; also NaN,
	                   Infinity and N/A, which JSON has not */
	RA_JSON_STRING, /* text without quotes and escapes */
};

/* A number of digits, perhaps a minus before them and a point among them, as it was read. */
struct ra_json_number {
	uint64_t digits; /* without sign and point; they wrap beyond 19 */
	uint32_t whole_count;
	uint32_t part_count;
	bool is_usual; /* the value handed over is one, of no zeros before it */
	bool is_negative;
};

/* Keys are numbered as they come, from 1 on; 0: there were so many that this one has no number. */
#define RA_JSON_KEYS 256

/* Texts live during the call. */
struct ra_json_handler {
	void (*open)(void *context, bool is_object);
	void (*close)(void *context, bool is_object);
	void (*key)(void *context, const char *text, size_t length, unsigned number);
	void (*value)(void *context, enum ra_json_type type, const char *text, size_t length);
	/* The value of a key in a record, in place of the calls for its parts: an array that has
	 * no object and nothing odd in it, without white space. NULL: the parts are handed over. */
	void (*array)(void *context, const char *text, size_t length);
	/*
	 * Something is damaged: what is open within the array of records, the record included, is
	 * given up, and a record or the end of the array follows. If there was no such array yet,
	 * one is open now, in an object. NULL: damage ends the reading.
	 */
	void (*drop)(void *context);
};

/* What is read over. */
enum ra_json_oddity {
	RA_JSON_ODD_WORD,      /* NaN and the like where a number belongs */
	RA_JSON_ODD_COMMA,     /* one too many or too few */
	RA_JSON_ODD_SURROGATE, /* half a pair, now U+FFFD */
	RA_JSON_ODD_CONTROL,   /* a text with characters below U+0020 that are not escaped */
	RA_JSON_ODD_UTF8,   /* a text that is not in UTF-8: its bytes are handed over as they are */
	RA_JSON_ODD_ESCAPE, /* a backslash that begins no escape: it stands for itself */
	RA_JSON_ODD_NUMBER, /* +1, .5, 5., 007 */
	RA_JSON_ODD_DOCUMENT, /* behind the first */
	RA_JSON_ODD_DAMAGE,   /* text that was left out */
	RA_JSON_ODDITIES,
};

struct ra_json {
	const struct ra_json_handler *handler;
	void *context;
	/* Reads up to `size` bytes, 0 at the end. Return: 0, or a code that *err has as well. */
	int (*read)(void *source, char *buffer, size_t size, size_t *count, struct rlog_error *err);
	void *source;
	/* Called after each block of text, to show progress; may be NULL. */
	void (*progress)(void *context);
	/* Called for each oddity; may be NULL. */
	void (*note)(void *context, enum ra_json_oddity oddity, uint64_t offset);
	/* Keys that a record may begin with, each list up to a NULL: json-recover.h. */
	const char *const *strong_keys;
	const char *const *weak_keys;
	struct ra_json_number number; /* of the value that is handed over */
	uint64_t record_offset;       /* of the record that is open, or was last */
	bool opens_records; /* set by the handler's open(): this array holds the records */

	/* What came of it. */
	uint64_t bytes; /* of text */
	uint64_t odd[RA_JSON_ODDITIES];
	uint64_t lost_bytes;    /* left out */
	uint64_t lost_records;  /* begun in them or where the text ends, as far as can be known */
	uint64_t lost_offset;   /* of the first such byte */
	char lost_why[64];      /* the same in words; empty: nothing was left out */
	bool has_failed;        /* `stop` is what read() said */
	struct rlog_error stop; /* code 0: the text was whole; else why and where reading ended */
};

#endif

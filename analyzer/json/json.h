/* SPDX-License-Identifier: MIT */
/* The calls by which the tokenizer hands over what it reads, and its report of faults. */
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
	RA_JSON_NUMBER, /* text as in the file, or rewritten to JSON's form; also the words NaN,
	                   Infinity and N/A, which JSON lacks */
	RA_JSON_STRING, /* text, unquoted and unescaped */
};

/* A number in the file's form: digits, perhaps with a minus before them and a point among them. */
struct ra_json_number {
	uint64_t digits; /* the digits without sign and point; exact up to 19 digits, modulo 2^64
	                    beyond */
	uint32_t whole_count;
	uint32_t part_count;
	bool is_usual; /* the value handed over is such a number, without leading zeros */
	bool is_negative;
};

/* Keys get numbers from 1 on, in the order in which they first come. A key has the number 0 if all
 * numbers are taken. */
#define RA_JSON_KEYS 256

/* The calls that the caller of ra_json_read() gets. Texts are valid only during the call. */
struct ra_json_handler {
	void (*open)(void *context, bool is_object);
	void (*close)(void *context, bool is_object);
	void (*key)(void *context, const char *text, size_t length, unsigned number);
	void (*value)(void *context, enum ra_json_type type, const char *text, size_t length);
	/* Called for the value of a key in a record, if it is an array without objects and in plain
	 * form (json-array.h). The other functions are not called for its parts. The text has no
	 * white space. NULL: the parts are handed over. */
	void (*array)(void *context, const char *text, size_t length);
	/*
	 * Called after damage. The open record and everything open in it is given up. The next call
	 * is for a record or for the end of the array of records. If no such array was open before,
	 * one is open now, in an object. NULL: damage ends the reading.
	 */
	void (*drop)(void *context);
};

/* Faults that are tolerated and counted. */
enum ra_json_oddity {
	RA_JSON_ODD_WORD,      /* NaN or another word where a number belongs */
	RA_JSON_ODD_COMMA,     /* a comma too many or too few */
	RA_JSON_ODD_SURROGATE, /* half a surrogate pair, now U+FFFD */
	RA_JSON_ODD_CONTROL,   /* a string with unescaped characters below U+0020 */
	RA_JSON_ODD_UTF8,   /* a string that is not UTF-8: its bytes are handed over as they are */
	RA_JSON_ODD_ESCAPE, /* a backslash that begins no escape: it stands for itself */
	RA_JSON_ODD_NUMBER, /* a number such as +1, .5, 5., 007 */
	RA_JSON_ODD_DOCUMENT, /* a JSON text after the first */
	RA_JSON_ODD_DAMAGE,   /* text that was skipped */
	RA_JSON_ODDITIES,
};

struct ra_json {
	const struct ra_json_handler *handler;
	void *context;
	/* Reads up to `size` bytes; *count is 0 at the end. Return: 0, or a code, which is also in
	 * *err. */
	int (*read)(void *source, char *buffer, size_t size, size_t *count, struct rlog_error *err);
	void *source;
	/* Called after each block of text, to show progress; may be NULL. */
	void (*progress)(void *context);
	/* Called for each oddity; may be NULL. */
	void (*note)(void *context, enum ra_json_oddity oddity, uint64_t offset);
	/* Keys with which a record may begin, each list ended by a NULL (json-recover.h). */
	const char *const *strong_keys;
	const char *const *weak_keys;
	struct ra_json_number number; /* the number that is being handed over */
	uint64_t record_offset;       /* offset of the open record, or of the last one */
	bool opens_records; /* set by the handler's open(), if this array holds the records */

	/* The result of ra_json_read(). */
	uint64_t bytes; /* length of the text */
	uint64_t odd[RA_JSON_ODDITIES];
	uint64_t lost_bytes;    /* number of skipped bytes */
	uint64_t lost_records;  /* records that began in the skipped text or where the text ends, as
	                           far as can be known */
	uint64_t lost_offset;   /* offset of the first skipped byte */
	char lost_why[64];      /* why that text was skipped; empty: none was */
	bool has_failed;        /* `stop` is an error that read() returned */
	struct rlog_error stop; /* code 0: the text is complete; else why and where reading ended */
};

#endif

/* SPDX-License-Identifier: MIT */
/* Decodes the payloads of an event: turns bytes and schemas into fields with names and values. */
#ifndef RA_PAYLOAD_H
#define RA_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/schemas.h"
#include "format/columns/schema.h"

/*
 * See doc/format.md section 6, "Payloads". Schemas and bytes come from a file and may lie. So
 * nothing outside the bytes is read, values nest at most RLOG_SCHEMA_MAX_DEPTH deep, and the number
 * of bytes limits the number of values shown. Bytes that can't be decoded are reported as a problem
 * and shown as they are.
 */
struct ra_payload;

enum ra_payload_kind {
	RA_PAYLOAD_UNSIGNED,
	RA_PAYLOAD_SIGNED,
	RA_PAYLOAD_REAL,
	RA_PAYLOAD_TEXT,
	RA_PAYLOAD_DIGITS, /* a number of more than 64 bits, as text */
	RA_PAYLOAD_WORD,   /* a number with a name: `text` is the name, `bits` the number */
	/* an address: a pointer, or a string or memory that is not in the log */
	RA_PAYLOAD_ADDRESS,
	RA_PAYLOAD_COLOR, /* a color: ARGB in `bits` */
	RA_PAYLOAD_BYTES, /* bytes, in `text` */
	RA_PAYLOAD_NULL,  /* a null pointer */
};

struct ra_payload_value {
	struct rlog_string name; /* bytes NULL: it is an array's element, or the whole payload */
	const char *text;        /* valid only during the call */
	size_t length;
	uint64_t bits; /* the integer, sign-extended */
	double real;
	uint64_t type; /* NVTX's number of the type */
	/* the schema's entry for this value; NULL: the payload has no schema */
	const struct rlog_schema_entry *entry;
	enum ra_payload_kind kind;
	uint8_t digits; /* digits that a real needs to keep all its bits */
	bool is_hidden; /* the schema says that the program wants it hidden */
};

/* A nested schema or an array; the values up to the call of `close` are in it. */
struct ra_payload_group {
	struct rlog_string name;
	bool is_array;
	bool is_hidden;
};

struct ra_payload_visitor {
	void (*value)(void *context, const struct ra_payload_value *value);
	void (*open)(void *context, const struct ra_payload_group *group);
	void (*close)(void *context);
	/* Called with one line about something that can't be decoded. The bytes follow as a value
	 * named "raw". */
	void (*problem)(void *context, const char *text);
	void *context;
};

/* @schemas: borrowed; must live longer than the decoder. */
struct ra_payload *ra_payload_create(const struct ra_schemas *schemas);
void ra_payload_destroy(struct ra_payload *payload);

/*
 * Decodes the data of an event.
 *
 * @domain: the event's domain id in the log; schemas are looked up in that domain.
 * @data: a detail that is an array of payloads.
 * Return: the number of problems reported.
 */
int ra_payload_decode(struct ra_payload *payload, uint32_t domain, const void *data, size_t bytes,
                      const struct ra_payload_visitor *visitor);

/* Decodes a detail that has one payload. */
int ra_payload_decode_one(struct ra_payload *payload, uint32_t domain, const void *data,
                          size_t bytes, const struct ra_payload_visitor *visitor);

/* Decodes the bytes of a value of a type. Pointers in the value are not followed. */
int ra_payload_decode_bytes(struct ra_payload *payload, uint32_t domain, uint64_t type,
                            const void *data, size_t bytes,
                            const struct ra_payload_visitor *visitor);

#endif

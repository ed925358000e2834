/* SPDX-License-Identifier: MIT */
/* Decodes the payloads of an event: its bytes and the schemas become fields with names and values.
 */
#ifndef RA_PAYLOAD_H
#define RA_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/schemas.h"
#include "format/columns/schema.h"

/*
 * doc/format.md section 6, "Payloads". Schemas and bytes come from a file and may lie: nothing
 * outside of the bytes is read, nothing nests deeper than RLOG_SCHEMA_MAX_DEPTH, and the values
 * shown stay in proportion to the bytes. What cannot be decoded is told as a problem, with the
 * bytes as they are.
 */
struct ra_payload;

enum ra_payload_kind {
	RA_PAYLOAD_UNSIGNED,
	RA_PAYLOAD_SIGNED,
	RA_PAYLOAD_REAL,
	RA_PAYLOAD_TEXT,
	RA_PAYLOAD_DIGITS,  /* a number of more than 64 bits, as text */
	RA_PAYLOAD_WORD,    /* a number with a name: `text` is that, `bits` the number */
	RA_PAYLOAD_ADDRESS, /* also of a string or memory that is not in the log */
	RA_PAYLOAD_COLOR,   /* ARGB in bits */
	RA_PAYLOAD_BYTES,   /* in text */
	RA_PAYLOAD_NULL,    /* a pointer to nothing */
};

struct ra_payload_value {
	struct rlog_string name; /* bytes NULL: of an array's element, of a payload that is one
	                            value */
	const char *text;        /* borrowed for the call */
	size_t length;
	uint64_t bits; /* of the integer, sign-extended */
	double real;
	uint64_t type;                         /* NVTX's number */
	const struct rlog_schema_entry *entry; /* NULL: the payload has no schema */
	enum ra_payload_kind kind;
	uint8_t digits; /* of a real that bring all its bits back */
	bool is_hidden; /* the program would not have it shown */
};

/* A nested schema or an array, which the values up to `close` are in. */
struct ra_payload_group {
	struct rlog_string name;
	bool is_array;
	bool is_hidden;
};

struct ra_payload_visitor {
	void (*value)(void *context, const struct ra_payload_value *value);
	void (*open)(void *context, const struct ra_payload_group *group);
	void (*close)(void *context);
	/* What could not be decoded: one line. The bytes follow as a value called "raw". */
	void (*problem)(void *context, const char *text);
	void *context;
};

/* The schemas must outlive it. */
struct ra_payload *ra_payload_create(const struct ra_schemas *schemas);
void ra_payload_destroy(struct ra_payload *payload);

/*
 * Decodes the data of an event.
 *
 * @domain: of the event, as in the log: schemas are looked up there.
 * @data: a detail, an array of payloads.
 * Return: problems told.
 */
int ra_payload_decode(struct ra_payload *payload, uint32_t domain, const void *data, size_t bytes,
                      const struct ra_payload_visitor *visitor);

/* The same for a detail that is one payload. */
int ra_payload_decode_one(struct ra_payload *payload, uint32_t domain, const void *data,
                          size_t bytes, const struct ra_payload_visitor *visitor);

/* The same for the bytes of a type, without anything that they point to. */
int ra_payload_decode_bytes(struct ra_payload *payload, uint32_t domain, uint64_t type,
                            const void *data, size_t bytes,
                            const struct ra_payload_visitor *visitor);

#endif

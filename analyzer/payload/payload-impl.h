/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the decoder share. */
#ifndef RA_PAYLOAD_IMPL_H
#define RA_PAYLOAD_IMPL_H

#include "analyzer/payload/payload.h"
#include "analyzer/base/text/util-text.h"

/* A piece of the program's memory that is in the log. */
struct ra_payload_piece {
	uint64_t address;
	const uint8_t *bytes;
	uint64_t length;
};

struct ra_payload_part {
	uint64_t type;
	struct ra_payload_piece piece;
};

struct ra_payload {
	const struct ra_schemas *schemas;
	const struct ra_payload_visitor *visitor;
	struct ra_payload_part *parts; /* owned: the payloads of the current event */
	size_t part_count;
	size_t part_capacity;
	struct ra_payload_piece *pieces; /* owned: ordered by address */
	size_t piece_count;
	size_t piece_capacity;
	uint64_t *offsets; /* owned: by entry of the open schemas, where its value begins */
	size_t offset_count;
	size_t offset_capacity;
	struct ra_util_text text; /* text of the current value */
	uint64_t budget;          /* number of values, with text, that may still be shown */
	uint64_t missing;         /* number of bytes that the schema needs but the payload lacks */
	unsigned int depth;
	uint32_t domain;
	int problems;
	bool is_exhausted;
};

/* Memory in which values are: `length` bytes from `bytes` on. */
struct ra_payload_region {
	const uint8_t *bytes;
	uint64_t length;
};

/* One element of a type: what to show and how. */
struct ra_payload_element {
	const struct rlog_schema_entry *entry;
	struct rlog_string name;
	uint64_t type;
	bool is_hidden;
};

/* Shows the values of a schema. Return: their size in bytes; RLOG_SCHEMA_VARIES: unknown. */
uint64_t ra_payload_walk_schema(struct ra_payload *payload, const struct rlog_schema *schema,
                                struct ra_payload_region region);

/* Shows a number, enum or handle of `size` bytes. */
void ra_payload_value_show(struct ra_payload *payload, const struct ra_payload_element *element,
                           const uint8_t *bytes, uint64_t size);

/* Shows `length` bytes as one text, up to a zero. Each of its code units has `unit` bytes. */
void ra_payload_value_show_text(struct ra_payload *payload,
                                const struct ra_payload_element *element,
                                struct ra_payload_region text, uint32_t unit);

void ra_payload_value_show_bytes(struct ra_payload *payload,
                                 const struct ra_payload_element *element,
                                 struct ra_payload_region bytes);

/* Shows an address, or what an address of 0 means. */
void ra_payload_value_show_address(struct ra_payload *payload,
                                   const struct ra_payload_element *element, uint64_t address);

/* Reads a little-endian integer of up to 8 bytes. */
uint64_t ra_payload_value_read(const uint8_t *bytes, uint64_t size, bool is_signed);

/* True for types that are integers of up to 8 bytes. */
bool ra_payload_value_is_integer(uint64_t type, bool *is_signed);

/* The size in bytes of a predefined type; 0: unknown. */
uint64_t ra_payload_value_size(const struct ra_payload *payload, uint64_t type);

/* Reports a problem. */
void ra_payload_complain(struct ra_payload *payload, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes `bytes` from the budget. Return: false if it is used up. */
bool ra_payload_spend(struct ra_payload *payload, uint64_t bytes);

/* Reads the integers in a payload of the event. @index: number of the payload. Return: how many
 * integers it has. */
size_t ra_payload_read_lengths(struct ra_payload *payload, uint64_t index, uint64_t *lengths,
                               size_t capacity);

/* Finds the memory at an address, up to the end of its piece; bytes NULL: that memory is not in the
 * log. */
struct ra_payload_region ra_payload_find_memory(const struct ra_payload *payload, uint64_t address);

#endif

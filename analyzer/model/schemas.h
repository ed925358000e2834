/* SPDX-License-Identifier: MIT */
/* The payload schemas and enums of a log, parsed, with their memory layout. */
#ifndef RA_SCHEMAS_H
#define RA_SCHEMAS_H

#include <stdbool.h>

#include "analyzer/model/defs.h"
#include "format/columns/schema.h"

enum ra_schemas_state {
	RA_SCHEMA_UNTOUCHED,
	RA_SCHEMA_IN_WORK, /* its layout is being computed; it is met again if it contains itself */
	RA_SCHEMA_READY,
	RA_SCHEMA_BAD, /* its detail is missing, damaged, or senseless */
};

/* If an enum has more flags than this, further bits have no name. */
#define RA_SCHEMAS_MAX_FLAGS 64

struct ra_schemas_enum {
	/* owned: sorted by value; values are cut to the enum's size */
	struct rlog_schema_value *values;
	uint32_t count;
	uint32_t flag_count;
	/* owned: the first values that are flags, in the order of the log */
	struct rlog_schema_value *flags;
	uint64_t size; /* in bytes: 1 … 16 */
};

/* A type that the program defined: a schema or an enum. */
struct ra_schemas_type {
	uint64_t id;
	uint32_t domain; /* id of the domain in the log */
	uint8_t state;   /* enum ra_schemas_state */
	bool is_enum;
	const struct rlog_def *def; /* borrowed */
	union {
		struct rlog_schema schema; /* entries are owned */
		struct ra_schemas_enum values;
	} u;
};

struct ra_schemas {
	struct ra_defs defs;
	struct rlog_schema_types table;
	struct ra_schemas_type *types; /* owned: sorted by domain, id */
	size_t count;
	bool has_x87; /* true: long double is the 80-bit type of x86 */
};

/* The reader must stay open until ra_schemas_fini(). */
void ra_schemas_init(struct ra_schemas *schemas, const struct rlog_reader *reader);
void ra_schemas_fini(struct ra_schemas *schemas);

/*
 * Finds a type by domain and id. A type of the default domain (0) is not found from other domains.
 *
 * Return: NULL if it is not defined; else READY or BAD.
 */
const struct ra_schemas_type *ra_schemas_find(const struct ra_schemas *schemas, uint32_t domain,
                                              uint64_t id);

/* Finds the name that an enum gives to a number; bytes NULL: the number has no name. If it has
 * several names, the first is taken. */
struct rlog_schema_text ra_schemas_find_value(const struct ra_schemas_enum *values, uint64_t value);

/* Cuts a number to an enum's size in bytes. */
static inline uint64_t ra_schemas_cut(uint64_t value, uint64_t size)
{
	return size < 8 ? value & ((UINT64_C(1) << (8 * size)) - 1) : value;
}

#endif

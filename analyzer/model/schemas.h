/* SPDX-License-Identifier: MIT */
/* The payload schemas and enums of a log, parsed and with their layout computed. */
#ifndef RA_SCHEMAS_H
#define RA_SCHEMAS_H

#include <stdbool.h>

#include "analyzer/model/defs.h"
#include "format/columns/schema.h"

enum ra_schemas_state {
	RA_SCHEMA_UNTOUCHED,
	RA_SCHEMA_IN_WORK, /* its layout is being computed: it contains itself if needed now */
	RA_SCHEMA_READY,
	RA_SCHEMA_BAD, /* its detail is missing, damaged, or makes no sense */
};

/* An enum with more flags than this has bits without a name. */
#define RA_SCHEMAS_MAX_FLAGS 64

struct ra_schemas_enum {
	struct rlog_schema_value *values; /* owned: sorted by value, cut to the enum's size */
	uint32_t count;
	uint32_t flag_count;
	struct rlog_schema_value *flags; /* owned: the first values that are flags, as given */
	uint64_t size;                   /* 1 … 16 */
};

/* A type that the program defined. */
struct ra_schemas_type {
	uint64_t id;
	uint32_t domain; /* domain in the log */
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
	bool has_x87; /* long double is the 80-bit type of x86 */
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

/* Finds the name that an enum gives to a number; bytes NULL: none. If a number has several names,
 * the first counts. */
struct rlog_schema_text ra_schemas_find_value(const struct ra_schemas_enum *values, uint64_t value);

/* Cuts a number to an enum's size in bytes. */
static inline uint64_t ra_schemas_cut(uint64_t value, uint64_t size)
{
	return size < 8 ? value & ((UINT64_C(1) << (8 * size)) - 1) : value;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Knows what the capture needs of a payload's schema: its size, and where its pointers are. */
#ifndef RCAP_SCHEMAS_H
#define RCAP_SCHEMAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/columns/schema.h"
#include "libranges/record/names/defs.h"
#include "libranges/abi/nvtx-abi-ext.h"

/* The layout of a schema. It is never freed and never changed. */
struct rcap_schema {
	struct rlog_schema_shape shape;
	/* Some entry, of this schema or an inner one, holds an address to follow. */
	bool has_pointers;
	/* All inner schemas are known. */
	bool is_whole;
	struct rlog_schema layout; /* enums have no entries */
};

/*
 * Finds a schema.
 *
 * @id: also one of NVTX's predefined types: those have no pointers.
 * @shape: gets the shape.
 * Return: the schema, NULL for a predefined type. *is_known: false if nobody defined the id; then
 * there is no shape.
 * Context: any; a few instructions, no lock.
 */
const struct rcap_schema *rcap_schemas_find(uint32_t domain, uint64_t id,
                                            struct rlog_schema_shape *shape, bool *is_known);

/* Lays out a schema or enum just defined, and those that waited for it. Context: as
 * rcap_defs_add(). */
void rcap_schemas_add(const struct rcap_def *def);

/*
 * Takes over what the program's compiler says of C's types. Units of a program may know different
 * types: all are kept, and new ones are written to the log.
 *
 * @info: the table, as NVTX hands it over. Context: NVTX's initialisation.
 */
void rcap_schemas_take_types(const void *info);

/* Writes the table of types to a new capture. Context: rcap_process_start() only. */
void rcap_schemas_replay(void);

#endif

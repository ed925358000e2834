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

/* The layout of a schema. It is never freed, and never changes. */
struct rcap_schema {
	struct rlog_schema_shape shape;
	/* True if an entry of this schema, or of an inner one, has an address to follow. */
	bool has_pointers;
	/* True if all inner schemas are known. */
	bool is_whole;
	struct rlog_schema layout; /* an enum has no entries */
};

/*
 * Finds a schema.
 *
 * @id: id of a schema or enum, or one of NVTX's predefined types, which have no pointers.
 * @shape: gets the shape.
 * @is_known: set to false if nobody has defined the id; then there is no shape.
 * Return: the schema; NULL for a predefined type.
 * Context: any; a few instructions, no lock.
 */
const struct rcap_schema *rcap_schemas_find(uint32_t domain, uint64_t id,
                                            struct rlog_schema_shape *shape, bool *is_known);

/* Lays out a schema or enum that was just defined, and those that were waiting for it. Context: as
 * rcap_defs_add(). */
void rcap_schemas_add(const struct rcap_def *def);

/*
 * Takes over what the program's compiler says about C's types. Linkage units of a program may know
 * different types. All are kept, and new ones are written to the log.
 *
 * @info: the table, as NVTX passes it. Context: NVTX's initialisation.
 */
void rcap_schemas_take_types(const void *info);

/* Writes the table of types to a new capture. Context: rcap_process_start() only. */
void rcap_schemas_replay(void);

#endif

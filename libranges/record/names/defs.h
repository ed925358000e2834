/* SPDX-License-Identifier: MIT */
/* Stores what programs define through NVTX's extensions: schemas, enums, scopes, time domains,
 * counters. */
#ifndef RCAP_DEFS_H
#define RCAP_DEFS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rcap_schema;

/* A definition. It is never freed after it can be found. It is written once; only `schema` is set
 * later, when the layout is known. */
struct rcap_def {
	uint32_t kind; /* enum rlog_def_kind, 9 … 13 */
	uint32_t domain;
	uint64_t id;
	const char *name; /* NULL: there is no name */
	uint32_t name_bytes;
	uint32_t detail_bytes;
	const void *detail; /* doc/format.md, section 5; NULL: the program's detail made no sense */
	uint64_t schema_id; /* of a counter */
	/* For a schema or enum: its layout (schemas.h). Stored with release after it is
	 * complete. */
	const struct rcap_schema *_Atomic schema;
};

/*
 * Stores a definition, and writes it to the log.
 *
 * @wanted: name and detail are copied. An `id` of 2^24 … 2^32-1 is one that the program has chosen.
 * With any other value the definition gets a new id of ours, from 2^32 on.
 * @is_shared: if the program has chosen no id, an earlier definition with the same content is used.
 * @id: gets the id in any case.
 * Return: the definition. NULL if there is no room: the id then has no meaning.
 * Context: between rcap_thread_enter() and leave; a lock, no malloc.
 */
const struct rcap_def *rcap_defs_add(const struct rcap_def *wanted, bool is_shared, uint64_t *id);

/*
 * Finds a definition. Schemas and enums share their ids.
 *
 * Return: NULL if there is none. Context: any; a few instructions, no lock.
 */
const struct rcap_def *rcap_defs_find(uint32_t kind, uint32_t domain, uint64_t id);

/* Allocates memory that is never freed, aligned to 8 bytes. Return: NULL if there is none. Context:
 * under rcap_process_lock(). */
void *rcap_defs_take_memory(size_t bytes);

/* Writes all definitions to a new capture. Context: rcap_process_start() only. */
void rcap_defs_replay(void);

#endif

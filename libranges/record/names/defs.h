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

/* A definition. It is never freed once it can be found. It is written once; only `schema` is set
 * later, when it is known. */
struct rcap_def {
	uint32_t kind; /* enum rlog_def_kind, 9 … 13 */
	uint32_t domain;
	uint64_t id;
	const char *name; /* NULL: none */
	uint32_t name_bytes;
	uint32_t detail_bytes;
	const void *detail; /* doc/format.md, section 5; NULL: the program's made no sense */
	uint64_t schema_id; /* of a counter */
	/* For a schema or enum: its layout, stored with release after it is whole. See
	 * schemas.h. */
	const struct rcap_schema *_Atomic schema;
};

/*
 * Stores a definition and writes it to the log.
 *
 * @wanted: name and detail are copied. An `id` of 2^24 … 2^32-1 is the program's choice; for any
 * other value a new id of ours is made, from 2^32 on.
 * @is_shared: without an id of the program, reuse an earlier definition with the same content.
 * @id: gets the id, in any case.
 * Return: the definition; NULL if there is no room: then the id stands for nothing.
 * Context: between rcap_thread_enter() and leave; a lock, no malloc.
 */
const struct rcap_def *rcap_defs_add(const struct rcap_def *wanted, bool is_shared, uint64_t *id);

/*
 * Finds a definition. Kinds schema and enum share their ids.
 *
 * Return: NULL if there is none. Context: any; a few instructions, no lock.
 */
const struct rcap_def *rcap_defs_find(uint32_t kind, uint32_t domain, uint64_t id);

/* Allocates memory that is never freed, 8-byte aligned; NULL if there is none. Context: under
 * rcap_process_lock(). */
void *rcap_defs_take_memory(size_t bytes);

/* Writes all definitions to a new capture. Context: rcap_process_start() only. */
void rcap_defs_replay(void);

#endif

/* SPDX-License-Identifier: MIT */
/* The arena holds names and definitions in the spool, in the order that the log will have. */
#ifndef RCAP_ARENA_H
#define RCAP_ARENA_H

#include "libranges/spool/spool.h"

/* The id of the string that replaces every name that did not fit. */
#define RCAP_ARENA_NAMELESS 1u

/*
 * Records, 8-byte aligned, one after the other in extents of RCAP_EXTENT_BYTES. A record never
 * crosses the end of an extent; RCAP_RECORD_SKIP fills the rest. Strings and definitions are
 * numbered in their order.
 */
enum rcap_record_type {
	RCAP_RECORD_SKIP, /* the rest of the extent is unused */
	RCAP_RECORD_STRING,
	RCAP_RECORD_DEF,
};

struct rcap_record {
	uint32_t type;        /* enum rcap_record_type */
	uint32_t bytes;       /* size of the body, without padding */
	uint32_t full_length; /* strings: length before cutting */
	uint32_t kind;        /* definitions: enum rlog_def_kind */
};

struct rcap_def_body {
	uint64_t id;
	uint64_t parent;
	uint64_t value;
	uint64_t string;
};

/*
 * Appends a string. The arena adds a NUL, so that it can be compared with strcmp.
 *
 * @out: address in the arena, valid as long as the spool is mapped.
 * Return: 0, -RLOG_E_FULL. Context: one thread at a time (the caller's lock).
 */
int rcap_arena_add_string(struct rcap_spool *spool, const struct rlog_string *string,
                          const char **out);

/*
 * Appends a definition unless it equals the newest one of this kind, parent and id.
 *
 * Return: 0, -RLOG_E_FULL (counted as an oddity: no place). Context: as above, in the program.
 */
int rcap_arena_add_def(struct rcap_spool *spool, const struct rlog_def *def);

/*
 * Steps over one record.
 *
 * @position: advanced.
 * Return: the record (its body follows it), or NULL at the end or if the record is damaged.
 */
const struct rcap_record *rcap_arena_next(const struct rcap_spool *spool,
                                          struct rcap_arena_position *position);

#endif

/* SPDX-License-Identifier: MIT */
/* The arena holds names and definitions in the spool, in the order that the log will have. */
#ifndef RCAP_ARENA_H
#define RCAP_ARENA_H

#include "libranges/spool/spool.h"

/* Id of the string that replaces each name that did not fit. */
#define RCAP_ARENA_NAMELESS 1u

/*
 * A record's header. Records are aligned to 8 bytes, and follow each other in extents of
 * RCAP_EXTENT_BYTES. A record never crosses the end of an extent; RCAP_RECORD_SKIP fills the rest.
 * Strings and definitions are numbered in their order.
 */
enum rcap_record_type {
	RCAP_RECORD_SKIP, /* the rest of the extent is not used */
	RCAP_RECORD_STRING,
	RCAP_RECORD_DEF,
};

struct rcap_record {
	uint32_t type;        /* enum rcap_record_type */
	uint32_t bytes;       /* bytes of the body, without padding */
	uint32_t full_length; /* of a string: its length before it was cut */
	uint32_t kind;        /* of a definition: enum rlog_def_kind */
};

struct rcap_def_body {
	uint64_t id;
	uint64_t parent;
	uint64_t value;
	uint64_t string;
};

/*
 * Appends a string. The arena adds a NUL, so that the string can be compared by strcmp.
 *
 * @out: gets the address in the arena, which is valid as long as the spool is mapped.
 * Return: 0, -RLOG_E_FULL. Context: one thread at a time, by the caller's lock.
 */
int rcap_arena_add_string(struct rcap_spool *spool, const struct rlog_string *string,
                          const char **out);

/*
 * Appends a definition, unless the newest one of this kind, parent and id is equal.
 *
 * Return: 0, -RLOG_E_FULL (counted as the oddity for handles without room). Context: as
 * rcap_arena_add_string(), in the program.
 */
int rcap_arena_add_def(struct rcap_spool *spool, const struct rlog_def *def);

/*
 * Returns one record, and moves to the next.
 *
 * @position: gets the position after the record.
 * Return: the record, followed by its body; NULL at the end, or if the record is damaged.
 */
const struct rcap_record *rcap_arena_next(const struct rcap_spool *spool,
                                          struct rcap_arena_position *position);

#endif

/* SPDX-License-Identifier: MIT */
/* Stores the strings of a trace, each distinct text once, and gives them ids. */
#ifndef RA_KINETO_STRINGS_H
#define RA_KINETO_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/rows/kineto.h"

#define RA_KINETO_STRINGS_RECENT    1024
#define RA_KINETO_STRINGS_FOLLOWERS 256

struct ra_kineto_strings {
	struct ra_kineto *kineto; /* borrowed: owns the strings */
	size_t capacity;          /* room in kineto->strings */
	uint32_t *slots;          /* owned: pairs of hash and id; with id NONE, the slot is free */
	size_t slot_count;
	uint32_t recent[RA_KINETO_STRINGS_RECENT]; /* by hash: id of the text that came last */
	/* by key: the key that came after it last time */
	uint32_t followers[RA_KINETO_STRINGS_FOLLOWERS];
	size_t arena_left;
	char *arena_next;
};

/* Prepares the store. The empty text gets id 0. */
void ra_kineto_strings_init(struct ra_kineto_strings *strings, struct ra_kineto *kineto);
void ra_kineto_strings_fini(struct ra_kineto_strings *strings);

/* The id of a text. A new text is copied. */
uint32_t ra_kineto_strings_add(struct ra_kineto_strings *strings, const char *bytes, size_t length);

/* The same for a text that probably is the one with id *likely (0 at first). *likely becomes the id
 * of the text. */
uint32_t ra_kineto_strings_add_likely(struct ra_kineto_strings *strings, uint32_t *likely,
                                      const char *bytes, size_t length);

/* The same for a key of an event. @before: id of the key before it, because events have their keys
 * in the same order. */
uint32_t ra_kineto_strings_add_key(struct ra_kineto_strings *strings, uint32_t before,
                                   const char *bytes, size_t length);

#endif

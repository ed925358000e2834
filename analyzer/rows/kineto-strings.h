/* SPDX-License-Identifier: MIT */
/* Interns the strings of a trace: one id for each different text. */
#ifndef RA_KINETO_STRINGS_H
#define RA_KINETO_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/rows/kineto.h"

#define RA_KINETO_STRINGS_RECENT    1024
#define RA_KINETO_STRINGS_FOLLOWERS 256

struct ra_kineto_strings {
	struct ra_kineto *kineto; /* borrowed: owns the strings */
	size_t capacity;          /* of its array of strings */
	uint32_t *slots;          /* owned: pairs of hash and id; id NONE: free slot */
	size_t slot_count;
	uint32_t recent[RA_KINETO_STRINGS_RECENT];       /* by hash: ids of texts seen lately */
	uint32_t followers[RA_KINETO_STRINGS_FOLLOWERS]; /* by key: the key that followed it last
	                                                    time */
	size_t arena_left;
	char *arena_next;
};

/* The empty text gets id 0. */
void ra_kineto_strings_init(struct ra_kineto_strings *strings, struct ra_kineto *kineto);
void ra_kineto_strings_fini(struct ra_kineto_strings *strings);

/* The id of a text. A new text is copied. */
uint32_t ra_kineto_strings_add(struct ra_kineto_strings *strings, const char *bytes, size_t length);

/* The same for a text that is likely to be the one with id *likely (0 at first). *likely becomes
 * the id. */
uint32_t ra_kineto_strings_add_likely(struct ra_kineto_strings *strings, uint32_t *likely,
                                      const char *bytes, size_t length);

/* The same for a key of an event. @before: the key before it, because events have their keys in the
 * same order. */
uint32_t ra_kineto_strings_add_key(struct ra_kineto_strings *strings, uint32_t before,
                                   const char *bytes, size_t length);

#endif

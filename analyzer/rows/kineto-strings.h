/* SPDX-License-Identifier: MIT */
/* The texts of a trace, each once: an id for each. */
#ifndef RA_KINETO_STRINGS_H
#define RA_KINETO_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/rows/kineto.h"

#define RA_KINETO_STRINGS_RECENT    1024
#define RA_KINETO_STRINGS_FOLLOWERS 256

struct ra_kineto_strings {
	struct ra_kineto *kineto; /* borrowed: has the texts */
	size_t capacity;          /* of its array */
	uint32_t *slots;          /* owned: pairs of hash and id, id NONE = free */
	size_t slot_count;
	uint32_t recent[RA_KINETO_STRINGS_RECENT];       /* ids of texts seen lately, by hash */
	uint32_t followers[RA_KINETO_STRINGS_FOLLOWERS]; /* by key: that came behind it last time */
	size_t arena_left;
	char *arena_next;
};

/* Id 0 is the empty text. */
void ra_kineto_strings_init(struct ra_kineto_strings *strings, struct ra_kineto *kineto);
void ra_kineto_strings_fini(struct ra_kineto_strings *strings);

/* Id of a text, which is kept if it is new. */
uint32_t ra_kineto_strings_add(struct ra_kineto_strings *strings, const char *bytes, size_t length);

/* The same for a text that is likely to be *likely, the id of one (0 at first), which becomes it.
 */
uint32_t ra_kineto_strings_add_likely(struct ra_kineto_strings *strings, uint32_t *likely,
                                      const char *bytes, size_t length);

/* The same for a key of an event, @before being the key before it: events have theirs in the same
 * order. */
uint32_t ra_kineto_strings_add_key(struct ra_kineto_strings *strings, uint32_t before,
                                   const char *bytes, size_t length);

#endif

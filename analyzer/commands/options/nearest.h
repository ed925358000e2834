/* SPDX-License-Identifier: MIT */
/* "Did you mean": the word of a list that is most like one that was typed. */
#ifndef RA_CMD_NEAREST_H
#define RA_CMD_NEAREST_H

#include <stddef.h>

#define RA_CMD_NEAREST_BYTES 64 /* longer words are like no other */

struct ra_cmd_nearest {
	const char *word; /* borrowed: as typed */
	size_t length;
	const char *best; /* borrowed; NULL: no word is like it */
	size_t distance;  /* letters to put in, take out or change, or neighbours to swap */
};

/* Begins with the `length` bytes of `word`. */
void ra_cmd_nearest_init(struct ra_cmd_nearest *nearest, const char *word, size_t length);

/* Offers a word of the list; of equally near ones the first stays. */
void ra_cmd_nearest_offer(struct ra_cmd_nearest *nearest, const char *word);

#endif

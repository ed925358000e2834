/* SPDX-License-Identifier: MIT */
/* "Did you mean": finds the word of a list that is most like the typed one. */
#ifndef RLOG_NEAREST_H
#define RLOG_NEAREST_H

#include <stddef.h>

#define RLOG_NEAREST_BYTES 64 /* longer words match nothing */

struct rlog_nearest {
	const char *word; /* borrowed: as typed */
	size_t length;
	const char *best; /* borrowed; NULL: no similar word */
	size_t distance;  /* letters to insert, delete or change, or neighbours to swap */
};

/* Starts with the first `length` bytes of `word`. */
void rlog_nearest_init(struct rlog_nearest *nearest, const char *word, size_t length);

/* Offers a word of the list; of equally near words the first wins. */
void rlog_nearest_offer(struct rlog_nearest *nearest, const char *word);

#endif

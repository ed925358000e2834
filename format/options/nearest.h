/* SPDX-License-Identifier: MIT */
/* "Did you mean": the word of a list that is most like one that was typed. */
#ifndef RLOG_NEAREST_H
#define RLOG_NEAREST_H

#include <stddef.h>

#define RLOG_NEAREST_BYTES 64 /* longer words are like no other */

struct rlog_nearest {
	const char *word; /* borrowed: as typed */
	size_t length;
	const char *best; /* borrowed; NULL: no word is like it */
	size_t distance;  /* letters to put in, take out or change, or neighbours to swap */
};

/* Begins with the `length` bytes of `word`. */
void rlog_nearest_init(struct rlog_nearest *nearest, const char *word, size_t length);

/* Offers a word of the list; of equally near ones the first stays. */
void rlog_nearest_offer(struct rlog_nearest *nearest, const char *word);

#endif
